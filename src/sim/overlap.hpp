// How long parts take that work side by side.
#pragma once

#include <cmath>

namespace wattune::sim {

/// The longest part, and some more where others come close, for nothing overlaps quite: the fourth-power mean. Two
/// equal parts cost 19 % more than one of them, a part half as long as the other 1.5 %.
inline double overlap(double a, double b, double c = 0.0, double d = 0.0) {
  const auto fourth = [](double x) { return (x * x) * (x * x); };
  return std::sqrt(std::sqrt(fourth(a) + fourth(b) + fourth(c) + fourth(d)));
}

/// The slower of two stages that hand data on: the eighth-power mean. Two equal stages cost 9 %.
inline double slower(double a, double b) {
  const auto eighth = [](double x) { return ((x * x) * (x * x)) * ((x * x) * (x * x)); };
  return std::sqrt(std::sqrt(std::sqrt(eighth(a) + eighth(b))));
}

/// Work that needs `busy` and, on the way of each of its pieces, waits that add up to `chain`, hidden by other pieces:
/// softer than overlap(), since pieces do not wait in turn. Half as much chain as work costs 12 %.
inline double hide(double busy, double chain) {
  return std::sqrt(busy * busy + chain * chain);
}

}  // namespace wattune::sim
