#include "sim/power.hpp"

#include <algorithm>

namespace wattune::sim {
namespace {

/// Leakage of all units: those outside a partition stay powered.
void add_leakage(const VirtualGpuPreset& preset, double voltage_square, PowerParts& parts) {
  parts.leakage = preset.energy.leakage.value() * voltage_square;
  parts.leakage_per_kelvin = parts.leakage * preset.energy.leakage_per_kelvin;
}

double voltage_square(const VirtualGpuPreset& preset, const Clocks& clocks) {
  const double voltage = preset.voltage.relative(clocks.core);
  return voltage * voltage;
}

}  // namespace

PowerParts power_of(const VirtualGpuPreset& preset, const Work& work, const Timing& timing, const Clocks& clocks) {
  const EnergyCosts& costs = preset.energy;
  const double square = voltage_square(preset, clocks);
  // Units outside the partition and units without a block idle; those that wait for data have part of their clock off.
  const double in_use = work.units / preset.compute_units;
  const double active = in_use * timing.unit_active / timing.total;
  const double issuing = in_use * timing.unit_issue / timing.total;
  const double clocked = costs.idle_share * (1.0 - active) + costs.stalled_share * (active - issuing) + 1.0 * issuing;
  const double core = work.core_joules / timing.total + costs.uncore_watts_per_hertz * clocks.core +
                      costs.units_watts_per_hertz * clocks.core * clocked;
  PowerParts parts;
  parts.fixed = costs.board.value() + costs.memory_watts_per_hertz * clocks.memory + work.dram_joules / timing.total +
                square * core;
  add_leakage(preset, square, parts);
  return parts;
}

PowerParts idle_power(const VirtualGpuPreset& preset, const Clocks& clocks) {
  const EnergyCosts& costs = preset.energy;
  const double square = voltage_square(preset, clocks);
  PowerParts parts;
  parts.fixed = costs.board.value() +
                square * clocks.core * (costs.uncore_watts_per_hertz + costs.units_watts_per_hertz * costs.idle_share);
  add_leakage(preset, square, parts);
  return parts;
}

double steady_power(const VirtualGpuPreset& preset, const PowerParts& parts) {
  // P = fixed + leakage + slope (ambient + R P - reference), solved for P. Where the loop would run away (it takes a
  // heat sink far too small) the slope is capped: the slowdown temperature ends it then.
  const ThermalModel& thermal = preset.thermal;
  const double feedback = std::min(0.9, parts.leakage_per_kelvin * thermal.kelvin_per_watt);
  return parts.at(thermal.ambient_celsius, preset.energy) / (1.0 - feedback);
}

double steady_celsius(const ThermalModel& thermal, double watts) {
  return thermal.ambient_celsius + thermal.kelvin_per_watt * watts;
}

}  // namespace wattune::sim
