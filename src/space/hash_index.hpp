// Position of a code in a sorted list of codes, where the codes are too sparse for a bitmap: open addressing over
// 32-bit positions, linear probing, two thirds full (6 bytes a code). Refuses more than 2^32 - 2 codes (the builder
// checks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/code.hpp"

namespace wattune::space {

template <class Code>
class HashIndex {
 public:
  static constexpr std::uint64_t absent = ~std::uint64_t{0};

  HashIndex() = default;
  explicit HashIndex(const std::vector<Code>& codes) : slots_(codes.size() + codes.size() / 2 + 1, 0) {
    for (std::size_t position = 0; position < codes.size(); ++position) {
      std::size_t slot = home(codes[position]);
      while (slots_[slot] != 0) slot = next(slot);
      slots_[slot] = static_cast<std::uint32_t>(position + 1);
    }
  }

  [[nodiscard]] std::uint64_t find(Code code, std::span<const Code> codes) const {
    for (std::size_t slot = home(code); slots_[slot] != 0; slot = next(slot)) {
      const std::uint32_t position = slots_[slot] - 1;
      if (codes[position] == code) return position;
    }
    return absent;
  }

  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

 private:
  [[nodiscard]] std::size_t home(Code code) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(code);
    if constexpr (sizeof(Code) > 8) mixed ^= static_cast<std::uint64_t>(code >> 64U) * 0xff51afd7ed558ccdULL;
    mixed ^= mixed >> 32U;
    mixed *= 0x9e3779b97f4a7c15ULL;  // Fibonacci hashing, Knuth 6.4
    mixed ^= mixed >> 29U;
    mixed *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::size_t>((static_cast<Wide>(mixed) * slots_.size()) >> 64U);
  }
  [[nodiscard]] std::size_t next(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  std::vector<std::uint32_t> slots_;  // position + 1; 0 = free
};

}  // namespace wattune::space
