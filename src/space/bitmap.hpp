// A set of integers below a bound with rank: is `key` in it, and how many smaller ones are. One bit a key and four
// bytes a word for the rank, so that a lookup is two loads and one count of bits. Refuses nothing; keys are below the
// bound.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wattune::space {

class Bitmap {
 public:
  static constexpr std::uint64_t absent = ~std::uint64_t{0};

  Bitmap() = default;
  explicit Bitmap(std::uint64_t bound) : bound_(bound), words_((bound + 63) / 64) {}

  void set(std::uint64_t key) { words_[key >> 6U] |= std::uint64_t{1} << (key & 63U); }

  /// To be called once, after the last set(). Returns the number of keys.
  std::uint64_t build_ranks() {
    ranks_.resize(words_.size());
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      ranks_[w] = static_cast<std::uint32_t>(sum);
      sum += static_cast<std::uint64_t>(std::popcount(words_[w]));
    }
    return sum;
  }

  /// Number of smaller keys, or `absent` when `key` is not in the set (or not below the bound).
  [[nodiscard]] std::uint64_t rank(std::uint64_t key) const {
    if (key >= bound_) return absent;
    const std::uint64_t word = words_[key >> 6U];
    const std::uint64_t bit = std::uint64_t{1} << (key & 63U);
    if ((word & bit) == 0) return absent;
    return ranks_[key >> 6U] + static_cast<std::uint64_t>(std::popcount(word & (bit - 1)));
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(std::uint64_t{w} * 64 + static_cast<std::uint64_t>(std::countr_zero(word)));
      }
    }
  }

  [[nodiscard]] std::size_t bytes() const { return words_.capacity() * 8 + ranks_.capacity() * 4; }
  /// What a bitmap of this bound takes, bytes.
  static double bytes_for(double bound) { return bound / 64.0 * 12.0; }

 private:
  std::uint64_t bound_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> ranks_;
};

}  // namespace wattune::space
