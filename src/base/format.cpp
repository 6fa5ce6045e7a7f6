#include "base/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace wattune::base {
namespace {

/// Three significant digits of a number whose magnitude is in [1, 1000).
std::string three_digits(double value) {
  const double magnitude = std::abs(value);
  return format_fixed(value, magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

}  // namespace

std::string format_fixed(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

std::string format_count(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string format_percent(double percent) {
  return format_fixed(percent, 1) + " %";
}

std::string format_seconds(Seconds value) {
  const double seconds = value.value();
  if (!std::isfinite(seconds)) return "-";
  const double magnitude = std::abs(seconds);
  if (magnitude == 0.0) return "0 s";
  if (magnitude < 0.9995e-6) return three_digits(seconds * 1e9) + " ns";
  if (magnitude < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (magnitude < 0.9995) return three_digits(seconds * 1e3) + " ms";
  if (magnitude < 59.95) return three_digits(seconds) + " s";
  const auto whole = static_cast<long long>(std::llround(magnitude));
  const std::string sign = seconds < 0.0 ? "-" : "";
  if (whole < 3600) return sign + fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return sign + fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= (unit == 0 ? 1024.0 : 1023.95) && unit + 1 < units.size()) {
    value /= 1024.0;
    ++unit;
  }
  const bool whole = std::abs(value - std::round(value)) < 0.05;
  return format_fixed(value, whole ? 0 : 1) + " " + units[unit];
}

std::string format_si(double value, std::string_view unit) {
  std::string text;
  const double magnitude = std::abs(value);
  if (!std::isfinite(value)) {
    text = "-";
  } else if (magnitude == 0.0) {
    text = "0";
  } else if (magnitude >= 999.5 && magnitude < 1e15) {
    text = (value < 0.0 ? "-" : "") + format_count(static_cast<std::uint64_t>(std::llround(magnitude)));
  } else if (magnitude >= 0.9995 && magnitude < 999.5) {
    text = three_digits(value);
  } else {
    text = fmt::format("{:.3g}", value);
  }
  return unit.empty() ? text : text + " " + std::string(unit);
}

}  // namespace wattune::base
