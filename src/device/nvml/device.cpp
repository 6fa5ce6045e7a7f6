#include "device/nvml/device.hpp"

#include <array>

#include "base/text.hpp"
#include "device/nvml/application_clock.hpp"
#include "device/nvml/locked_clock.hpp"
#include "device/nvml/power_limit.hpp"
#include "device/nvml/sensors.hpp"

namespace wattune::device::nvml {
namespace {

/// nvmlDeviceGetName and its like write at most 96 characters.
using Text = std::array<char, 96>;

std::string uuid_of(const Api& api, Handle handle) {
  Text text{};
  return api.device_get_uuid(handle, text.data(), text.size()) == success ? text.data() : std::string();
}

/// "00000000:3B:00.0" -> "0000:3b:00.0", as CUDA and the kernel write it.
std::string pci_bus_of(const Api& api, Handle handle) {
  PciInfo pci;
  if (api.device_get_pci_info == nullptr || api.device_get_pci_info(handle, &pci) != success) return {};
  const std::string id = base::lower(pci.id);
  const std::size_t colon = id.find(':');
  return colon == 8 && id.starts_with("0000") ? id.substr(4) : id;
}

DeviceInfo identity(const Api& api, Handle handle) {
  DeviceInfo info;
  Text text{};
  info.kind = "gpu";
  if (api.system_get_driver_version(text.data(), text.size()) == success) info.driver = text.data();
  text.fill('\0');
  if (api.device_get_name(handle, text.data(), text.size()) == success) info.name = text.data();
  info.uuid = uuid_of(api, handle);
  info.pci_bus = pci_bus_of(api, handle);
  info.id = "nvml:" + (info.uuid.empty() ? info.pci_bus : info.uuid);
  return info;
}

std::unique_ptr<Control> make_clock(const Gpu& gpu, ClockDomain domain, const Permission& permission) {
  if (locks_clock(gpu, domain)) return make_locked_clock(gpu, domain, permission);
  return make_application_clock(gpu, domain, permission);
}

Hertz clock_of(const Device& device, std::string_view name) {
  Sensor* const sensor = device.sensor(name);
  const ReadResult result = sensor != nullptr ? sensor->read() : ReadResult{};
  return Hertz(result.reading ? result.reading->value : 0.0);
}

}  // namespace

Library loaded_library() {
  const LoadedApi& loaded = load_api();
  Library library;
  if (!loaded.api) return library;
  library.api = &*loaded.api;
  library.setters = &load_setters();
  library.query_smi = query_smi;
  return library;
}

NvmlDevice::NvmlDevice(const Library& library, Handle handle, const Permission& permission)
    : gpu_(std::make_unique<Gpu>()), info_(identity(*library.api, handle)) {
  gpu_->api = library.api;
  gpu_->setters = library.setters;
  gpu_->handle = handle;
  gpu_->clock = library.clock;
  gpu_->name = info_.name;
  gpu_->uuid = info_.uuid;
  unsigned architecture = 0;
  if (library.api->device_get_architecture != nullptr &&
      library.api->device_get_architecture(handle, &architecture) == success && architecture != 0xffffffffU)
    gpu_->architecture = architecture;
  sensors_ = make_sensors(*gpu_, library.query_smi);
  controls_.push_back(make_clock(*gpu_, ClockDomain::core, permission));
  controls_.push_back(make_clock(*gpu_, ClockDomain::memory, permission));
  controls_.push_back(make_power_limit(*gpu_, permission));
  for (const auto& sensor : sensors_) info_.sensors.push_back(sensor->info());
  for (const auto& control : controls_) info_.controls.push_back(control->info());
  info_.core_clock = clock_of(*this, "core_clock");
  info_.memory_clock = clock_of(*this, "memory_clock");
}

std::vector<Handle> handles(const Api& api) {
  std::vector<Handle> found;
  unsigned count = 0;
  if (api.device_get_count(&count) != success) return found;
  for (unsigned index = 0; index < count; ++index) {
    Handle handle = nullptr;
    if (api.device_get_handle_by_index(index, &handle) == success) found.push_back(handle);
  }
  return found;
}

std::unique_ptr<Device> open(const Library& library, const std::string& name, const Permission& permission) {
  if (library.api == nullptr || name.empty()) return nullptr;
  const std::string wanted = name.starts_with("nvml:") ? name.substr(5) : name;
  for (Handle handle : handles(*library.api)) {
    if (uuid_of(*library.api, handle) == wanted || pci_bus_of(*library.api, handle) == base::lower(wanted))
      return std::make_unique<NvmlDevice>(library, handle, permission);
  }
  return nullptr;
}

}  // namespace wattune::device::nvml
