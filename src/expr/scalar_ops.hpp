// Python's operators and functions on single values: exact comparison of integers with reals, floor division, signs of
// remainders, rounding half to even. Integers are 64-bit: a result beyond that is an error, never a silent wrap.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>

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
  text,  ///< str(); see text_of()
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

/// Owns the texts that an evaluation makes; together at most 1 MiB.
class TextStore {
 public:
  /// Fails with `overflow` when the texts grow too large.
  Evaluation keep(std::string text);
  void clear();

 private:
  std::deque<std::string> texts_;  ///< a deque: scalars point at its elements
  std::size_t bytes_ = 0;
};

bool equal(const Scalar& a, const Scalar& b);
Evaluation compare(Compare op, const Scalar& a, const Scalar& b);
/// Numbers only; `type` for texts, which text_binary() knows.
Evaluation binary(Binary op, const Scalar& a, const Scalar& b);
/// text + text, text * integer, integer * text; `type` for everything else.
Evaluation text_binary(Binary op, const Scalar& a, const Scalar& b, TextStore& store);
Evaluation negate(const Scalar& a);
/// Unary plus: a boolean becomes an integer.
Evaluation positive(const Scalar& a);
/// Every function but text; the number of arguments has been checked.
Evaluation call(Function function, std::span<const Scalar> arguments);
/// str(value)
Evaluation text_of(const Scalar& value, TextStore& store);
/// int("12") and float("1e3"): `domain` when the text is no such number.
Evaluation integer_from(const std::string& text);
Evaluation real_from(const std::string& text);
/// len(text): characters, not bytes.
std::int64_t characters(const std::string& text);

inline Evaluation failed(EvaluationError error) {
  return {Scalar{}, error};
}
inline Evaluation ok(std::int64_t value) {
  return {Scalar::of(value), EvaluationError::none};
}
inline Evaluation ok(double value) {
  return {Scalar::of(value), EvaluationError::none};
}
inline Evaluation ok(bool value) {
  return {Scalar::of(value), EvaluationError::none};
}
inline bool is_text(const Scalar& s) {
  return s.kind == Scalar::Kind::text;
}
inline bool is_real(const Scalar& s) {
  return s.kind == Scalar::Kind::real;
}
/// The integer that an integer or a boolean is.
inline std::int64_t integer_of(const Scalar& s) {
  return s.kind == Scalar::Kind::boolean ? static_cast<std::int64_t>(s.boolean) : s.integer;
}

}  // namespace wattune::expr
