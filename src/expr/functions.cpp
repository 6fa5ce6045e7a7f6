// The functions that an expression may call on values, with Python's results and refusals.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "expr/scalar_ops.hpp"

namespace wattune::expr {
namespace {

/// A real without fraction as an integer, as Python's int(), ceil() and floor() give.
Evaluation whole(double value) {
  if (!std::isfinite(value)) return failed(EvaluationError::domain);
  if (!(std::abs(value) < 0x1.0p63)) return failed(EvaluationError::overflow);
  return ok(static_cast<std::int64_t>(value));
}

Evaluation extreme(std::span<const Scalar> arguments, bool smallest) {
  Scalar best = arguments[0];
  for (const Scalar& candidate : arguments.subspan(1)) {
    const Evaluation better = compare(smallest ? Compare::less : Compare::greater, candidate, best);
    if (!better.ok()) return better;
    if (better.value.boolean) best = candidate;
  }
  return {best, EvaluationError::none};
}

/// Rounds to a multiple of 10^digits, half to even; `more`: the exact value is a little farther from zero.
Evaluation round_to_power(std::int64_t value, std::int64_t digits, bool more) {
  if (digits > 18) return ok(std::int64_t{0});
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < digits; ++i) unit *= 10;
  const std::int64_t rest = value % unit;
  const std::int64_t down = value - rest;
  const std::int64_t size = std::abs(rest);
  const bool odd = (down / unit) % 2 != 0;
  const bool away = size > unit - size || (size == unit - size && (more || odd));
  if (!away) return ok(down);
  std::int64_t result = 0;
  if (__builtin_add_overflow(down, value < 0 ? -unit : unit, &result)) return failed(EvaluationError::overflow);
  return ok(result);
}

/// round(real, digits): through the exact decimal expansion, so that round(2.675, 2) is 2.67 as in Python.
Evaluation round_real(double value, std::int64_t digits) {
  if (!std::isfinite(value) || digits > 330) return ok(value);
  if (digits >= 0) {
    std::array<char, 700> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed,
                                       static_cast<int>(digits));
    double result = value;
    std::from_chars(text.data(), written.ptr, result);
    return ok(result);
  }
  if (std::abs(value) < 0x1.0p62) {
    const double trunk = std::trunc(value);
    const Evaluation result = round_to_power(static_cast<std::int64_t>(trunk), -digits, trunk != value);
    return result.ok() ? ok(std::copysign(static_cast<double>(result.value.integer), value)) : result;
  }
  if (digits < -308) return ok(std::copysign(0.0, value));
  const long double unit = std::pow(10.0L, static_cast<long double>(-digits));
  return ok(static_cast<double>(std::nearbyint(static_cast<long double>(value) / unit) * unit));
}

Evaluation rounded(std::span<const Scalar> arguments) {
  const Scalar& a = arguments[0];
  if (arguments.size() == 1) return is_real(a) ? whole(std::nearbyint(a.real)) : ok(integer_of(a));
  if (is_real(arguments[1])) return failed(EvaluationError::type);
  const std::int64_t digits = std::max<std::int64_t>(integer_of(arguments[1]), -400);
  if (is_real(a)) return round_real(a.real, digits);
  return digits >= 0 ? ok(integer_of(a)) : round_to_power(integer_of(a), -digits, false);
}

Evaluation positive_function(double x, bool allow_zero, double (*function)(double)) {
  if (std::isnan(x) || x < 0.0 || (x == 0.0 && !allow_zero)) return failed(EvaluationError::domain);
  return ok(function(x));
}

Evaluation logarithm(std::span<const Scalar> arguments) {
  const Evaluation value = positive_function(arguments[0].as_number(), false, std::log);
  if (!value.ok() || arguments.size() == 1) return value;
  const Evaluation base = positive_function(arguments[1].as_number(), false, std::log);
  return base.ok() ? binary(Binary::divide, value.value, base.value) : base;
}

Evaluation exponential(double x) {
  const double result = std::exp(x);
  return std::isinf(result) && std::isfinite(x) ? failed(EvaluationError::overflow) : ok(result);
}

Evaluation total(std::span<const Scalar> arguments) {
  Evaluation sum = ok(std::int64_t{0});
  for (const Scalar& item : arguments) {
    sum = binary(Binary::add, sum.value, item);
    if (!sum.ok()) break;
  }
  return sum;
}

/// Functions of a number.
Evaluation numeric(Function function, std::span<const Scalar> arguments) {
  for (const Scalar& argument : arguments) {
    if (is_text(argument)) return failed(EvaluationError::type);
  }
  const Scalar& a = arguments[0];
  const double x = a.as_number();
  switch (function) {
    case Function::absolute:
      return is_real(a) ? ok(std::abs(a.real)) : integer_of(a) < 0 ? negate(a) : ok(integer_of(a));
    case Function::integer:
      return is_real(a) ? whole(std::trunc(a.real)) : ok(integer_of(a));
    case Function::real:
      return ok(x);
    case Function::round:
      return rounded(arguments);
    case Function::ceil:
      return is_real(a) ? whole(std::ceil(a.real)) : ok(integer_of(a));
    case Function::floor:
      return is_real(a) ? whole(std::floor(a.real)) : ok(integer_of(a));
    case Function::sqrt:
      return positive_function(x, true, std::sqrt);
    case Function::log:
      return logarithm(arguments);
    case Function::log2:
      return positive_function(x, false, std::log2);
    case Function::exp:
      return exponential(x);
    default:
      return failed(EvaluationError::type);
  }
}

}  // namespace

Evaluation call(Function function, std::span<const Scalar> arguments) {
  const Scalar& a = arguments[0];
  switch (function) {
    case Function::minimum:
    case Function::maximum:
      return extreme(arguments, function == Function::minimum);
    case Function::boolean:
      return ok(a.truthy());
    case Function::length:
      return is_text(a) ? ok(characters(*a.text)) : failed(EvaluationError::type);
    case Function::sum:
      return total(arguments);
    case Function::integer:
      return is_text(a) ? integer_from(*a.text) : numeric(function, arguments);
    case Function::real:
      return is_text(a) ? real_from(*a.text) : numeric(function, arguments);
    default:
      return numeric(function, arguments);
  }
}

}  // namespace wattune::expr
