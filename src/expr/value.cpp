#include "wattune/value.hpp"

#include <charconv>
#include <cmath>

#include "expr/scalar_ops.hpp"
#include "wattune/error.hpp"
#include "wattune/expression.hpp"

namespace wattune {
namespace {

/// Python's repr of a float: shortest digits that read back the same, exponent form below 1e-4 and from 1e16 on.
std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double magnitude = std::abs(value);
  const bool exponent = magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e16);
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 exponent ? std::chars_format::scientific : std::chars_format::fixed)
                       .ptr;
  std::string result(text, end);
  if (!exponent && result.find('.') == std::string::npos) result += ".0";
  return result;
}

}  // namespace

double Value::as_number() const {
  if (is_text()) throw Error(ExitCode::bad_input, "'" + as_text() + "' is a text where a number is wanted");
  return Scalar::of(*this).as_number();
}

std::int64_t Value::as_integer() const {
  if (const auto* integer = std::get_if<std::int64_t>(&storage_)) return *integer;
  const double number = as_number();
  if (std::trunc(number) != number || std::abs(number) >= 0x1.0p63) {
    throw Error(ExitCode::bad_input, to_string(*this) + " is not a whole number");
  }
  return static_cast<std::int64_t>(number);
}

bool Value::truthy() const {
  return Scalar::of(*this).truthy();
}

const std::string& Value::as_text() const {
  if (const auto* text = std::get_if<std::string>(&storage_)) return *text;
  throw Error(ExitCode::bad_input, to_string(*this) + " is a number where a text is wanted");
}

bool operator==(const Value& a, const Value& b) {
  return expr::equal(Scalar::of(a), Scalar::of(b));
}

std::string to_string(const Value& value) {
  if (value.is_text()) return value.as_text();
  if (value.is_boolean()) return value.truthy() ? "True" : "False";
  if (value.is_integer()) return std::to_string(value.as_integer());
  return real_text(value.as_number());
}

std::string to_definition(const Value& value) {
  if (value.is_boolean()) return value.truthy() ? "1" : "0";
  return to_string(value);
}

}  // namespace wattune
