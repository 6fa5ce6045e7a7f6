// One NVIDIA GPU as its sensors and controls see it: the library, the handle, and what decides how readings are meant.
#pragma once

#include <string>

#include "device/nvml/api.hpp"
#include "device/nvml/setters.hpp"
#include "wattune/clock.hpp"

namespace wattune::device::nvml {

struct Gpu {
  const Api* api = nullptr;
  const Setters* setters = nullptr;  ///< never null; empty where controls are forbidden
  Handle handle = nullptr;
  Clock* clock = nullptr;
  unsigned architecture = 0;  ///< nvmlDeviceArchitecture_t; 0 = not known
  std::string name;           ///< "NVIDIA H200"
  std::string uuid;           ///< "GPU-…"

  /// GA100 (A100, A800, A30) measures power unlike the other Amperes (nvml.h).
  [[nodiscard]] bool is_ga100() const;
  /// GPU and CPU share a module, and with it sensors (GH200, GB200).
  [[nodiscard]] bool is_superchip() const;
};

}  // namespace wattune::device::nvml
