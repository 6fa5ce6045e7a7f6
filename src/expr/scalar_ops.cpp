#include "expr/scalar_ops.hpp"

#include <cmath>
#include <limits>

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

namespace wattune::expr {
namespace {

using Kind = Scalar::Kind;

bool is_text(const Scalar& s) {
  return s.kind == Kind::text;
}
bool is_real(const Scalar& s) {
  return s.kind == Kind::real;
}
std::int64_t integer(const Scalar& s) {
  return s.kind == Kind::boolean ? static_cast<std::int64_t>(s.boolean) : s.integer;
}

/// -1, 0, 1, or 2 when unordered (NaN). A long double holds every 64-bit integer and every double exactly on x86; where
/// it does not, integers beyond 2^53 may compare equal to their neighbours' reals.
int order(const Scalar& a, const Scalar& b) {
  if (!is_real(a) && !is_real(b)) {
    const std::int64_t x = integer(a);
    const std::int64_t y = integer(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const long double x = is_real(a) ? static_cast<long double>(a.real) : static_cast<long double>(integer(a));
  const long double y = is_real(b) ? static_cast<long double>(b.real) : static_cast<long double>(integer(b));
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

Evaluation ok(std::int64_t value) {
  return {Scalar::of(value), EvaluationError::none};
}
Evaluation ok(double value) {
  return {Scalar::of(value), EvaluationError::none};
}
Evaluation ok(bool value) {
  return {Scalar::of(value), EvaluationError::none};
}

double floor_remainder(double a, double b) {
  double r = std::fmod(a, b);
  if (r != 0.0 && (r < 0.0) != (b < 0.0)) r += b;
  return r;
}

Evaluation integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return failed(EvaluationError::division_by_zero);
    return ok(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  std::int64_t result = 1;
  std::int64_t factor = base;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, factor, &result))
      return failed(EvaluationError::overflow);
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(factor, factor, &factor)) return failed(EvaluationError::overflow);
  }
  return ok(result);
}

Evaluation integer_binary(Binary op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  switch (op) {
    case Binary::add:
      return __builtin_add_overflow(a, b, &result) ? failed(EvaluationError::overflow) : ok(result);
    case Binary::subtract:
      return __builtin_sub_overflow(a, b, &result) ? failed(EvaluationError::overflow) : ok(result);
    case Binary::multiply:
      return __builtin_mul_overflow(a, b, &result) ? failed(EvaluationError::overflow) : ok(result);
    case Binary::divide:
      return b == 0 ? failed(EvaluationError::division_by_zero)
                    : ok(static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b)));
    case Binary::floor_divide:
      if (b == 0) return failed(EvaluationError::division_by_zero);
      if (a == lowest && b == -1) return failed(EvaluationError::overflow);
      return ok(a / b - static_cast<std::int64_t>(a % b != 0 && (a % b < 0) != (b < 0)));
    case Binary::remainder:
      if (b == 0) return failed(EvaluationError::division_by_zero);
      if (b == -1) return ok(std::int64_t{0});
      result = a % b;
      return ok(result != 0 && (result < 0) != (b < 0) ? result + b : result);
    case Binary::power:
      return integer_power(a, b);
  }
  return failed(EvaluationError::type);
}

Evaluation real_binary(Binary op, double a, double b) {
  switch (op) {
    case Binary::add:
      return ok(a + b);
    case Binary::subtract:
      return ok(a - b);
    case Binary::multiply:
      return ok(a * b);
    case Binary::divide:
      return b == 0.0 ? failed(EvaluationError::division_by_zero) : ok(a / b);
    case Binary::floor_divide: {
      if (b == 0.0) return failed(EvaluationError::division_by_zero);
      // As CPython: exact remainder first, so that 1.0 // 0.1 is 9.0.
      const double quotient = (a - floor_remainder(a, b)) / b;
      const double down = std::floor(quotient);
      return ok(quotient - down > 0.5 ? down + 1.0 : down);
    }
    case Binary::remainder:
      return b == 0.0 ? failed(EvaluationError::division_by_zero) : ok(floor_remainder(a, b));
    case Binary::power: {
      if (a == 0.0 && b < 0.0) return failed(EvaluationError::division_by_zero);
      if (a < 0.0 && std::trunc(b) != b) return failed(EvaluationError::domain);
      const double result = std::pow(a, b);
      return std::isinf(result) && std::isfinite(a) && std::isfinite(b) ? failed(EvaluationError::overflow)
                                                                        : ok(result);
    }
  }
  return failed(EvaluationError::type);
}

/// A real without fraction as an integer, as Python's int(), ceil() and floor() give.
Evaluation whole(double value) {
  if (!(std::abs(value) < 0x1.0p63))
    return failed(std::isnan(value) || std::isinf(value) ? EvaluationError::domain : EvaluationError::overflow);
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

Evaluation rounded(std::span<const Scalar> arguments) {
  const Scalar& a = arguments[0];
  if (arguments.size() == 1) return is_real(a) ? whole(std::nearbyint(a.real)) : ok(integer(a));
  if (is_real(arguments[1]) || is_text(arguments[1])) return failed(EvaluationError::type);
  const std::int64_t digits = integer(arguments[1]);
  if (!is_real(a)) {
    if (digits >= 0) return ok(integer(a));
    if (digits < -18) return ok(std::int64_t{0});
  }
  const long double scale = std::pow(10.0L, static_cast<long double>(digits));
  const double value = static_cast<double>(std::nearbyint(static_cast<long double>(a.as_number()) * scale) / scale);
  if (is_real(a)) return ok(std::isfinite(value) ? value : a.real);
  return whole(value);
}

Evaluation positive_function(double x, bool allow_zero, double (*function)(double)) {
  if (std::isnan(x) || x < 0.0 || (x == 0.0 && !allow_zero)) return failed(EvaluationError::domain);
  return ok(function(x));
}

Evaluation logarithm(std::span<const Scalar> arguments) {
  const Evaluation value = positive_function(arguments[0].as_number(), false, std::log);
  if (!value.ok() || arguments.size() == 1) return value;
  const Evaluation base = positive_function(arguments[1].as_number(), false, std::log);
  if (!base.ok()) return base;
  return real_binary(Binary::divide, value.value.real, base.value.real);
}

}  // namespace

bool equal(const Scalar& a, const Scalar& b) {
  if (is_text(a) || is_text(b)) return is_text(a) && is_text(b) && *a.text == *b.text;
  return order(a, b) == 0;
}

Evaluation compare(Compare op, const Scalar& a, const Scalar& b) {
  if (op == Compare::equal) return ok(equal(a, b));
  if (op == Compare::unequal) return ok(!equal(a, b));
  int sign = 0;
  if (is_text(a) && is_text(b)) {
    const int c = a.text->compare(*b.text);
    sign = c < 0 ? -1 : c > 0 ? 1 : 0;
  } else if (is_text(a) || is_text(b)) {
    return failed(EvaluationError::type);
  } else {
    sign = order(a, b);
  }
  switch (op) {
    case Compare::less:
      return ok(sign == -1);
    case Compare::less_equal:
      return ok(sign == -1 || sign == 0);
    case Compare::greater:
      return ok(sign == 1);
    default:
      return ok(sign == 1 || sign == 0);
  }
}

Evaluation binary(Binary op, const Scalar& a, const Scalar& b) {
  if (is_text(a) || is_text(b)) return failed(EvaluationError::type);
  if (is_real(a) || is_real(b)) return real_binary(op, a.as_number(), b.as_number());
  return integer_binary(op, integer(a), integer(b));
}

Evaluation negate(const Scalar& a) {
  if (is_text(a)) return failed(EvaluationError::type);
  if (is_real(a)) return ok(-a.real);
  return integer_binary(Binary::subtract, 0, integer(a));
}

Evaluation call(Function function, std::span<const Scalar> arguments) {
  const Scalar& a = arguments[0];
  if (function == Function::minimum || function == Function::maximum)
    return extreme(arguments, function == Function::minimum);
  if (function == Function::boolean) return ok(a.truthy());
  if (function == Function::length)
    return is_text(a) ? ok(static_cast<std::int64_t>(a.text->size())) : failed(EvaluationError::type);
  if (function == Function::sum) {
    Evaluation total = ok(std::int64_t{0});
    for (const Scalar& item : arguments) {
      total = binary(Binary::add, total.value, item);
      if (!total.ok()) break;
    }
    return total;
  }
  for (const Scalar& argument : arguments) {
    if (is_text(argument)) return failed(EvaluationError::type);
  }
  const double x = a.as_number();
  switch (function) {
    case Function::absolute:
      return is_real(a) ? ok(std::abs(a.real)) : integer(a) < 0 ? negate(a) : ok(integer(a));
    case Function::integer:
      return is_real(a) ? whole(std::trunc(a.real)) : ok(integer(a));
    case Function::real:
      return ok(x);
    case Function::round:
      return rounded(arguments);
    case Function::ceil:
      return is_real(a) ? whole(std::ceil(a.real)) : ok(integer(a));
    case Function::floor:
      return is_real(a) ? whole(std::floor(a.real)) : ok(integer(a));
    case Function::sqrt:
      return positive_function(x, true, std::sqrt);
    case Function::log:
      return logarithm(arguments);
    case Function::log2:
      return positive_function(x, false, std::log2);
    case Function::exp:
      return std::isinf(std::exp(x)) && std::isfinite(x) ? failed(EvaluationError::overflow) : ok(std::exp(x));
    default:
      return failed(EvaluationError::type);
  }
}

}  // namespace wattune::expr
