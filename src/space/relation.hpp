// One rule over two or more parameters as bit masks for the search: given the parameters already chosen, which values
// of the next one can still satisfy the rule. Evaluated lazily in blocks: the first (outer) parameters of the rule are
// fixed, and the rule is computed for all combinations of the rest (inner) at once; blocks are kept while memory
// allows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/model.hpp"
#include "space/rows.hpp"

namespace wattune::space {

class Relation {
 public:
  /// `order[d]` = parameter chosen at depth d; `depth_of[p]` its inverse. The rule's parameters are all in `order`.
  Relation(const Model& model, std::size_t rule, const std::vector<Domain>& domains,
           std::span<const std::uint32_t> order, std::span<const std::uint32_t> depth_of);

  /// Depths at which mask() may be asked, ascending; entry i is its level i.
  [[nodiscard]] std::span<const std::uint32_t> mask_depths() const { return std::span(depths_).subspan(inner_start_); }
  /// Bit b: entry b of the domain chosen at mask_depths()[level] may go on. `chosen[d]` = domain entry at depth d. Ask
  /// level 0 first; deeper levels belong to the choices of that call.
  const std::uint64_t* mask(std::size_t level, const std::uint32_t* chosen) {
    if (level == 0) current_ = block(chosen);
    std::size_t row = 0;
    for (std::size_t i = inner_start_; i < inner_start_ + level; ++i) row = row * sizes_[i] + chosen[depths_[i]];
    return current_ + levels_[level].offset + row * levels_[level].words;
  }

  /// Depths before mask_depths(): no mask prunes there.
  [[nodiscard]] std::span<const std::uint32_t> outer_depths() const { return std::span(depths_).first(inner_start_); }

  [[nodiscard]] std::size_t rule() const { return rule_; }
  /// True once some combination could not be evaluated.
  [[nodiscard]] bool faulty() const { return faulty_; }

 private:
  struct Level {
    std::size_t rows = 1;
    std::size_t words = 1;
    std::size_t offset = 0;  ///< in a block, words
  };
  const std::uint64_t* block(const std::uint32_t* chosen);
  void fill(std::uint64_t* block);

  std::size_t rule_;
  std::vector<std::uint32_t> order_;  ///< parameter of each of depths_
  std::vector<std::uint32_t> depths_;
  std::vector<std::size_t> sizes_;
  std::size_t inner_start_ = 0;
  std::vector<Level> levels_;
  std::size_t block_words_ = 0;
  Rows rows_;
  std::vector<std::uint8_t> truth_;
  bool faulty_ = false;

  bool keep_all_ = false;                ///< every outer combination has its own block
  std::vector<std::uint32_t> block_at_;  ///< keep_all_: outer combination -> 1 + number of its block, 0 = not yet
  std::vector<std::uint64_t> storage_;   ///< keep_all_: all blocks; otherwise the last one
  std::uint32_t block_count_ = 0;
  bool filled_ = false;
  std::vector<std::uint32_t> last_outer_;  ///< otherwise: the outer combination of the block in storage_
  const std::uint64_t* current_ = nullptr;
};

}  // namespace wattune::space
