#include "tune/compare.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace wattune::tune {
namespace {

double half_value(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10U) & 0x1fU;
  const double mantissa = bits & 0x3ffU;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent == 31) return mantissa != 0.0 ? std::nan("") : sign * HUGE_VAL;
  return sign * std::ldexp(1024.0 + mantissa, exponent - 25);
}

struct HalfBits {
  std::uint16_t bits;
};

template <class T>
double number(T value) {
  return static_cast<double>(value);
}
template <>
double number(HalfBits value) {
  return half_value(value.bits);
}

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

template <class T>
std::string compare(std::span<const std::byte> got_bytes, std::span<const std::byte> expected_bytes, double absolute,
                    double relative) {
  const std::size_t count = expected_bytes.size() / sizeof(T);
  std::size_t wrong = 0;
  std::size_t worst = 0;
  double worst_excess = -1.0;
  for (std::size_t i = 0; i < count; ++i) {
    T got_raw;
    T expected_raw;
    std::memcpy(&got_raw, got_bytes.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&expected_raw, expected_bytes.data() + i * sizeof(T), sizeof(T));
    if (std::memcmp(&got_raw, &expected_raw, sizeof(T)) == 0) continue;
    const double got = number(got_raw);
    const double expected = number(expected_raw);
    const double distance = std::abs(got - expected);
    const double allowed = absolute + relative * std::abs(expected);
    // Written so that NaN (and an infinity on one side) counts as wrong.
    if (distance <= allowed && std::isfinite(expected)) continue;
    if (std::isnan(got) && std::isnan(expected)) continue;
    ++wrong;
    const double excess = std::isfinite(distance) ? distance - allowed : HUGE_VAL;
    if (excess > worst_excess) {
      worst_excess = excess;
      worst = i;
    }
  }
  if (wrong == 0) return {};
  T got_raw;
  T expected_raw;
  std::memcpy(&got_raw, got_bytes.data() + worst * sizeof(T), sizeof(T));
  std::memcpy(&expected_raw, expected_bytes.data() + worst * sizeof(T), sizeof(T));
  return std::to_string(wrong) + " of " + std::to_string(count) + " elements differ, worst at [" +
         std::to_string(worst) + "]: got " + digits(number(got_raw)) + ", expected " + digits(number(expected_raw));
}

}  // namespace

std::string difference(ElementType type, std::span<const std::byte> got, std::span<const std::byte> expected,
                       double absolute, double relative) {
  switch (type) {
    case ElementType::i8:
      return compare<std::int8_t>(got, expected, absolute, relative);
    case ElementType::u8:
      return compare<std::uint8_t>(got, expected, absolute, relative);
    case ElementType::i16:
      return compare<std::int16_t>(got, expected, absolute, relative);
    case ElementType::u16:
      return compare<std::uint16_t>(got, expected, absolute, relative);
    case ElementType::i32:
      return compare<std::int32_t>(got, expected, absolute, relative);
    case ElementType::u32:
      return compare<std::uint32_t>(got, expected, absolute, relative);
    case ElementType::i64:
      return compare<std::int64_t>(got, expected, absolute, relative);
    case ElementType::u64:
      return compare<std::uint64_t>(got, expected, absolute, relative);
    case ElementType::f16:
      return compare<HalfBits>(got, expected, absolute, relative);
    case ElementType::f32:
      return compare<float>(got, expected, absolute, relative);
    case ElementType::f64:
      return compare<double>(got, expected, absolute, relative);
  }
  return {};
}

}  // namespace wattune::tune
