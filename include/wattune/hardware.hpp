// A hardware configuration: what a device is set to while a kernel runs. The axes of Wu et al. (HPCA 2015) and a power
// limit.
// Room `base`.
#pragma once

#include <cstdint>

#include "wattune/units.hpp"

namespace wattune {

/// Zero in any field: as the device is by itself (all compute units, highest clocks, factory power limit).
struct HardwareConfiguration {
  std::uint32_t compute_units = 0;  ///< that the kernel may use
  Hertz core_clock;                 ///< requested; a device at its power limit runs slower
  Hertz memory_clock;
  Watts power_limit;
  auto operator<=>(const HardwareConfiguration&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

}  // namespace wattune
