// Mixed-radix numbering of the product of consecutive domains, first parameter slowest: the key of a bitmap.
// Positions that no domain holds give no key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/bitmap.hpp"
#include "space/model.hpp"

namespace wattune::space {

class Radix {
 public:
  /// Larger products are not numbered; bound() still tells their size.
  static constexpr double largest_bound = 1099511627776.0;  // 2^40

  Radix() = default;
  /// `lengths[i]` = length of the whole value list of which `domains[i]` is what is left.
  Radix(std::span<const std::uint32_t> lengths, std::span<const Domain> domains) {
    for (const Domain& domain : domains) bound_ *= static_cast<double>(domain.size());
    if (bound_ > largest_bound) return;
    offsets_.resize(lengths.size() + 1, 0);
    for (std::size_t i = 0; i < lengths.size(); ++i) offsets_[i + 1] = offsets_[i] + lengths[i];
    weights_.assign(offsets_.back(), outside);
    std::uint64_t stride = 1;
    for (std::size_t i = lengths.size(); i-- > 0;) {
      for (std::size_t entry = 0; entry < domains[i].size(); ++entry) {
        weights_[offsets_[i] + domains[i].positions[entry]] = stride * entry;
      }
      stride *= domains[i].size();
    }
  }

  [[nodiscard]] double bound() const { return bound_; }

  /// Key of a combination of positions in the value lists, or Bitmap::absent.
  [[nodiscard]] std::uint64_t key(const std::uint32_t* positions) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
      const std::uint32_t at = offsets_[i] + positions[i];
      if (positions[i] >= offsets_[i + 1] - offsets_[i]) return Bitmap::absent;
      sum += weights_[at];
    }
    return sum >= outside ? Bitmap::absent : sum;
  }

  [[nodiscard]] std::size_t bytes() const { return weights_.capacity() * 8 + offsets_.capacity() * 4; }

 private:
  /// Above every key, and a sum of 128 of them still fits.
  static constexpr std::uint64_t outside = std::uint64_t{1} << 56U;

  double bound_ = 1.0;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace wattune::space
