// Time of a launch at given clocks.
#pragma once

#include "sim/work.hpp"

namespace wattune::sim {

/// Clocks in force, in Hz.
struct Clocks {
  double core = 0, memory = 0;
};

/// Seconds of a launch and of its parts.
struct Timing {
  double total = 0;
  double running = 0;      ///< while blocks run: without launch overhead and serial parts
  double unit_active = 0;  ///< a unit's mean time with blocks on it
  double unit_issue = 0;   ///< a unit's mean time in which its busiest part works
};

Timing time_of(const VirtualGpuPreset& preset, const Work& work, const Clocks& clocks);

}  // namespace wattune::sim
