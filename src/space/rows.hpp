// Evaluates one rule for many combinations at once: outer parameters fixed, inner parameters running over the product
// of their domains, the last one fastest. Uses the batch path of Expression where it applies, else goes row by row. A
// combination that cannot be evaluated counts as true: whether that is an error depends on all other constraints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/model.hpp"

namespace wattune::space {

class Rows {
 public:
  /// All three must outlive this object.
  Rows(const Model& model, const Rule& rule, const std::vector<Domain>& domains);
  Rows(Rows&&) = default;  ///< not copied: columns point into the buffers

  /// The parameters that run, slowest first; all others stay where fix() puts them (initially the first value left).
  void set_inner(std::span<const std::uint32_t> inner);
  /// Fixes parameter `p` at entry `index` of its domain.
  void fix(std::uint32_t p, std::uint32_t index);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// truth[row] = 0 or 1. Returns whether some row could not be evaluated.
  bool evaluate(std::span<std::uint8_t> truth);

 private:
  void evaluate_each(std::span<std::uint8_t> truth);

  const Model& model_;
  const Rule& rule_;
  const std::vector<Domain>& domains_;
  std::vector<std::uint32_t> inner_;
  std::size_t count_ = 1;
  bool batch_ = true;  ///< the batch path applies
  int declined_ = 0;   ///< times in a row that it did not
  std::vector<Scalar> slots_;
  std::vector<double> single_;                 ///< one value per variable of the expression
  std::vector<std::vector<double>> patterns_;  ///< inner variables: their value in each row
  std::vector<Expression::Column> columns_;
  std::vector<std::uint8_t> errors_;
};

}  // namespace wattune::space
