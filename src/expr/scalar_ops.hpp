// Python's operators on single values: exact comparison of integers with reals, floor division, signs of remainders.
// Integers are 64-bit: a result beyond that is an error, never a silent wrap.
#pragma once

#include <cstdint>
#include <span>

#include "wattune/expression.hpp"

namespace wattune::expr {

enum class Binary : std::uint8_t { add, subtract, multiply, divide, floor_divide, remainder, power };
enum class Compare : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal };
enum class Function : std::uint8_t {
  minimum,
  maximum,
  absolute,
  integer,
  real,
  boolean,
  length,
  sum,
  round,
  ceil,
  floor,
  sqrt,
  log,
  log2,
  exp
};

bool equal(const Scalar& a, const Scalar& b);
Evaluation compare(Compare op, const Scalar& a, const Scalar& b);
Evaluation binary(Binary op, const Scalar& a, const Scalar& b);
Evaluation negate(const Scalar& a);
Evaluation call(Function function, std::span<const Scalar> arguments);

inline Evaluation failed(EvaluationError error) {
  return {Scalar{}, error};
}

}  // namespace wattune::expr
