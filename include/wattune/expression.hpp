// The one language for constraints, metrics and sizes: Python's syntax and meaning for a safe subset.
// Room `expr`. Text is compiled once; evaluation allocates nothing and can do nothing but compute. Supported: numbers,
// strings, True/False, names, + - * / // % **, chained comparison, and/or/not (returning operands), in / not in,
// conditional expression, lists and tuples, min max abs int float bool str len sum round ceil floor sqrt log log2 exp
// (the last six also as math.ceil, …), range, list, tuple, sorted, comprehensions. A constraint may use lists where
// they depend on no variable, or written out after `in` and in min, max, sum, len. No attributes, no calls of anything
// else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/value.hpp"

namespace wattune {

/// A value on the evaluator's stack: trivially copyable, text refers to storage owned by someone who lives longer.
struct Scalar {
  enum class Kind : std::uint8_t { integer, real, boolean, text };
  Kind kind = Kind::integer;
  union {
    std::int64_t integer = 0;
    double real;
    bool boolean;
    const std::string* text;
  };

  static Scalar of(std::int64_t value);
  static Scalar of(double value);
  static Scalar of(bool value);
  /// Refers to `value`, which must outlive the scalar.
  static Scalar of(const std::string& value);
  /// Refers to `value` when it is a text, which must outlive the scalar.
  static Scalar of(const Value& value);

  [[nodiscard]] double as_number() const;  ///< NaN for text; callers check `kind` first
  [[nodiscard]] bool truthy() const;
  [[nodiscard]] Value to_value() const;
};

/// Why an evaluation has no result.
enum class EvaluationError : std::uint8_t {
  none,
  division_by_zero,
  type,      ///< e.g. text minus number
  overflow,  ///< integer result outside 64 bits (Python would go on with big integers; we refuse)
  domain,    ///< log2 of a non-positive number, int() of NaN, index out of range
};

/// Meaning in words: "division by zero".
std::string_view to_string(EvaluationError error);

struct Evaluation {
  Scalar value;
  EvaluationError error = EvaluationError::none;
  [[nodiscard]] bool ok() const { return error == EvaluationError::none; }
};

/// Where a compiled expression stands in a user's file, for messages: "gemm.toml:12:3" or "".
using ExpressionOrigin = std::string;

/// A compiled expression over a fixed list of variables (slots). Immutable after compile(); safe to evaluate from
/// several threads.
class Expression {
 public:
  /// Compiles `text` against variables `names` (slot i = names[i]).
  /// Throws Error(bad_input) with a caret line under the offending place: syntax error, unknown name (with the nearest
  /// known one), unknown function, wrong number of arguments.
  static Expression compile(std::string_view text, std::span<const std::string> names,
                            const ExpressionOrigin& origin = {});

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  Expression(const Expression&);
  Expression& operator=(const Expression&);
  ~Expression();

  /// `slots[i]` = value of names[i]; only the slots listed by variables() are read. Allocates nothing unless it makes a
  /// text (str(), + and * of texts). A text in the result belongs to a slot, to this expression, or to the calling
  /// thread until its next evaluation that makes one: copy it with Scalar::to_value().
  [[nodiscard]] Evaluation evaluate(std::span<const Scalar> slots) const;

  /// Truth of the expression for `count` rows at once. Column c of `columns` holds the values of slot variables()[c];
  /// a column with stride 0 is one value for all rows. Returns false when the batch path does not apply (text, mixed
  /// kinds): the caller then evaluates row by row. A row whose evaluation fails gets `error_rows[row] = 1`, truth 0.
  struct Column {
    const double* values = nullptr;
    std::size_t stride = 1;  ///< 0 or 1
    bool integral =
        true;  ///< all values are integers below 2^53 (decides // and % and / results exactly as Python does)
  };
  bool evaluate_truth(std::span<const Column> columns, std::size_t count, std::uint8_t* truth,
                      std::uint8_t* error_rows) const;

  /// Slots that the expression reads, ascending, without repeats.
  [[nodiscard]] std::span<const std::uint32_t> variables() const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const ExpressionOrigin& origin() const;

 private:
  struct Program;
  explicit Expression(std::shared_ptr<const Program> program);
  std::shared_ptr<const Program> program_;
};

/// One name of an environment for evaluate_list(): a scalar is a list of one with `is_list` false.
struct NamedValues {
  std::string name;
  std::vector<Value> values;
  bool is_list = false;
};

/// Evaluates `text` where a list is wanted (parameter values): `[2**i for i in range(6)]`, `range(32, 1025, 32)`,
/// `[1, 2] + list(range(4, 9))`; a scalar result becomes a list of one. Throws Error(bad_input) with a caret;
/// a list longer than `limit` is refused.
std::vector<Value> evaluate_list(std::string_view text, std::span<const NamedValues> environment = {},
                                 const ExpressionOrigin& origin = {}, std::size_t limit = 1U << 20U);

/// Evaluates `text` to one value in an environment that may hold lists (`max(filter_width) * 2`). Throws
/// Error(bad_input).
Value evaluate_value(std::string_view text, std::span<const NamedValues> environment = {},
                     const ExpressionOrigin& origin = {});

/// All names that `text` refers to (variables, not functions), in order of first use; throws Error(bad_input) on a
/// syntax error.
std::vector<std::string> names_in(std::string_view text, const ExpressionOrigin& origin = {});

}  // namespace wattune
