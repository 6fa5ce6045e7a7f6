// Which CUDA devices there are, described in the program's terms, without creating a context on any.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/driver_api.hpp"
#include "wattune/engine.hpp"

namespace wattune::engine::cuda {

struct FoundDevice {
  DeviceDescription description;
  Ordinal device = 0;
  int capability = 0;  ///< 10 * major + minor
};

/// All devices in CUDA's order. `compiler` is NVRTC's version: it shapes the code, so it is part of the driver's text.
std::vector<FoundDevice> discover(const DriverApi& api, const std::string& compiler);

/// Highest CUDA version that the driver supports, e.g. {13, 0}.
struct Version {
  int major = 0;
  int minor = 0;
};
Version driver_version(const DriverApi& api);

}  // namespace wattune::engine::cuda
