// What makers publish about devices, for recordings that name their device but not its limits.
// Room `record`. Only figures from data sheets; a device that is not listed has none, and nothing is guessed from its
// relatives.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wattune/units.hpp"

namespace wattune {

struct DeviceFacts {
  std::string_view name;                                         ///< as the driver writes it
  Watts power_limit;                                             ///< default power limit
  std::optional<Hertz> base_clock;                               ///< guaranteed core clock
  std::optional<Hertz> lowest_clock, highest_clock, clock_step;  ///< settable core clocks
  std::string_view source;

  /// Settable core clocks, ascending; empty when they are not known.
  [[nodiscard]] std::vector<Hertz> supported_clocks() const;
};

/// By the name in a recording ("NVIDIA A100-PCIE-40GB", "A100-PCIE-40GB", case and separators do not matter). Null when
/// the device is not listed.
const DeviceFacts* device_facts(std::string_view device_name);

}  // namespace wattune
