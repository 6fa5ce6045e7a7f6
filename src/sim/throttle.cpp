#include "sim/throttle.hpp"

#include <cmath>

namespace wattune::sim {
namespace {

Operation at(const VirtualGpuPreset& preset, const Work& work, const Clocks& clocks, const PowerRule& rule) {
  Operation operation;
  operation.clocks = clocks;
  operation.timing = time_of(preset, work, clocks);
  operation.parts = power_of(preset, work, operation.timing, clocks);
  operation.watts =
      rule.celsius ? operation.parts.at(*rule.celsius, preset.energy) : steady_power(preset, operation.parts);
  return operation;
}

constexpr double tolerance = 1e-4;  ///< of the limit
constexpr int most_steps = 40;

}  // namespace

Operation operate(const VirtualGpuPreset& preset, const Work& work, const Clocks& asked, const PowerRule& rule) {
  Operation high = at(preset, work, asked, rule);
  if (high.watts <= rule.limit_watts) return high;
  const double lowest = preset.core_clock.supported.front().value();
  if (asked.core <= lowest) {
    high.throttled = true;
    return high;
  }
  Operation low = at(preset, work, {lowest, asked.memory}, rule);
  if (low.watts > rule.limit_watts) {
    low.throttled = true;
    return low;
  }
  // Secant steps kept inside the bracket (Illinois: the end that stays counts half), since power over clock is smooth.
  double f_low = low.clocks.core, f_high = asked.core;
  double d_low = low.watts - rule.limit_watts, d_high = high.watts - rule.limit_watts;
  int side = 0;
  for (int i = 0; i < most_steps; ++i) {
    const double f = (f_low * d_high - f_high * d_low) / (d_high - d_low);
    Operation mid = at(preset, work, {f, asked.memory}, rule);
    const double d = mid.watts - rule.limit_watts;
    if (std::abs(d) <= tolerance * rule.limit_watts) {
      mid.throttled = true;
      return mid;
    }
    if (d > 0.0) {
      f_high = f, d_high = d;
      if (side == 1) d_low *= 0.5;
      side = 1;
    } else {
      f_low = f, d_low = d;
      if (side == -1) d_high *= 0.5;
      side = -1;
      low = mid;
    }
  }
  low.throttled = true;
  return low;
}

}  // namespace wattune::sim
