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
  in,               ///< b elements on the stack above the value; a = 1 for "not in"
  in_text,          ///< text in text; a = 1 for "not in"
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
  std::uint8_t b = 0;
  std::uint32_t a = 0;
};

constexpr std::size_t stack_limit = 256;

/// Compiles a tree. Throws Error(bad_input) with a caret: unknown name, unknown function, lists where a number is
/// wanted.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<Scalar> constants;
  std::deque<std::string> texts;  ///< storage that text constants refer to; addresses are stable
  std::vector<std::uint32_t> variables;

  [[nodiscard]] Evaluation evaluate(std::span<const Scalar> slots) const;
};
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
/// For messages: all function names.
std::vector<std::string> function_names();

}  // namespace wattune::expr
