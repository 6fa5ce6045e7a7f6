// Quantities with their unit and interval as text, where three digits are too few: comparisons of a few per cent.
#pragma once

#include <string>
#include <string_view>

#include "wattune/outcome.hpp"

namespace wattune::cli {

/// A unit that fits a value: what to multiply by, and its name. Seconds, joules and watts get a prefix.
struct DisplayUnit {
  double factor = 1.0;
  std::string name;
};
DisplayUnit display_unit(double typical, std::string_view unit);

/// `digits` significant digits without an exponent: significant(2.192, 4) = "2.192".
std::string significant(double value, int digits);

/// "2.192 J ±11.0 %", "10.16 ms"; the interval only where there is one.
std::string interval_text(const Interval& interval, std::string_view unit, int digits = 4);

/// Whether a quantity rests on readings of power or energy ("energy", "nvml_power", "GFLOPs/W", "edp").
bool concerns_energy(std::string_view name);

}  // namespace wattune::cli
