// The width of an interval, as it is printed: "+-0.6 %".
#include "wattune/outcome.hpp"

#include <algorithm>
#include <cmath>

namespace wattune {

double Interval::percent() const {
  if (value == 0.0) return 0.0;
  // The wider side counts: order-statistic intervals are seldom symmetric, and "+-" must not promise more than is
  // known.
  const double half_width = std::max(high - value, value - low);
  return 100.0 * half_width / std::abs(value);
}

}  // namespace wattune
