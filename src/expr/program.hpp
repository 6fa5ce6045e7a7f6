// Bytecode of an expression: a stack machine over Scalars, with jumps for short circuit.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "expr/batch.hpp"
#include "expr/syntax.hpp"
#include "wattune/expression.hpp"

namespace wattune::expr {

enum class Op : std::uint8_t {
  constant,  ///< push constants[a]
  load,      ///< push slots[a]
  binary,    ///< a = Binary
  compare,   ///< a = Compare
  negate,
  positive,
  logical_not,
  call,             ///< a = Function, b = number of arguments
  text_of,          ///< str()
  in,               ///< b elements on the stack above the value
  in_constants,     ///< constants[a], …, constants[a + b - 1]
  in_text,          ///< text in text
  duplicate_under,  ///< x y -> y x y (for chained comparison)
  drop_under,       ///< x y -> y
  pop,
  jump,           ///< to a
  jump_if_false,  ///< pops; to a
  jump_if_false_or_pop,
  jump_if_true_or_pop,
};

struct Instruction {
  Op op;
  std::uint16_t b = 0;
  std::uint32_t a = 0;
};

constexpr std::size_t stack_limit = 256;

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Scalar> constants;
  std::deque<std::string> texts;  ///< storage that text constants refer to; addresses are stable
  std::vector<std::uint32_t> variables;

  [[nodiscard]] Evaluation evaluate(std::span<const Scalar> slots) const;
};
/// Throws Error(bad_input) with a caret: unknown name, unknown function, a list where a number is wanted.
Code generate(const Node& root, std::string_view text, std::span<const std::string> names, const std::string& origin);

/// Functions by name with their number of arguments; null when there is none of that name.
struct FunctionRow {
  std::string_view name;
  Function function;
  int least;
  int most;
  bool takes_list;  ///< its one list argument is spread: min([a, b]) is min(a, b)
};
const FunctionRow* find_function(std::string_view name);
/// Throws Error(bad_input) with the nearest known function.
[[noreturn]] void unknown_function(const Node& node, std::string_view text, const std::string& origin);
/// Throws Error(bad_input) when a call with `count` arguments is none; `spread`: they are the elements of one list.
void check_arguments(const Node& node, const FunctionRow& row, std::size_t count, bool spread, std::string_view text,
                     const std::string& origin);

}  // namespace wattune::expr
