// Configurations by the text that a user types: "core_clock_mhz=510:1410:75,memory_clock_mhz=5000", "max".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "wattune/dataset.hpp"

namespace wattune {
namespace {

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

HardwareAxis axis_in(const std::string& name, std::string_view whole) {
  if (const auto axis = hardware_axis_from(name)) return *axis;
  std::vector<std::string> known;
  for (const HardwareAxis each : hardware_axes) known.emplace_back(to_string(each));
  const std::string near = base::did_you_mean(name, known);
  throw Error(ExitCode::bad_input, fmt::format("'{}' is no axis of a hardware configuration", name), std::string(whole),
              near.empty() ? "AXIS=VALUE with " + base::join(known, ", ") : near);
}

std::vector<std::uint8_t> matches(const Dataset& dataset, std::string_view text) {
  const ConfigurationPattern pattern = ConfigurationPattern::parse(text);
  std::vector<std::uint8_t> keep;
  for (const HardwareConfiguration& configuration : dataset.configurations)
    keep.push_back(pattern.matches(configuration) ? 1 : 0);
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

ConfigurationPattern ConfigurationPattern::parse(std::string_view text) {
  ConfigurationPattern pattern;
  for (const std::string& item : base::split(text, ',')) {
    const std::size_t equals = std::min(item.find('='), item.size());
    Part part;
    part.axis = axis_in(std::string(base::trim(std::string_view(item).substr(0, equals))), text);
    const std::vector<std::string> range =
        base::split(std::string_view(item).substr(std::min(equals + 1, item.size())), ':');
    if (range.size() > 3) throw Error(ExitCode::bad_input, "a range is LOW:HIGH:STEP", std::string(text));
    part.low = number_in(range[0], text);
    part.high = range.size() > 1 ? number_in(range[1], text) : part.low;
    part.step = range.size() > 2 ? number_in(range[2], text) : 0.0;
    pattern.parts_.push_back(part);
  }
  return pattern;
}

bool ConfigurationPattern::matches(const HardwareConfiguration& configuration) const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    const double value = axis_value(configuration, part.axis);
    const double slack = 1e-6 * std::max(1.0, std::abs(value));
    if (value < part.low - slack || value > part.high + slack) return false;
    if (part.step <= 0.0) return true;
    const double steps = (value - part.low) / part.step;
    return std::abs(steps - std::round(steps)) * part.step <= slack;
  });
}

std::vector<std::uint8_t> matching_configurations(const Dataset& dataset, std::string_view text) {
  std::vector<std::uint8_t> keep = matches(dataset, text);
  if (std::find(keep.begin(), keep.end(), 1) == keep.end())
    throw Error(ExitCode::bad_input, "no configuration matches", std::string(text), value_list(dataset));
  return keep;
}

std::size_t base_configuration(const Dataset& dataset, std::string_view text) {
  if (text == "max") return highest(dataset);
  const std::vector<std::uint8_t> keep = matches(dataset, text);
  const auto count = std::count(keep.begin(), keep.end(), 1);
  if (count == 1) return static_cast<std::size_t>(std::find(keep.begin(), keep.end(), 1) - keep.begin());
  const std::string message = count == 0 ? "the data set has no such configuration"
                                         : fmt::format("{} configurations match, one is needed", count);
  throw Error(ExitCode::bad_input, message, std::string(text), value_list(dataset));
}

}  // namespace wattune
