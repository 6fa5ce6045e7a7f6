#include "cli/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"
#include "base/text.hpp"

namespace wattune::cli {

DisplayUnit display_unit(double typical, std::string_view unit) {
  const double magnitude = std::abs(typical);
  if ((unit == "s" || unit == "J" || unit == "W") && magnitude > 0.0) {
    static constexpr std::array prefixes = {std::pair{1.0, ""}, std::pair{1e3, "m"}, std::pair{1e6, "u"},
                                            std::pair{1e9, "n"}};
    for (const auto& [factor, prefix] : prefixes) {
      if (magnitude * factor >= 0.9995) return {factor, std::string(prefix).append(unit)};
    }
  }
  return {1.0, std::string(unit)};
}

std::string significant(double value, int digits) {
  if (value == 0.0 || !std::isfinite(value)) return base::format_fixed(value, 0);
  const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return base::format_fixed(value, std::clamp(digits - before, 0, 12));
}

std::string interval_text(const Interval& interval, std::string_view unit, int digits) {
  const DisplayUnit shown = display_unit(interval.value, unit);
  std::string text = significant(interval.value * shown.factor, digits);
  if (!shown.name.empty()) text += " " + shown.name;
  if (interval.low < interval.high) text += " ±" + base::format_fixed(interval.percent(), 1) + " %";
  return text;
}

bool concerns_energy(std::string_view name) {
  const std::string lower = base::lower(name);
  static constexpr std::array parts = {"energy", "power", "edp", "ed2p", "joule", "watt", "/w", "/j"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return lower.find(part) != std::string::npos; });
}

}  // namespace wattune::cli
