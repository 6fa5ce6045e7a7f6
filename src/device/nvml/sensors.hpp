// The sensors of an NVIDIA GPU, under the names of wattune/device.hpp. Reads only.
#pragma once

#include <memory>
#include <vector>

#include "device/nvml/gpu.hpp"
#include "device/nvml/voltage.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

/// Every sensor that this program knows, best power sensor first; what does not answer is not available and says why.
/// The GPU must outlive them.
std::vector<std::unique_ptr<Sensor>> make_sensors(const Gpu& gpu, QuerySmi query);

}  // namespace wattune::device::nvml
