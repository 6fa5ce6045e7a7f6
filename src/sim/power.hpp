// Power of a device that runs launches back to back, or nothing, at given clocks and temperature.
#pragma once

#include "sim/timing.hpp"

namespace wattune::sim {

/// Power without leakage, and leakage as a line over temperature.
struct PowerParts {
  double fixed = 0;               ///< W: board, memory, switching
  double leakage = 0;             ///< W at the preset's reference temperature
  double leakage_per_kelvin = 0;  ///< W/K

  [[nodiscard]] double at(double celsius, const EnergyCosts& costs) const {
    return fixed + leakage + leakage_per_kelvin * (celsius - costs.leakage_celsius);
  }
};

PowerParts power_of(const VirtualGpuPreset& preset, const Work& work, const Timing& timing, const Clocks& clocks);
PowerParts idle_power(const VirtualGpuPreset& preset, const Clocks& clocks);

/// Power when the temperature that it causes and the leakage that this causes agree.
double steady_power(const VirtualGpuPreset& preset, const PowerParts& parts);
double steady_celsius(const ThermalModel& thermal, double watts);

}  // namespace wattune::sim
