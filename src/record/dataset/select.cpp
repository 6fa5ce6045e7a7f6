// Configurations by the text that a user types: "core_clock_mhz=510:1410:75,memory_clock_mhz=5000", "max".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "wattune/dataset.hpp"

namespace wattune {
namespace {

/// LOW:HIGH:STEP, LOW:HIGH or one value.
struct Range {
  double low = 0.0, high = 0.0, step = 0.0;

  [[nodiscard]] bool holds(double value) const {
    const double slack = 1e-6 * std::max(1.0, std::abs(value));
    if (value < low - slack || value > high + slack) return false;
    if (step <= 0.0) return true;
    const double steps = (value - low) / step;
    return std::abs(steps - std::round(steps)) * step <= slack;
  }
};

struct Part {
  HardwareAxis axis;
  Range range;
};

double number_in(std::string_view text, std::string_view whole) {
  text = base::trim(text);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    throw Error(ExitCode::bad_input, fmt::format("'{}' is no number", text), std::string(whole),
                "for example core_clock_mhz=1410 or core_clock_mhz=510:1410:75");
  }
  return number;
}

Range range_in(std::string_view text, std::string_view whole) {
  const std::vector<std::string> parts = base::split(text, ':');
  if (parts.size() > 3) throw Error(ExitCode::bad_input, "a range is LOW:HIGH:STEP", std::string(whole));
  Range range;
  range.low = number_in(parts[0], whole);
  range.high = parts.size() > 1 ? number_in(parts[1], whole) : range.low;
  range.step = parts.size() > 2 ? number_in(parts[2], whole) : 0.0;
  return range;
}

std::vector<Part> parts_in(std::string_view text) {
  std::vector<Part> parts;
  for (const std::string& item : base::split(text, ',')) {
    const std::string::size_type equals = item.find('=');
    const std::string name(base::trim(std::string_view(item).substr(0, equals)));
    const auto axis = hardware_axis_from(name);
    if (!axis || equals == std::string::npos) {
      std::vector<std::string> known;
      for (const HardwareAxis each : hardware_axes) known.emplace_back(to_string(each));
      const std::string near = base::did_you_mean(name, known);
      throw Error(ExitCode::bad_input, fmt::format("'{}' is no axis of a hardware configuration", name),
                  std::string(text), near.empty() ? "AXIS=VALUE with " + base::join(known, ", ") : near);
    }
    parts.push_back({*axis, range_in(std::string_view(item).substr(equals + 1), text)});
  }
  return parts;
}

std::vector<std::uint8_t> matches(const Dataset& dataset, std::span<const Part> parts) {
  std::vector<std::uint8_t> keep;
  for (const HardwareConfiguration& configuration : dataset.configurations) {
    keep.push_back(std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
      return part.range.holds(axis_value(configuration, part.axis));
    }));
  }
  return keep;
}

std::string value_list(const Dataset& dataset) {
  std::vector<std::string> axes;
  for (const HardwareAxis axis : dataset.axes()) {
    const std::vector<double> values = dataset.values(axis);
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(fmt::format("{:.10g}", value));
    if (texts.size() > 12) texts = {texts[0], texts[1], "…", texts[texts.size() - 2], texts.back()};
    axes.push_back(fmt::format("{}: {}", to_string(axis), base::join(texts, " ")));
  }
  return "there are " + base::join(axes, "; ");
}

std::size_t highest(const Dataset& dataset) {
  HardwareConfiguration top;
  for (const HardwareAxis axis : dataset.axes()) set_axis_value(top, axis, dataset.values(axis).back());
  if (const auto found = dataset.find_configuration(top)) return *found;
  throw Error(ExitCode::bad_input, "no configuration has the highest value of every axis", dataset.name,
              value_list(dataset));
}

}  // namespace

std::vector<std::uint8_t> matching_configurations(const Dataset& dataset, std::string_view text) {
  std::vector<std::uint8_t> keep = matches(dataset, parts_in(text));
  if (std::find(keep.begin(), keep.end(), 1) == keep.end())
    throw Error(ExitCode::bad_input, "no configuration matches", std::string(text), value_list(dataset));
  return keep;
}

std::size_t base_configuration(const Dataset& dataset, std::string_view text) {
  if (text == "max") return highest(dataset);
  const std::vector<std::uint8_t> keep = matches(dataset, parts_in(text));
  const auto count = std::count(keep.begin(), keep.end(), 1);
  if (count == 1) return static_cast<std::size_t>(std::find(keep.begin(), keep.end(), 1) - keep.begin());
  const std::string message = count == 0 ? "the data set has no such configuration"
                                         : fmt::format("{} configurations match, one is needed", count);
  throw Error(ExitCode::bad_input, message, std::string(text), value_list(dataset));
}

}  // namespace wattune
