#include "cli/device_measuring.hpp"

#include <algorithm>
#include <array>

#include "wattune/device.hpp"

namespace wattune::cli {
namespace {

constexpr Seconds look_limit{2.5};  // a sensor that updates every 100 ms shows 25 new values
constexpr std::array lagging = {"power_instant", "power_average"};

/// A device that cannot be loaded is none whose sensors cannot be read: it has no times, and that is all.
void measure_settling(Device& device, const DeviceDescription& description,
                      std::map<std::string, MeasuredSensor>& measured, Console& console) {
  try {
    const std::unique_ptr<Engine> engine = open_engine(description.id);
    for (const char* name : lagging) {
      Sensor* const sensor = device.sensor(name);
      if (sensor == nullptr) continue;
      console.progress("Loading " + description.name + " to see how long " + name + " lags");
      measured[name].settling = measure::measure_settling(*engine, *sensor, real_clock());
    }
  } catch (const Error& error) {
    console.notice("no load for " + description.name + ": " + error.what());
  }
}

}  // namespace

const DeviceInfo* sensors_of(std::span<const DeviceInfo> infos, const DeviceDescription& device) {
  const auto same = [&](const DeviceInfo& info) {
    return (!device.uuid.empty() && info.uuid == device.uuid) ||
           (!device.pci_bus.empty() && info.pci_bus == device.pci_bus);
  };
  const auto found = std::ranges::find_if(infos, same);
  return found == infos.end() ? nullptr : &*found;
}

MeasuredSensors measure_sensors(std::span<const DeviceInfo> infos, std::span<const DeviceDescription> engines,
                                Console& console) {
  MeasuredSensors measured;
  for (const DeviceInfo& info : infos) {
    const std::unique_ptr<Device> opened = open_device(info.id);
    if (!opened) continue;
    for (const auto& sensor : opened->sensors()) {
      const SensorInfo& about = sensor->info();
      if (!about.available || (about.unit != "W" && about.unit != "J")) continue;
      console.progress("Looking at " + about.name + " of " + info.name);
      measured[info.id][about.name].period = device::measure_update_period(*sensor, look_limit, real_clock());
    }
    // A GPU is listed once for each interface that drives it; the first is the best.
    const auto engine = std::ranges::find_if(
        engines, [&](const DeviceDescription& description) { return sensors_of(infos, description) == &info; });
    if (engine != engines.end()) measure_settling(*opened, *engine, measured[info.id], console);
  }
  console.clear();
  return measured;
}

const MeasuredSensor* measured_of(const MeasuredSensors& measured, const std::string& id, const std::string& sensor) {
  const auto of_device = measured.find(id);
  if (of_device == measured.end()) return nullptr;
  const auto found = of_device->second.find(sensor);
  return found == of_device->second.end() ? nullptr : &found->second;
}

}  // namespace wattune::cli
