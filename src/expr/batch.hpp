// Truth of an expression for many rows at once, in columns of doubles: what enumeration of large spaces needs.
// Applies to numeric expressions whose results are exact in doubles; everything else is left to the scalar path.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/syntax.hpp"
#include "wattune/expression.hpp"

namespace wattune::expr {

/// One column operation: dest = op(left, right). Registers 0..variables-1 are the inputs.
struct ColumnOp {
  enum class Kind : std::uint8_t {
    constant,
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    remainder,
    square,
    negate,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_not,
    select,
    minimum,
    maximum,
    absolute,
  };
  Kind kind = Kind::constant;
  std::uint16_t dest = 0, left = 0, right = 0, third = 0;
  double value = 0.0;
};

/// A column program; `truth` is the register that holds 0/1 (or any number, whose truthiness counts).
struct ColumnProgram {
  std::vector<ColumnOp> ops;
  std::uint16_t registers = 0;
  std::uint16_t truth = 0;

  /// False when some value is not exact in doubles (magnitude of 2^53 or more, a fraction with // or %) or a division
  /// by zero occurs: the caller evaluates these rows one by one, which decides what they mean.
  bool run(std::span<const Expression::Column> columns, std::size_t count, std::uint8_t* truth_out) const;
};

/// Nothing when the tree has parts that only the scalar path knows (text, calls other than min, max, abs; `in` over
/// names). `slots[i]` = input register of variable slot i, for the slots in `variables`.
std::optional<ColumnProgram> generate_columns(const Node& root, std::span<const std::string> names,
                                              std::span<const std::uint32_t> variables);

}  // namespace wattune::expr
