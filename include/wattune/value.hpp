// The value of a tunable parameter or of an expression: an integer, a real, a boolean or a text, as in Python.
// Room `expr`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace wattune {

/// A value with Python's meaning: `1 == 1.0 == True`, text never equals a number.
class Value {
 public:
  using Storage = std::variant<std::int64_t, double, bool, std::string>;

  Value() = default;                                        ///< integer 0
  Value(std::int64_t value) : storage_(value) {}            // NOLINT(google-explicit-constructor): a literal is a value
  Value(int value) : storage_(std::int64_t{value}) {}       // NOLINT(google-explicit-constructor)
  Value(double value) : storage_(value) {}                  // NOLINT(google-explicit-constructor)
  Value(bool value) : storage_(value) {}                    // NOLINT(google-explicit-constructor)
  Value(std::string value) : storage_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Value(const char* value) : storage_(std::string(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(storage_); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(storage_); }
  [[nodiscard]] bool is_boolean() const { return std::holds_alternative<bool>(storage_); }
  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(storage_); }
  [[nodiscard]] bool is_number() const { return !is_text(); }  ///< booleans are numbers, as in Python

  /// The number; True is 1, False is 0. Throws Error(bad_input) for text.
  [[nodiscard]] double as_number() const;
  /// The integer; a real without fraction is accepted. Throws Error(bad_input) otherwise.
  [[nodiscard]] std::int64_t as_integer() const;
  /// Python's truthiness.
  [[nodiscard]] bool truthy() const;
  /// The text; throws Error(bad_input) for numbers.
  [[nodiscard]] const std::string& as_text() const;

  [[nodiscard]] const Storage& storage() const { return storage_; }

  /// Python's `==`.
  friend bool operator==(const Value& a, const Value& b);

 private:
  Storage storage_ = std::int64_t{0};
};

/// Python's `str(value)`: "32", "2.45", "True", "text" without quotes; the shortest digits that read back the same
/// real.
std::string to_string(const Value& value);
/// What a C, OpenCL or CUDA source needs as a macro body: "32", "2.45", "1" for True, text as it is.
std::string to_definition(const Value& value);

}  // namespace wattune
