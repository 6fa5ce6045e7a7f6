#include "device/amdsmi/device.hpp"

#include <array>
#include <cstdio>
#include <cstring>

#include "base/text.hpp"
#include "device/amdsmi/controls.hpp"
#include "device/amdsmi/sensors.hpp"

namespace wattune::device::amdsmi {
namespace {

std::string uuid_of(const Api& api, Handle handle) {
  std::array<char, 128> text{};
  unsigned length = text.size();
  return call(api.get_uuid, handle, &length, text.data()) == success ? text.data() : std::string();
}

/// "0000:c1:00.0"; function, device, bus and domain take 3, 5, 8 and 48 bits.
std::string pci_bus_of(const Api& api, Handle handle) {
  std::uint64_t bits = 0;
  if (call(api.get_bus, handle, &bits) != success) return {};
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04llx:%02llx:%02llx.%llx", static_cast<unsigned long long>(bits >> 16U),
                static_cast<unsigned long long>((bits >> 8U) & 0xffU),
                static_cast<unsigned long long>((bits >> 3U) & 0x1fU), static_cast<unsigned long long>(bits & 7U));
  return text.data();
}

/// The text that a structure begins with.
std::string first_text(Result (*function)(Handle, void*), Handle handle) {
  const auto room = std::make_unique<Room>();
  if (call(function, handle, static_cast<void*>(room->bytes.data())) != success) return {};
  return {room->bytes.data(), ::strnlen(room->bytes.data(), 256)};
}

DeviceInfo identity(const Api& api, Handle handle) {
  DeviceInfo info;
  info.kind = "gpu";
  info.name = first_text(api.get_asic_info, handle);
  info.uuid = uuid_of(api, handle);
  info.pci_bus = pci_bus_of(api, handle);
  info.driver = first_text(api.get_driver_info, handle);
  info.id = "amdsmi:" + (info.uuid.empty() ? info.pci_bus : info.uuid);
  return info;
}

class AmdDevice final : public Device {
 public:
  AmdDevice(const Api& api, Handle handle, const Permission& permission)
      : gpu_(std::make_unique<Gpu>(Gpu{&api, &load_setters(), handle, &real_clock()})), info_(identity(api, handle)) {
    sensors_ = make_sensors(*gpu_);
    controls_ = make_controls(*gpu_, permission);
    for (const auto& sensor : sensors_) info_.sensors.push_back(sensor->info());
    for (const auto& control : controls_) info_.controls.push_back(control->info());
    info_.core_clock = clock_of("core_clock");
    info_.memory_clock = clock_of("memory_clock");
  }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return controls_; }

 private:
  [[nodiscard]] Hertz clock_of(std::string_view name) const {
    Sensor* const found = sensor(name);
    const ReadResult result = found != nullptr ? found->read() : ReadResult{};
    return Hertz(result.reading ? result.reading->value : 0.0);
  }

  std::unique_ptr<Gpu> gpu_;  ///< stays where it is: sensors and controls point to it
  DeviceInfo info_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
  std::vector<std::unique_ptr<Control>> controls_;
};

/// What a call with count and list gives: first the count, then the list.
template <class Ask>
std::vector<Handle> list(const Ask& ask) {
  std::uint32_t count = 0;
  if (ask(&count, nullptr) != success || count == 0) return {};
  std::vector<Handle> handles(count);
  if (ask(&count, handles.data()) != success) return {};
  handles.resize(std::min<std::size_t>(count, handles.size()));
  return handles;
}

std::vector<Handle> gpus(const Api& api) {
  std::vector<Handle> all;
  for (Handle socket : list([&](std::uint32_t*count, Handle*to) { return call(api.get_sockets, count, to); })) {
    for (Handle gpu : list([&](std::uint32_t*count, Handle*to) { return call(api.get_processors, socket, count, to); }))
      all.push_back(gpu);
  }
  return all;
}

}  // namespace

void survey(DeviceSurvey& found, const Permission& permission) {
  const LoadedApi& loaded = load_api();
  if (!loaded.api) {
    found.absent.push_back(loaded.problem);
    return;
  }
  for (Handle gpu : gpus(*loaded.api)) found.devices.push_back(AmdDevice(*loaded.api, gpu, permission).info());
}

std::unique_ptr<Device> open(const std::string& name, const Permission& permission) {
  const LoadedApi& loaded = load_api();
  if (!loaded.api || name.empty()) return nullptr;
  const std::string wanted = name.starts_with("amdsmi:") ? name.substr(7) : name;
  for (Handle gpu : gpus(*loaded.api)) {
    if (uuid_of(*loaded.api, gpu) == wanted || pci_bus_of(*loaded.api, gpu) == base::lower(wanted))
      return std::make_unique<AmdDevice>(*loaded.api, gpu, permission);
  }
  return nullptr;
}

}  // namespace wattune::device::amdsmi
