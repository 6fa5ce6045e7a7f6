// Which clocks of a device are worth measuring: a range around a centre, and lists as users write them.
// Room `model`.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "wattune/units.hpp"

namespace wattune {

/// Supported clocks within `spread_percent` of `centre`, ascending. With `count` > 0 only that many: the supported ones
/// nearest to `count` equidistant points of the range, ends included (fewer when points share one). `supported` may be
/// in any order; never empty results for a non-empty list: the nearest clock at least.
std::vector<Hertz> clocks_around(Hertz centre, std::span<const Hertz> supported, double spread_percent,
                                 std::size_t count = 0);

/// `count` equidistant values of a list, ends included: the default sampling of a device's clocks.
std::vector<Hertz> equidistant_clocks(std::span<const Hertz> supported, std::size_t count);

/// The supported clock nearest to `clock` (ties: the lower). `supported` must not be empty.
Hertz nearest_clock(Hertz clock, std::span<const Hertz> supported);

/// "210:1410:15" (first, last, step, MHz) or "405,585,780". Throws Error(bad_input) for anything else.
std::vector<Hertz> parse_clocks(std::string_view text);

}  // namespace wattune
