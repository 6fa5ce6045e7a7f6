// The valid combinations of some consecutive parameters that no rule ties to any other: sorted packed codes and a
// lookup from positions to rank. A Space is a product of blocks, so that it never stores what is independent. The
// lookup is a bitmap where that is small, else a hash table; a lone parameter with all its values needs neither.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "space/bitmap.hpp"
#include "space/code.hpp"
#include "space/hash_index.hpp"
#include "space/radix.hpp"

namespace wattune::space {

template <class Code>
struct PackedCodes {
  std::vector<Code> codes;  ///< ascending
  HashIndex<Code> hash;     ///< empty where a bitmap serves
};

class Block {
 public:
  static constexpr std::uint64_t absent = Bitmap::absent;

  /// From what is left of the value lists and the set of valid radix keys.
  Block(std::span<const std::uint32_t> lengths, std::span<const Domain> domains, Radix radix, Bitmap bitmap);
  /// From ascending codes in Layout(lengths). Code is uint64_t or Wide.
  template <class Code>
  Block(std::span<const std::uint32_t> lengths, std::span<const Domain> domains, const std::vector<Code>& codes);
  /// One parameter with all of its values.
  explicit Block(std::uint32_t length);

  /// Number of parameters.
  [[nodiscard]] std::size_t parameters() const { return layout_.size(); }
  /// Number of valid combinations.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::span<const Field> fields() const { return layout_.fields(); }
  [[nodiscard]] unsigned code_bits() const { return layout_.bits(); }
  [[nodiscard]] std::size_t bytes() const;

  /// Positions of combination `rank`, one per parameter of the block.
  void digits(std::uint64_t rank, std::uint32_t* positions) const {
    if (identity_) {
      positions[0] = static_cast<std::uint32_t>(rank);
      return;
    }
    std::visit(
        [&](const auto& packed) {
          const auto code = packed.codes[rank];
          for (const Field& field : layout_.fields()) *positions++ = unpack(code, field);
        },
        packed_);
  }
  [[nodiscard]] std::uint32_t digit(std::uint64_t rank, std::size_t parameter) const {
    if (identity_) return static_cast<std::uint32_t>(rank);
    return std::visit([&](const auto& packed) { return unpack(packed.codes[rank], layout_.fields()[parameter]); },
                      packed_);
  }
  /// The packed positions of combination `rank`.
  [[nodiscard]] Wide code(std::uint64_t rank) const {
    if (identity_) return rank;
    return std::visit([&](const auto& packed) { return static_cast<Wide>(packed.codes[rank]); }, packed_);
  }

  /// Rank of a combination, or `absent`.
  [[nodiscard]] std::uint64_t find(const std::uint32_t* positions) const {
    if (identity_) return positions[0] < size_ ? positions[0] : absent;
    if (!hashed_) return bitmap_.rank(radix_.key(positions));
    return std::visit([&](const auto& packed) { return find_hashed(packed, positions); }, packed_);
  }

 private:
  template <class Code>
  std::uint64_t find_hashed(const PackedCodes<Code>& packed, const std::uint32_t* positions) const {
    Code code{0};
    for (const Field& field : layout_.fields()) {
      if (*positions >= field.length) return absent;
      code |= pack<Code>(*positions++, field);
    }
    return packed.hash.find(code, packed.codes);
  }
  template <class Code>
  void decode(std::span<const std::uint32_t> lengths, std::span<const Domain> domains);
  void build_hash();

  Layout layout_;
  std::uint64_t size_ = 0;
  bool identity_ = false;
  bool hashed_ = false;
  Radix radix_;
  Bitmap bitmap_;
  std::variant<PackedCodes<std::uint32_t>, PackedCodes<std::uint64_t>, PackedCodes<Wide>> packed_;
};

/// The product of two neighbouring blocks as one. `lengths` and `domains` cover the parameters of both.
Block merge(const Block& first, const Block& second, std::span<const std::uint32_t> lengths,
            std::span<const Domain> domains);

}  // namespace wattune::space
