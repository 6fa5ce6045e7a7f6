#include "device/nvml/sensors.hpp"

#include "device/nvml/polled_sensor.hpp"
#include "device/nvml/power_samples.hpp"
#include "device/nvml/power_traits.hpp"

namespace wattune::device::nvml {
namespace {

constexpr double watts_per_milliwatt = 1e-3;
constexpr double joules_per_millijoule = 1e-3;
constexpr double hertz_per_megahertz = 1e6;

/// A field of nvmlDeviceGetFieldValues that is a 32-bit number: the call may succeed and the field fail.
Probed field(const Gpu& gpu, unsigned id, unsigned scope, double scale) {
  if (gpu.api->device_get_field_values == nullptr) return {};
  FieldValue value;
  value.field = id;
  value.scope = scope;
  const Result code = gpu.api->device_get_field_values(gpu.handle, 1, &value);
  if (code != success || value.result != success) return {code != success ? code : value.result};
  return {success, scale * static_cast<double>(value.value.word), value.timestamp_us};
}

Probed plain_power(const Gpu& gpu) {
  unsigned milliwatts = 0;
  if (gpu.api->device_get_power_usage == nullptr) return {};
  const Result code = gpu.api->device_get_power_usage(gpu.handle, &milliwatts);
  return {code, watts_per_milliwatt * milliwatts};
}

Probed energy(const Gpu& gpu) {
  unsigned long long millijoules = 0;
  if (gpu.api->device_get_total_energy == nullptr) return {};
  const Result code = gpu.api->device_get_total_energy(gpu.handle, &millijoules);
  return {code, joules_per_millijoule * static_cast<double>(millijoules)};
}

Probe clock_probe(int type) {
  return [type](const Gpu& gpu) -> Probed {
    unsigned mhz = 0;
    if (gpu.api->device_get_clock_info == nullptr) return {};
    const Result code = gpu.api->device_get_clock_info(gpu.handle, type, &mhz);
    return {code, hertz_per_megahertz * mhz};
  };
}

/// The plain call is deprecated since NVML 13, the new one absent before 12.8.
Probed temperature(const Gpu& gpu) {
  unsigned celsius = 0;
  Result code = error_function_not_found;
  if (gpu.api->device_get_temperature != nullptr)
    code = gpu.api->device_get_temperature(gpu.handle, temperature_gpu, &celsius);
  if (code == success || is_lost(code) || gpu.api->device_get_temperature_v == nullptr)
    return {code, static_cast<double>(celsius)};
  Temperature versioned;
  code = gpu.api->device_get_temperature_v(gpu.handle, &versioned);
  return {code, static_cast<double>(versioned.celsius)};
}

Probed event_reasons(const Gpu& gpu) {
  unsigned long long bits = 0;
  if (gpu.api->device_get_event_reasons == nullptr) return {};
  const Result code = gpu.api->device_get_event_reasons(gpu.handle, &bits);
  return {code, static_cast<double>(bits)};
}

/// Where the GPU scope of a power field does not answer, the module's may; and on a superchip the GPU scope may itself
/// mean the module: two scopes that agree to the milliwatt are one sensor.
unsigned power_scope(const Gpu& gpu, unsigned id) {
  const Probed own = field(gpu, id, scope_gpu, watts_per_milliwatt);
  const Probed module = field(gpu, id, scope_module, watts_per_milliwatt);
  if (own.code != success) return module.code == success ? scope_module : scope_gpu;
  const bool one_sensor = module.code == success && module.value == own.value && own.value > 0.0;
  return gpu.is_superchip() && one_sensor ? scope_module : scope_gpu;
}

std::unique_ptr<Sensor> power_field(const Gpu& gpu, const char* name, unsigned id, bool plain_instead) {
  SensorTraits traits = power_traits(gpu, name);
  const unsigned scope = power_scope(gpu, id);
  if (scope == scope_module) traits.scope = "module";
  const bool answers = field(gpu, id, scope, watts_per_milliwatt).code == success;
  if (!answers && plain_instead) {
    if (!plain_power_is_average(gpu)) traits.averaging_window = Seconds(0.0);
    return std::make_unique<PolledSensor>(gpu, name, "W", traits, plain_power);
  }
  return std::make_unique<PolledSensor>(
      gpu, name, "W", traits, [id, scope](const Gpu& of) { return field(of, id, scope, watts_per_milliwatt); });
}

}  // namespace

std::vector<std::unique_ptr<Sensor>> make_sensors(const Gpu& gpu, QuerySmi query) {
  std::vector<std::unique_ptr<Sensor>> sensors;
  const auto add = [&](const char* name, const char* unit, const SensorTraits& traits, Probe probe) {
    sensors.push_back(std::make_unique<PolledSensor>(gpu, name, unit, traits, std::move(probe)));
  };
  sensors.push_back(std::make_unique<PowerSamples>(gpu));
  // The plain reading is no average before Ampere and on GA100 (nvml.h), but it is the only one that old drivers have.
  const bool old_instant = gpu.architecture != 0 && !plain_power_is_average(gpu);
  sensors.push_back(power_field(gpu, "power_instant", field_power_instant, old_instant));
  sensors.push_back(power_field(gpu, "power_average", field_power_average, true));
  add("energy_counter", "J", power_traits(gpu, "energy_counter"), energy);
  add("core_clock", "Hz", {}, clock_probe(clock_sm));
  add("memory_clock", "Hz", {}, clock_probe(clock_memory));
  add("temperature", "°C", {}, temperature);
  add("memory_temperature", "°C", {},
      [](const Gpu& of) { return field(of, field_memory_temperature, scope_gpu, 1.0); });
  add("clock_event_reasons", "bits", {}, event_reasons);
  sensors.push_back(make_voltage_sensor(gpu, std::move(query)));
  return sensors;
}

}  // namespace wattune::device::nvml
