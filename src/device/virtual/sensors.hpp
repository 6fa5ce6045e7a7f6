// Readings of a virtual GPU behind the sensor port.
#pragma once

#include <memory>
#include <vector>

#include "sim/virtual_gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::simulated {

/// All sensors of the device, those included that it has not or may not read, with the reason.
std::vector<std::unique_ptr<Sensor>> make_sensors(const std::shared_ptr<sim::VirtualGpu>& gpu);

}  // namespace wattune::device::simulated
