// Dates as other tools write them, between text and seconds since 1970 (UTC).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wattune/units.hpp"

namespace wattune::io {

/// "2023-12-22 09:54:05.502007+00:00", as Python prints a UTC date.
std::string utc_text(Seconds since_1970);

/// Reads "2023-12-22 09:54:05.502007+00:00", with 'T' for the space, "Z", " UTC" or no zone (taken as UTC), or without
/// the fraction. Nothing when it is no such date.
std::optional<Seconds> seconds_from(std::string_view text);

}  // namespace wattune::io
