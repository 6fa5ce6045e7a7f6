// Which OpenCL devices there are, described in the program's terms.
// Chosen by device type, never by platform order: a CPU platform may come first on a machine with a GPU.
#pragma once

#include <vector>

#include "engine/opencl/api.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::opencl {

struct FoundDevice {
  DeviceDescription description;
  cl_device_id device = nullptr;
};

/// All usable devices: GPUs, then accelerators, then CPUs; within these in the platforms' order. Devices that are not
/// available or have no compiler are left out. Empty when no platform answers.
std::vector<FoundDevice> discover(const Api& api);

}  // namespace wattune::engine::opencl
