// The table of places where devices with sensors are looked for. A new vendor is one more line here.
#include "device/control_lock.hpp"
#include "device/nvml/survey.hpp"
#include "device/rapl/survey.hpp"
#include "wattune/sensor.hpp"

namespace wattune {

DeviceSurvey survey_devices() {
  DeviceSurvey found;
  const device::nvml::LoadedApi& nvml = device::nvml::load_api();
  if (nvml.api) {
    found.devices = device::nvml::survey(*nvml.api, device::control_permission());
  } else {
    found.absent.push_back(nvml.problem);
  }
  device::rapl::survey(found);
  return found;
}

std::vector<DeviceInfo> list_devices() {
  return survey_devices().devices;
}

}  // namespace wattune
