#include "expr/scalar_ops.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace wattune::expr {
namespace {

/// -1, 0, 1, or 2 when unordered (NaN). A long double holds every 64-bit integer and every double exactly on x86-64 and
/// on 64-bit ARM.
int order(const Scalar& a, const Scalar& b) {
  if (!is_real(a) && !is_real(b)) {
    const std::int64_t x = integer_of(a);
    const std::int64_t y = integer_of(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (is_real(a) && is_real(b)) return a.real < b.real ? -1 : a.real > b.real ? 1 : a.real == b.real ? 0 : 2;
  const long double x = is_real(a) ? static_cast<long double>(a.real) : static_cast<long double>(integer_of(a));
  const long double y = is_real(b) ? static_cast<long double>(b.real) : static_cast<long double>(integer_of(b));
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

__extension__ using Wide = unsigned __int128;

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// a / b rounded once, as Python does. Beyond 2^53 the operands are no doubles: 64 quotient bits and a sticky bit are
/// computed in integers first.
double quotient(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (a >= -exact && a <= exact && b >= -exact && b <= exact) return static_cast<double>(a) / static_cast<double>(b);
  const std::uint64_t divisor = magnitude(b);
  if (a == 0) return b < 0 ? -0.0 : 0.0;
  const int shift = 63 + std::countl_zero(magnitude(a));
  const Wide dividend = static_cast<Wide>(magnitude(a)) << shift;
  Wide result = dividend / divisor;
  if (dividend % divisor != 0) result |= 1;
  const double value = std::ldexp(static_cast<double>(result), -shift);
  return (a < 0) != (b < 0) ? -value : value;
}

/// As float.__mod__ of CPython: the sign of the divisor, also for zero.
double floor_remainder(double a, double b) {
  const double r = std::fmod(a, b);
  if (r == 0.0) return std::copysign(0.0, b);
  return (r < 0.0) != (b < 0.0) ? r + b : r;
}

/// As float.__floordiv__ of CPython: through the exact remainder, so that 1.0 // 0.1 is 9.0.
double floor_quotient(double a, double b) {
  const double r = std::fmod(a, b);
  double q = (a - r) / b;
  if (r != 0.0 && (r < 0.0) != (b < 0.0)) q -= 1.0;
  if (q == 0.0) return std::copysign(0.0, a / b);
  const double down = std::floor(q);
  return q - down > 0.5 ? down + 1.0 : down;
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
      return b == 0 ? failed(EvaluationError::division_by_zero) : ok(quotient(a, b));
    case Binary::floor_divide:
      if (b == 0) return failed(EvaluationError::division_by_zero);
      if (a == lowest && b == -1) return failed(EvaluationError::overflow);
      return ok(a / b - static_cast<std::int64_t>(a % b != 0 && (a % b < 0) != (b < 0)));
    case Binary::remainder:
      if (b == 0) return failed(EvaluationError::division_by_zero);
      if (b == -1) return ok(std::int64_t{0});  // lowest % -1 traps on x86
      result = a % b;
      return ok(result != 0 && (result < 0) != (b < 0) ? result + b : result);
    case Binary::power:
      return integer_power(a, b);
  }
  return failed(EvaluationError::type);
}

/// Python would give a complex number for a negative base with a fractional exponent; we refuse.
Evaluation real_power(double a, double b) {
  if (a == 0.0 && b < 0.0) return failed(EvaluationError::division_by_zero);
  const bool finite = std::isfinite(a) && std::isfinite(b);
  if (finite && a < 0.0 && std::trunc(b) != b) return failed(EvaluationError::domain);
  const double result = std::pow(a, b);
  return finite && std::isinf(result) ? failed(EvaluationError::overflow) : ok(result);
}

Evaluation real_binary(Binary op, double a, double b) {
  const bool divides = op == Binary::divide || op == Binary::floor_divide || op == Binary::remainder;
  if (divides && b == 0.0) return failed(EvaluationError::division_by_zero);
  switch (op) {
    case Binary::add:
      return ok(a + b);
    case Binary::subtract:
      return ok(a - b);
    case Binary::multiply:
      return ok(a * b);
    case Binary::divide:
      return ok(a / b);
    case Binary::floor_divide:
      return ok(floor_quotient(a, b));
    case Binary::remainder:
      return ok(floor_remainder(a, b));
    case Binary::power:
      return real_power(a, b);
  }
  return failed(EvaluationError::type);
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
  return integer_binary(op, integer_of(a), integer_of(b));
}

Evaluation negate(const Scalar& a) {
  if (is_text(a)) return failed(EvaluationError::type);
  if (is_real(a)) return ok(-a.real);
  return integer_binary(Binary::subtract, 0, integer_of(a));
}

Evaluation positive(const Scalar& a) {
  if (is_text(a)) return failed(EvaluationError::type);
  return is_real(a) ? ok(a.real) : ok(integer_of(a));
}

}  // namespace wattune::expr
