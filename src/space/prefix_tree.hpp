// The combinations of a block as a tree: one level a parameter that varies, children in ascending order of position,
// the leaf's number is the combination's rank. Answers "all combinations within this set of positions a parameter" and
// "the nearest ones" by visiting only what can match.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "space/block.hpp"

namespace wattune::space {

/// Up to three positions that a parameter may take, ascending.
struct Choice {
  std::uint32_t count = 0;
  std::uint32_t position[3] = {0, 0, 0};
};

class PrefixTree {
 public:
  explicit PrefixTree(const Block& block);

  /// Appends the ranks of all combinations with parameter p at one of choices[p], ascending.
  void within(std::span<const Choice> choices, std::vector<std::uint64_t>& ranks) const;

  /// Appends the ranks of the combinations nearest to `positions`, ascending, and returns the squared distance; a
  /// step of parameter p counts scales[p]. Combinations at distance 0 are left out if `exclude_same`. Returns infinity
  /// and appends nothing when there is no other combination.
  double nearest(std::span<const std::uint32_t> positions, std::span<const double> scales, bool exclude_same,
                 std::vector<std::uint64_t>& ranks) const;

  /// Whether some valid combination has parameter p at this position.
  [[nodiscard]] bool occurs(std::size_t parameter, std::uint32_t position) const {
    return occurs_[parameter][position] != 0;
  }
  /// Number of values of a parameter, valid or not.
  [[nodiscard]] std::uint32_t length(std::size_t parameter) const {
    return static_cast<std::uint32_t>(occurs_[parameter].size());
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Level {
    std::size_t parameter = 0;
    std::vector<std::uint32_t> position;  ///< per node
    std::vector<std::uint32_t> child;  ///< per node and one more: its first node on the next level; empty on the last
  };
  struct Nearest;
  void walk(std::span<const Choice> choices, std::size_t level, std::uint64_t begin, std::uint64_t end,
            std::vector<std::uint64_t>& ranks) const;
  void approach(Nearest& search, std::size_t level, std::uint64_t begin, std::uint64_t end, double distance) const;
  void step(Nearest& search, std::size_t level, std::uint64_t node, double distance) const;

  std::vector<std::vector<std::uint8_t>> occurs_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> constant_;  ///< per parameter: its position where it does not vary
};

}  // namespace wattune::space
