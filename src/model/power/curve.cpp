// The power curve itself: voltage, power, and the clocks that follow from them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "wattune/power_model.hpp"

namespace wattune {
namespace {

constexpr double hertz_per_ghz = 1e9;

double ghz(Hertz clock) {
  return clock.value() / hertz_per_ghz;
}

}  // namespace

std::string_view to_string(VoltageRise rise) {
  switch (rise) {
    case VoltageRise::none:
      break;
    case VoltageRise::linear:
      return "linear";
    case VoltageRise::quadratic:
      return "quadratic";
    case VoltageRise::mixed:
      return "mixed";
  }
  return "none";
}

std::optional<VoltageRise> voltage_rise_from(std::string_view name) {
  for (const VoltageRise rise : {VoltageRise::none, VoltageRise::linear, VoltageRise::quadratic, VoltageRise::mixed}) {
    if (to_string(rise) == name) return rise;
  }
  return std::nullopt;
}

double PowerCurve::voltage(Hertz clock) const {
  const double x = ghz(clock) - ridge;
  if (x <= 0.0) return 1.0;
  switch (rise) {
    case VoltageRise::none:
      break;
    case VoltageRise::linear:
      return 1.0 + b * x;
    case VoltageRise::quadratic:
      return 1.0 + b * x * x;
    case VoltageRise::mixed:
      return 1.0 + (b + c * x) * x;
  }
  return 1.0;
}

Watts PowerCurve::unlimited(Hertz clock) const {
  const double v = voltage(clock);
  return Watts(base + dynamic * ghz(clock) * v * v);
}

Watts PowerCurve::power(Hertz clock) const {
  const Watts free = unlimited(clock);
  return limit ? std::min(free, Watts(*limit)) : free;
}

Watts PowerCurve::power(const PowerSample& sample) const {
  Watts free = unlimited(sample.clock);
  if (sample.memory_clock) free += Watts(memory * (ghz(*sample.memory_clock) - reference_memory));
  if (sample.temperature) free += Watts(base * leakage * (*sample.temperature - reference_temperature));
  return limit ? std::min(free, Watts(*limit)) : free;
}

Hertz PowerCurve::reachable(Hertz low, Hertz high) const {
  if (!limit || unlimited(high) <= Watts(*limit)) return high;
  double inside = low.value();
  double outside = high.value();
  if (unlimited(low) > Watts(*limit)) return low;
  while (outside - inside > 1.0) {
    const double middle = 0.5 * (inside + outside);
    (unlimited(Hertz(middle)) <= Watts(*limit) ? inside : outside) = middle;
  }
  return Hertz(inside);
}

// P/f = P_0/f + a V^2 is convex: a falling and a rising part, so that halving the range finds the minimum.
Hertz PowerCurve::energy_optimal(Hertz low, Hertz high) const {
  double left = low.value();
  double right = reachable(low, high).value();
  const auto cost = [this](double clock) { return unlimited(Hertz(clock)).value() / clock; };
  while (right - left > 10.0) {
    const double third = (right - left) / 3.0;
    if (cost(left + third) <= cost(right - third)) {
      right -= third;
    } else {
      left += third;
    }
  }
  return Hertz(0.5 * (left + right));
}

}  // namespace wattune
