// Look-up of sensors and controls by name.
#include "wattune/device.hpp"

namespace wattune {

Sensor* Device::sensor(std::string_view name) const {
  for (const std::unique_ptr<Sensor>& sensor : sensors()) {
    if (sensor->info().name == name && sensor->info().available) return sensor.get();
  }
  return nullptr;
}

Control* Device::control(std::string_view name) const {
  for (const std::unique_ptr<Control>& control : controls()) {
    if (control->info().name == name && control->info().supported) return control.get();
  }
  return nullptr;
}

}  // namespace wattune
