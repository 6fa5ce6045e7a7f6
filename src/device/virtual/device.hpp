// Sensors and controls of GPUs that are not there: thin adapters over the object that the engine of the same id drives.
// Everything is buffered, for nothing is ever lost by looking late.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wattune/device.hpp"

namespace wattune::device::simulated {

/// All presets, as `wattune devices` lists them.
std::vector<DeviceInfo> survey();

/// The device of this id ("virtual:a100?noise=0"): that of a living engine, else one that stands idle on the machine's
/// clock. Null for an id that is not of this kind; throws Error for a faulty one, as open_engine() does.
std::unique_ptr<Device> open(const std::string& id);

}  // namespace wattune::device::simulated
