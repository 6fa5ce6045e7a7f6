#include "io/date_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace wattune::io {

namespace {

/// `count` digits at the front of `text`, which are cut off.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Digits after the point as microseconds (further ones are dropped).
std::int64_t take_fraction(std::string_view& text) {
  std::int64_t micros = 0;
  std::int64_t unit = 100'000;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    micros += (text.front() - '0') * unit;
    unit /= 10;
    text.remove_prefix(1);
  }
  return micros;
}

/// Offset of the zone in seconds; nothing when the rest of the text is not a zone.
std::optional<std::int64_t> take_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == " UTC") return 0;
  const bool west = text.front() == '-';
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2);
  take(text, ":");
  const auto minutes = take_digits(text, 2);
  if (!hours || !minutes || !text.empty()) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::string utc_text(Seconds since_1970) {
  using namespace std::chrono;
  const double limited = std::min(std::max(since_1970.value(), -6.0e10), 2.5e11);  // years 68 to 9892
  const auto instant = sys_time<std::chrono::microseconds>(std::chrono::microseconds(std::llround(limited * 1e6)));
  const auto day = floor<days>(instant);
  const year_month_day date(day);
  const hh_mm_ss<std::chrono::microseconds> time(instant - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}+00:00", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

std::optional<Seconds> seconds_from(std::string_view text) {
  using namespace std::chrono;
  const auto year_number = take_digits(text, 4);
  if (!year_number || !take(text, "-")) return std::nullopt;
  const auto month_number = take_digits(text, 2);
  if (!month_number || !take(text, "-")) return std::nullopt;
  const auto day_number = take_digits(text, 2);
  if (!day_number || !take(text, " T")) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || !take(text, ":")) return std::nullopt;
  const auto second = take_digits(text, 2);
  if (!second) return std::nullopt;
  const std::int64_t micros = take(text, ".") ? take_fraction(text) : 0;
  const auto zone = take_zone(text);
  const year_month_day date(year(*year_number), month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number)));
  if (!zone || !date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const std::int64_t day_seconds = std::int64_t{sys_days(date).time_since_epoch().count()} * 86400;
  const std::int64_t seconds = day_seconds + *hour * 3600 + *minute * 60 + *second - *zone;
  return Seconds(static_cast<double>(seconds) + static_cast<double>(micros) * 1e-6);
}

}  // namespace wattune::io
