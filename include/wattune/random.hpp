// Seeded random numbers that are the same on every machine and with every standard library.
// Room `base`. PCG32 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
// Random Number Generation"); std:: distributions are not used because their output differs between libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace wattune {

/// PCG-XSH-RR 64/32. Same seed and stream, same sequence, on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  /// Uniform over all 32-bit values.
  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    const auto rotation = static_cast<std::uint32_t>(old >> 59U);
    return (shifted >> rotation) | (shifted << ((32U - rotation) & 31U));
  }
  /// Uniform in [0, bound), without modulo bias (Lemire 2019). `bound` > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1) with 53 bits.
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Marsaglia's polar method).
  double normal();

  /// Fisher-Yates.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::uint64_t state_;
  std::uint64_t increment_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace wattune
