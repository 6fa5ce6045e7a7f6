#include "wattune/clock_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

std::vector<Hertz> ascending(std::span<const Hertz> clocks) {
  std::vector<Hertz> sorted(clocks.begin(), clocks.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// The nearest of ascending clocks, in MHz; the lower one where two are equally near.
Hertz nearest(const std::vector<Hertz>& clocks, double mhz) {
  const auto distance = [mhz](Hertz clock) { return std::abs(std::round(in_megahertz(clock) * 1e6) * 1e-6 - mhz); };
  return *std::min_element(clocks.begin(), clocks.end(), [&](Hertz a, Hertz b) { return distance(a) < distance(b); });
}

double number(std::string_view text, std::string_view whole) {
  text = base::trim(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0.0) || !std::isfinite(value)) {
    throw Error(ExitCode::bad_input, fmt::format("'{}' is no list of clocks", whole), {},
                "write FIRST:LAST:STEP or a list, in MHz: 210:1410:15 or 405,585,780");
  }
  return value;
}

}  // namespace

std::vector<Hertz> clocks_around(Hertz centre, std::span<const Hertz> supported, double spread_percent,
                                 std::size_t count) {
  const std::vector<Hertz> clocks = ascending(supported);
  if (clocks.empty()) return {};
  // As in the tool of the method's authors, ends and steps in this order of operations, so that a point half-way
  // between two clocks falls to the same one.
  const double low = 1e-2 * (100.0 - spread_percent) * in_megahertz(centre);
  const double high = 1e-2 * (100.0 + spread_percent) * in_megahertz(centre);
  std::vector<Hertz> chosen;
  if (count > 0) {
    const double step = count > 1 ? (high - low) / static_cast<double>(count - 1) : 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double point = count == 1       ? in_megahertz(centre)
                           : i + 1 == count ? high
                                            : static_cast<double>(i) * step + low;
      chosen.push_back(nearest(clocks, point));
    }
    return ascending(chosen);
  }
  for (const Hertz clock : clocks) {
    if (in_megahertz(clock) >= low - 1e-6 && in_megahertz(clock) <= high + 1e-6) chosen.push_back(clock);
  }
  if (chosen.empty()) chosen.push_back(nearest(clocks, in_megahertz(centre)));
  return chosen;
}

Hertz nearest_clock(Hertz clock, std::span<const Hertz> supported) {
  return nearest(ascending(supported), in_megahertz(clock));
}

std::vector<Hertz> equidistant_clocks(std::span<const Hertz> supported, std::size_t count) {
  const std::vector<Hertz> clocks = ascending(supported);
  if (clocks.empty() || count == 0) return {};
  const double low = in_megahertz(clocks.front());
  const double high = in_megahertz(clocks.back());
  std::vector<Hertz> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1.0;
    chosen.push_back(nearest(clocks, low + share * (high - low)));
  }
  return ascending(chosen);
}

std::vector<Hertz> parse_clocks(std::string_view text) {
  std::vector<Hertz> clocks;
  if (text.find(':') != std::string_view::npos) {
    const std::vector<std::string> parts = base::split(text, ':');
    if (parts.size() != 3) number("", text);
    const double first = number(parts[0], text);
    const double last = number(parts[1], text);
    const double step = number(parts[2], text);
    if (last < first || (last - first) / step > 1e5) number("", text);
    const auto steps = static_cast<std::size_t>(std::floor((last - first) / step + 1e-9));
    for (std::size_t i = 0; i <= steps; ++i) clocks.push_back(megahertz(first + static_cast<double>(i) * step));
  } else {
    for (const std::string& part : base::split(text, ',')) clocks.push_back(megahertz(number(part, text)));
  }
  return ascending(clocks);
}

}  // namespace wattune
