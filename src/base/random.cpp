#include "wattune/random.hpp"

#include <cmath>

namespace wattune {

Random::Random(std::uint64_t seed, std::uint64_t stream) : state_(0), increment_((stream << 1U) | 1U) {
  next();
  state_ += seed;
  next();
}

std::uint64_t Random::below(std::uint64_t bound) {
  if (bound <= 0xffffffffULL) {
    // Lemire 2019, "Fast Random Integer Generation in an Interval": multiply, reject the short remainder.
    const auto small = static_cast<std::uint32_t>(bound);
    std::uint64_t product = std::uint64_t{next()} * small;
    auto low = static_cast<std::uint32_t>(product);
    if (low < small) {
      const std::uint32_t threshold = (0U - small) % small;
      while (low < threshold) {
        product = std::uint64_t{next()} * small;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return product >> 32U;
  }
  const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;
  while (true) {
    const std::uint64_t value = (std::uint64_t{next()} << 32U) | next();
    if (value < limit) return value % bound;
  }
}

double Random::uniform() {
  const std::uint64_t bits = ((std::uint64_t{next()} << 32U) | next()) >> 11U;
  return static_cast<double>(bits) * 0x1.0p-53;
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double u = 0.0;
  double v = 0.0;
  double s = 0.0;
  do {
    u = uniform(-1.0, 1.0);
    v = uniform(-1.0, 1.0);
    s = u * u + v * v;
  } while (s >= 1.0 || s == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(s) / s);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

}  // namespace wattune
