// The value on the evaluator's stack, and the words for why an evaluation has no result.
#include <limits>

#include "wattune/expression.hpp"

namespace wattune {

Scalar Scalar::of(std::int64_t value) {
  Scalar s;
  s.integer = value;
  return s;
}
Scalar Scalar::of(double value) {
  Scalar s;
  s.kind = Kind::real;
  s.real = value;
  return s;
}
Scalar Scalar::of(bool value) {
  Scalar s;
  s.kind = Kind::boolean;
  s.boolean = value;
  return s;
}
Scalar Scalar::of(const std::string& value) {
  Scalar s;
  s.kind = Kind::text;
  s.text = &value;
  return s;
}
Scalar Scalar::of(const Value& value) {
  return std::visit([](const auto& item) { return Scalar::of(item); }, value.storage());
}

double Scalar::as_number() const {
  switch (kind) {
    case Kind::integer:
      return static_cast<double>(integer);
    case Kind::real:
      return real;
    case Kind::boolean:
      return boolean ? 1.0 : 0.0;
    case Kind::text:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool Scalar::truthy() const {
  switch (kind) {
    case Kind::integer:
      return integer != 0;
    case Kind::real:
      return real != 0.0;
    case Kind::boolean:
      return boolean;
    case Kind::text:
      return !text->empty();
  }
  return false;
}

Value Scalar::to_value() const {
  switch (kind) {
    case Kind::integer:
      return integer;
    case Kind::real:
      return real;
    case Kind::boolean:
      return boolean;
    case Kind::text:
      return *text;
  }
  return {};
}

std::string_view to_string(EvaluationError error) {
  switch (error) {
    case EvaluationError::none:
      return "no error";
    case EvaluationError::division_by_zero:
      return "division by zero";
    case EvaluationError::type:
      return "operands of the wrong type";
    case EvaluationError::overflow:
      return "a result beyond 64-bit integers";
    case EvaluationError::domain:
      return "a value outside the function's domain";
  }
  return "";
}

}  // namespace wattune
