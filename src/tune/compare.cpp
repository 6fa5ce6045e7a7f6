#include "tune/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

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

/// True when every element of a stretch is surely within the tolerance. Without a branch and in the elements' own
/// precision, so that it runs at the speed of memory; 1 % of the tolerance is kept back for that rounding. What it
/// cannot say (NaN, infinity, a close call) is looked at by the exact comparison.
template <class T>
bool surely_within(const std::byte* got_bytes, const std::byte* expected_bytes, std::size_t count, double absolute,
                   double relative) {
  if constexpr (std::is_floating_point_v<T>) {
    const T at_least = static_cast<T>(absolute * 0.99);
    const T share = static_cast<T>(relative * 0.99);
    std::uint32_t within = 0;
    for (std::size_t i = 0; i < count; ++i) {
      T got;
      T expected;
      std::memcpy(&got, got_bytes + i * sizeof(T), sizeof(T));
      std::memcpy(&expected, expected_bytes + i * sizeof(T), sizeof(T));
      const T allowed = at_least + share * std::abs(expected);
      within += static_cast<std::uint32_t>(std::abs(got - expected) <= allowed) &
                static_cast<std::uint32_t>(allowed <= std::numeric_limits<T>::max());
    }
    return within == count;
  } else {
    return std::memcmp(got_bytes, expected_bytes, count * sizeof(T)) == 0;
  }
}

/// The elements that differ by more than they may, and the worst of them.
struct Differences {
  std::size_t wrong = 0;
  std::size_t worst = 0;
  double worst_excess = -1.0;
};

template <class T>
T element(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void compare_exactly(std::span<const std::byte> got_bytes, std::span<const std::byte> expected_bytes, std::size_t begin,
                     std::size_t end, double absolute, double relative, Differences& found) {
  for (std::size_t i = begin; i < end; ++i) {
    if (std::memcmp(got_bytes.data() + i * sizeof(T), expected_bytes.data() + i * sizeof(T), sizeof(T)) == 0) continue;
    const double got = number(element<T>(got_bytes, i));
    const double expected = number(element<T>(expected_bytes, i));
    const double distance = std::abs(got - expected);
    const double allowed = absolute + relative * std::abs(expected);
    // Written so that NaN (and an infinity on one side) counts as wrong.
    if (distance <= allowed && std::isfinite(expected)) continue;
    if (std::isnan(got) && std::isnan(expected)) continue;
    ++found.wrong;
    const double excess = std::isfinite(distance) ? distance - allowed : HUGE_VAL;
    if (excess > found.worst_excess) {
      found.worst_excess = excess;
      found.worst = i;
    }
  }
}

template <class T>
std::string compare(std::span<const std::byte> got_bytes, std::span<const std::byte> expected_bytes, double absolute,
                    double relative) {
  constexpr std::size_t stretch = 4096;
  const std::size_t count = expected_bytes.size() / sizeof(T);
  Differences found;
  for (std::size_t begin = 0; begin < count; begin += stretch) {
    const std::size_t end = std::min(count, begin + stretch);
    const std::byte* got = got_bytes.data() + begin * sizeof(T);
    const std::byte* expected = expected_bytes.data() + begin * sizeof(T);
    if (!surely_within<T>(got, expected, end - begin, absolute, relative))
      compare_exactly<T>(got_bytes, expected_bytes, begin, end, absolute, relative, found);
  }
  if (found.wrong == 0) return {};
  return std::to_string(found.wrong) + " of " + std::to_string(count) + " elements differ, worst at [" +
         std::to_string(found.worst) + "]: got " + digits(number(element<T>(got_bytes, found.worst))) + ", expected " +
         digits(number(element<T>(expected_bytes, found.worst)));
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
