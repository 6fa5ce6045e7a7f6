// What receives the combinations that a search finds: a bitmap, a list, or a mere "there is one".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/bitmap.hpp"

namespace wattune::space {

/// Calls visit(entry) for every set bit; visit returns false to stop.
template <class Visit>
bool for_each_bit(const std::uint64_t* mask, std::size_t words, Visit visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t word = mask[w]; word != 0; word &= word - 1) {
      if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)))) return false;
    }
  }
  return true;
}

struct BitmapSink {
  Bitmap& bitmap;

  bool row(std::uint64_t sum, const std::uint64_t* mask, std::size_t words, const std::uint64_t* weights) {
    return for_each_bit(mask, words, [&](std::size_t entry) {
      bitmap.set(sum + weights[entry]);
      return true;
    });
  }
};

/// Stops once there are more than `limit`.
template <class Key>
struct ListSink {
  std::vector<Key> keys;
  std::uint64_t limit;

  bool row(Key sum, const std::uint64_t* mask, std::size_t words, const Key* weights) {
    for_each_bit(mask, words, [&](std::size_t entry) {
      keys.push_back(static_cast<Key>(sum + weights[entry]));
      return true;
    });
    return keys.size() <= limit;
  }
};

struct ExistenceSink {
  bool found = false;

  bool row(std::uint64_t, const std::uint64_t*, std::size_t, const std::uint64_t*) {
    found = true;
    return false;
  }
};

}  // namespace wattune::space
