#include "device/nvml/survey.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace wattune::device::nvml {
namespace {

/// nvmlDeviceGetName and its like write at most 96 characters.
using Text = std::array<char, 96>;

constexpr Result missing_function = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND

/// A field of nvmlDeviceGetFieldValues: the call may succeed and the field fail.
Result read_field(const Api& api, Handle device, unsigned field) {
  if (api.device_get_field_values == nullptr) return missing_function;
  FieldValue value;
  value.field = field;
  value.scope = scope_gpu;
  const Result code = api.device_get_field_values(device, 1, &value);
  return code != success ? code : value.result;
}

/// The driver's buffered power readings; `period` becomes the median distance of their time-stamps.
Result read_samples(const Api& api, Handle device, Seconds& period) {
  if (api.device_get_samples == nullptr) return missing_function;
  int type = 0;
  unsigned count = 0;
  Result code = api.device_get_samples(device, total_power_samples, 0, &type, &count, nullptr);
  if (code != success) return code;
  if (count == 0) return error_not_found;
  std::vector<Sample> samples(count);
  code = api.device_get_samples(device, total_power_samples, 0, &type, &count, samples.data());
  if (code != success) return code;
  samples.resize(std::min<std::size_t>(count, samples.size()));
  std::vector<double> gaps;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].timestamp_us > samples[i - 1].timestamp_us) {
      gaps.push_back(1e-6 * static_cast<double>(samples[i].timestamp_us - samples[i - 1].timestamp_us));
    }
  }
  if (!gaps.empty()) {
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    period = Seconds(gaps[gaps.size() / 2]);
  }
  return success;
}

Result read_clock(const Api& api, Handle device, int type, Hertz& clock) {
  unsigned mhz = 0;
  if (api.device_get_clock_info == nullptr) return missing_function;
  const Result code = api.device_get_clock_info(device, type, &mhz);
  if (code == success) clock = megahertz(mhz);
  return code;
}

SensorInfo sensor(const Api& api, const char* name, const char* unit, Result code, Seconds period = Seconds(0.0)) {
  SensorInfo info{name, unit, period, code == success, {}};
  if (code == missing_function) info.why = "this driver's NVML does not have the function";
  if (code != success && code != missing_function) info.why = error_text(api, code);
  return info;
}

std::vector<SensorInfo> sensors_of(const Api& api, Handle device, DeviceInfo& info) {
  Seconds sample_period;
  const Result samples = read_samples(api, device, sample_period);
  unsigned word = 0;
  unsigned long long wide = 0;
  const Result usage =
      api.device_get_power_usage != nullptr ? api.device_get_power_usage(device, &word) : missing_function;
  const Result average_field = read_field(api, device, field_power_average);
  const Result energy =
      api.device_get_total_energy != nullptr ? api.device_get_total_energy(device, &wide) : missing_function;
  const Result temperature = api.device_get_temperature != nullptr
                                 ? api.device_get_temperature(device, temperature_gpu, &word)
                                 : missing_function;
  return {
      // Before Ampere the plain reading is no average, but it is the only one.
      sensor(api, "power_average", "W", average_field == success ? success : usage),
      sensor(api, "power_instant", "W", read_field(api, device, field_power_instant)),
      sensor(api, "power_samples", "W", samples, sample_period),
      sensor(api, "energy_counter", "J", energy),
      sensor(api, "core_clock", "Hz", read_clock(api, device, clock_sm, info.core_clock)),
      sensor(api, "memory_clock", "Hz", read_clock(api, device, clock_memory, info.memory_clock)),
      sensor(api, "temperature", "°C", temperature),
  };
}

ControlInfo control(const Api& api, const char* name, Result code, const Permission& permission) {
  ControlInfo info;
  info.name = name;
  info.supported = code == success;
  info.permitted = info.supported && permission.allowed;
  if (!info.supported) info.why = code == missing_function ? "this driver's NVML cannot tell" : error_text(api, code);
  if (info.supported && !permission.allowed) info.why = permission.why;
  return info;
}

/// A setting counts as supported when the driver names the values it would accept.
std::vector<ControlInfo> controls_of(const Api& api, Handle device, const Permission& permission) {
  std::array<unsigned, 256> memory_mhz{};
  unsigned memory_count = memory_mhz.size();
  Result memory = missing_function;
  if (api.device_get_supported_memory_clocks != nullptr) {
    memory = api.device_get_supported_memory_clocks(device, &memory_count, memory_mhz.data());
    if (memory == success && memory_count == 0) memory = error_not_supported;
  }
  Result core = memory;
  if (memory == success && api.device_get_supported_graphics_clocks != nullptr) {
    std::array<unsigned, 1024> core_mhz{};
    unsigned core_count = core_mhz.size();
    core = api.device_get_supported_graphics_clocks(device, memory_mhz[0], &core_count, core_mhz.data());
    if (core == success && core_count == 0) core = error_not_supported;
  }
  unsigned low = 0;
  unsigned high = 0;
  Result limit = missing_function;
  if (api.device_get_power_limit_constraints != nullptr) {
    limit = api.device_get_power_limit_constraints(device, &low, &high);
    if (limit == success && high <= low) limit = error_not_supported;
  }
  return {control(api, "core_clock_mhz", core, permission), control(api, "memory_clock_mhz", memory, permission),
          control(api, "power_limit_w", limit, permission)};
}

/// "00000000:3B:00.0" -> "0000:3b:00.0", as CUDA and the kernel write it.
std::string pci_bus_of(const Api& api, Handle device) {
  PciInfo pci;
  if (api.device_get_pci_info == nullptr || api.device_get_pci_info(device, &pci) != success) return {};
  const std::string id = base::lower(pci.id);
  const std::size_t colon = id.find(':');
  return colon == 8 && id.starts_with("0000") ? id.substr(4) : id;
}

}  // namespace

std::vector<DeviceInfo> survey(const Api& api, const Permission& permission) {
  std::vector<DeviceInfo> devices;
  Text driver{};
  if (api.system_get_driver_version(driver.data(), driver.size()) != success) driver[0] = '\0';
  unsigned count = 0;
  if (api.device_get_count(&count) != success) return devices;
  for (unsigned index = 0; index < count; ++index) {
    Handle device = nullptr;
    if (api.device_get_handle_by_index(index, &device) != success) continue;
    DeviceInfo info;
    Text text{};
    info.kind = "gpu";
    info.driver = driver.data();
    if (api.device_get_name(device, text.data(), text.size()) == success) info.name = text.data();
    text[0] = '\0';
    if (api.device_get_uuid(device, text.data(), text.size()) == success) info.uuid = text.data();
    info.id = "nvml:" + (info.uuid.empty() ? std::to_string(index) : info.uuid);
    info.pci_bus = pci_bus_of(api, device);
    info.sensors = sensors_of(api, device, info);
    info.controls = controls_of(api, device, permission);
    devices.push_back(std::move(info));
  }
  return devices;
}

}  // namespace wattune::device::nvml
