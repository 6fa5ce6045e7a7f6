// `wattune devices --measure`: what sensors of power and energy are worth, found by looking at them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "device/update_period.hpp"
#include "measure/settling.hpp"
#include "wattune/engine.hpp"
#include "wattune/sensor.hpp"

namespace wattune::cli {

struct MeasuredSensor {
  device::UpdatePeriod period;
  std::optional<measure::Settling> settling;  ///< under a load, where an engine drives the device
};

/// By device id and sensor name.
using MeasuredSensors = std::map<std::string, std::map<std::string, MeasuredSensor>>;

/// The sensors of the device that an engine drives, found by UUID or PCI bus, never by index; null without any.
const DeviceInfo* sensors_of(std::span<const DeviceInfo> infos, const DeviceDescription& device);

/// Looks at the sensors of power and energy one after the other, idle; then loads each device that an engine drives.
/// Clocks and temperatures stand still on an idle device, so they are left out. Sets nothing.
MeasuredSensors measure_sensors(std::span<const DeviceInfo> infos, std::span<const DeviceDescription> engines,
                                Console& console);

/// Null where nothing was measured.
const MeasuredSensor* measured_of(const MeasuredSensors& measured, const std::string& id, const std::string& sensor);

}  // namespace wattune::cli
