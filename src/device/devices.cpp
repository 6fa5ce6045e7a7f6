// The table of places where devices with sensors and controls are looked for. A new vendor is one more line here.
#include <array>

#include "device/amdsmi/device.hpp"
#include "device/control_lock.hpp"
#include "device/nvml/survey.hpp"
#include "device/powersensor/device.hpp"
#include "device/rapl/device.hpp"
#include "device/rapl/survey.hpp"
#include "device/virtual/device.hpp"
#include "wattune/device.hpp"
#include "wattune/sensor.hpp"

namespace wattune {
namespace {

/// One source of devices.
struct Source {
  /// Appends its devices, or why there are none.
  void (*survey)(DeviceSurvey& found);
  /// The device of this name, or null when it is not of this source.
  std::unique_ptr<Device> (*open)(const std::string& name);
};

void survey_nvml(DeviceSurvey& found) {
  const device::nvml::LoadedApi& loaded = device::nvml::load_api();
  if (!loaded.api) {
    found.absent.push_back(loaded.problem);
    return;
  }
  for (DeviceInfo& info : device::nvml::survey(device::nvml::loaded_library(), device::control_permission()))
    found.devices.push_back(std::move(info));
}

std::unique_ptr<Device> open_nvml(const std::string& name) {
  return device::nvml::open(device::nvml::loaded_library(), name, device::control_permission());
}

void survey_amdsmi(DeviceSurvey& found) {
  device::amdsmi::survey(found, device::control_permission());
}

std::unique_ptr<Device> open_amdsmi(const std::string& name) {
  return device::amdsmi::open(name, device::control_permission());
}

void survey_rapl(DeviceSurvey& found) {
  device::rapl::survey(found);
}

std::unique_ptr<Device> open_rapl(const std::string& name) {
  return device::rapl::open(name);
}

void survey_powersensor(DeviceSurvey& found) {
  device::powersensor::survey(found);
}

std::unique_ptr<Device> open_powersensor(const std::string& name) {
  return device::powersensor::open(name);
}

constexpr std::array sources = {Source{survey_nvml, open_nvml}, Source{survey_amdsmi, open_amdsmi},
                                Source{survey_rapl, open_rapl}, Source{survey_powersensor, open_powersensor}};

}  // namespace

DeviceSurvey survey_devices() {
  DeviceSurvey found;
  for (const Source& source : sources) source.survey(found);
  return found;
}

std::vector<DeviceInfo> list_devices() {
  return survey_devices().devices;
}

std::unique_ptr<Device> open_device(const std::string& uuid_or_bus) {
  if (std::unique_ptr<Device> device = device::simulated::open(uuid_or_bus)) return device;  // only by its id
  for (const Source& source : sources) {
    if (std::unique_ptr<Device> device = source.open(uuid_or_bus)) return device;
  }
  return nullptr;
}

}  // namespace wattune
