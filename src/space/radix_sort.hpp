// Sorts packed codes: least-significant-digit radix sort, a byte a pass, skipping bytes that all codes share. Linear in
// the number of codes, which std::sort is not; small inputs go to std::sort.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wattune::space {

/// Sorts `codes` ascending; only the lowest `bits` bits may differ between codes.
template <class Code>
void radix_sort(std::vector<Code>& codes, unsigned bits) {
  if (codes.size() < 256) {
    std::sort(codes.begin(), codes.end());
    return;
  }
  std::vector<Code> other(codes.size());
  for (unsigned shift = 0; shift < bits; shift += 8) {
    std::array<std::size_t, 256> start{};
    for (const Code code : codes) ++start[static_cast<std::uint8_t>(code >> shift)];
    if (std::find(start.begin(), start.end(), codes.size()) != start.end()) continue;
    std::size_t sum = 0;
    for (std::size_t& entry : start) {
      const std::size_t count = entry;
      entry = sum;
      sum += count;
    }
    for (const Code code : codes) other[start[static_cast<std::uint8_t>(code >> shift)]++] = code;
    codes.swap(other);
  }
}

}  // namespace wattune::space
