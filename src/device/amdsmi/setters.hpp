// The amdsmi functions that change a device: limits of clocks and power, nothing else. They are looked up only where
// controls are allowed: under WATTUNE_NO_CONTROL=1 this table stays empty. All of them need root.
#pragma once

#include "device/amdsmi/api.hpp"

namespace wattune::device::amdsmi {

/// Null where the library lacks it (clock limits came with ROCm 6.3).
struct Setters {
  Result (*set_clock_limit)(Handle gpu, int clock, int limit, std::uint64_t mhz) = nullptr;
  Result (*set_power_cap)(Handle gpu, std::uint32_t sensor, std::uint64_t microwatts) = nullptr;
};

/// The library's setters; an empty table when controls are forbidden at the first call or there is no library.
const Setters& load_setters();

}  // namespace wattune::device::amdsmi
