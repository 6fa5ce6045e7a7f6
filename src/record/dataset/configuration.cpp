// Names and texts of hardware configurations.
#include <fmt/format.h>

#include "wattune/dataset.hpp"

namespace wattune {

std::string_view to_string(HardwareAxis axis) {
  switch (axis) {
    case HardwareAxis::compute_units:
      return "compute_units";
    case HardwareAxis::core_clock:
      return "core_clock_mhz";
    case HardwareAxis::memory_clock:
      return "memory_clock_mhz";
    case HardwareAxis::power_limit:
      break;
  }
  return "power_limit_w";
}

std::optional<HardwareAxis> hardware_axis_from(std::string_view name) {
  if (name == "sm") return HardwareAxis::compute_units;
  for (const HardwareAxis axis : hardware_axes) {
    if (name == to_string(axis)) return axis;
  }
  return std::nullopt;
}

double axis_value(const HardwareConfiguration& configuration, HardwareAxis axis) {
  switch (axis) {
    case HardwareAxis::compute_units:
      return configuration.compute_units;
    case HardwareAxis::core_clock:
      return in_megahertz(configuration.core_clock);
    case HardwareAxis::memory_clock:
      return in_megahertz(configuration.memory_clock);
    case HardwareAxis::power_limit:
      break;
  }
  return configuration.power_limit.value();
}

void set_axis_value(HardwareConfiguration& configuration, HardwareAxis axis, double value) {
  switch (axis) {
    case HardwareAxis::compute_units:
      configuration.compute_units = static_cast<std::uint32_t>(value);
      return;
    case HardwareAxis::core_clock:
      configuration.core_clock = megahertz(value);
      return;
    case HardwareAxis::memory_clock:
      configuration.memory_clock = megahertz(value);
      return;
    case HardwareAxis::power_limit:
      configuration.power_limit = Watts(value);
  }
}

std::string to_string(const HardwareConfiguration& configuration) {
  std::string text;
  for (const HardwareAxis axis : hardware_axes) {
    const double value = axis_value(configuration, axis);
    if (value == 0.0) continue;
    // Megahertz went through hertz: ten digits hide the last bit of that.
    text += fmt::format("{}{}={:.10g}", text.empty() ? "" : ",", to_string(axis), value);
  }
  return text.empty() ? "as found" : text;
}

}  // namespace wattune
