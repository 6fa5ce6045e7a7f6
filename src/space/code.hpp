// How a configuration is packed into one integer: each parameter's value position takes its own bits, the first
// parameter the highest, so that numeric order of codes is lexicographic order of value positions and one position is
// read by a shift and a mask. Refuses nothing; whoever packs makes sure that 128 bits suffice.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wattune::space {

/// The widest code; a space needs more than 64 bits only with dozens of parameters.
__extension__ using Wide = unsigned __int128;

constexpr unsigned widest_code_bits = 128;

/// Where one parameter's position lies in a code.
struct Field {
  std::uint32_t length = 1;  ///< number of values of the parameter
  std::uint32_t mask = 0;    ///< 0 for a parameter with one value: it takes no bits
  std::uint8_t shift = 0;
};

/// Fields of consecutive parameters.
class Layout {
 public:
  Layout() = default;
  explicit Layout(std::span<const std::uint32_t> lengths) : fields_(lengths.size()) {
    for (std::size_t p = lengths.size(); p-- > 0;) {
      const auto width = static_cast<unsigned>(std::bit_width(lengths[p] - 1));
      fields_[p] = {lengths[p], lengths[p] - 1 == 0 ? 0U : static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1),
                    // No bits, no shift: shifting a code by its whole width is undefined.
                    static_cast<std::uint8_t>(width == 0 || bits_ >= widest_code_bits ? 0 : bits_)};
      bits_ += width;
    }
  }

  /// Total width; codes exist only if this is at most widest_code_bits.
  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] std::span<const Field> fields() const { return fields_; }
  [[nodiscard]] std::size_t size() const { return fields_.size(); }

 private:
  std::vector<Field> fields_;
  unsigned bits_ = 0;
};

template <class Code>
std::uint32_t unpack(Code code, const Field& field) {
  return static_cast<std::uint32_t>(code >> field.shift) & field.mask;
}

template <class Code>
Code pack(std::uint32_t position, const Field& field) {
  return static_cast<Code>(static_cast<Code>(position) << field.shift);
}

}  // namespace wattune::space
