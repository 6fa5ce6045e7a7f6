// The NVML functions that change a device: clocks and power limit, nothing else. They are looked up only where controls
// are allowed: under WATTUNE_NO_CONTROL=1 this table stays empty, so that there is nothing to call.
// All of them need root or CAP_SYS_ADMIN; what they set survives this process and is lost when the driver unloads.
#pragma once

#include "device/nvml/api.hpp"

namespace wattune::device::nvml {

/// One pointer a function; null where the library lacks it. Clocks in MHz, power in mW.
struct Setters {
  Result (*set_gpu_locked_clocks)(Handle device, unsigned low_mhz, unsigned high_mhz) = nullptr;  ///< Volta and newer
  Result (*reset_gpu_locked_clocks)(Handle device) = nullptr;
  Result (*set_memory_locked_clocks)(Handle device, unsigned low_mhz, unsigned high_mhz) = nullptr;  ///< Ampere …
  Result (*reset_memory_locked_clocks)(Handle device) = nullptr;
  Result (*set_applications_clocks)(Handle device, unsigned memory_mhz, unsigned graphics_mhz) = nullptr;
  Result (*set_power_limit)(Handle device, unsigned milliwatts) = nullptr;
};

/// The library's setters; an empty table when controls are forbidden at the first call or there is no library.
const Setters& load_setters();

}  // namespace wattune::device::nvml
