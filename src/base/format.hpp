// Numbers as people read them: quantities with a fitting prefix, counts with separators. Never depends on the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wattune/units.hpp"

namespace wattune::base {

/// Fixed number of digits after the point: format_fixed(1.005, 2) = "1.00" (the double is below 1.005).
std::string format_fixed(double value, int digits);
/// "12.3 us", "1.24 ms", "3.20 s", "3 min 12 s", "2 h 05 min"; three significant digits below a minute; "-" for what is
/// not finite.
std::string format_seconds(Seconds value);
/// "1,234,567".
std::string format_count(std::uint64_t value);
/// "12.3 %" of a value in per cent.
std::string format_percent(double percent);
/// "48 KiB", "1.5 GiB".
std::string format_bytes(std::uint64_t bytes);
/// Three significant digits (all digits before the point from 1000 on) with the unit, no prefix: "51,200 GFLOP/s",
/// "1.24 J", "0.0123 W".
std::string format_si(double value, std::string_view unit);

}  // namespace wattune::base
