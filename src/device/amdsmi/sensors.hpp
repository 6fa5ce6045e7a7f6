// The sensors of an AMD GPU, under the names of wattune/device.hpp. Reads only.
#pragma once

#include <memory>
#include <vector>

#include "device/amdsmi/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::amdsmi {

/// Every sensor that this program knows; what does not answer is not available and says why. The GPU must outlive them.
std::vector<std::unique_ptr<Sensor>> make_sensors(const Gpu& gpu);

}  // namespace wattune::device::amdsmi
