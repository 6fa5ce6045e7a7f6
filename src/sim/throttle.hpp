// The clock at which a device settles when the one asked for would take it over its power limit.
#pragma once

#include "sim/power.hpp"

namespace wattune::sim {

/// State of a device that runs a kernel: as clocked, or as throttled.
struct Operation {
  Clocks clocks;
  Timing timing;
  PowerParts parts;
  double watts = 0;
  bool throttled = false;
};

/// What keeps power down: a limit in watts, and the temperature at which it is judged (nothing: that which the power
/// itself leads to).
struct PowerRule {
  double limit_watts = 0;
  std::optional<double> celsius;
};

/// Real devices alternate between two neighbouring clocks so that the mean power stays at the limit; here they run at
/// the clock between. Never below the lowest supported clock, whatever the limit.
Operation operate(const VirtualGpuPreset& preset, const Work& work, const Clocks& asked, const PowerRule& rule);

}  // namespace wattune::sim
