// From readings to mean power with its interval: pure functions, no device.
#include <algorithm>
#include <cmath>
#include <vector>

#include "wattune/energy.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

/// Number of independent values among `values` (Bayley and Hammersley 1946, for autocorrelation of lag one). A negative
/// correlation counts as none: it comes from jitter of time-stamps, and to trust it would narrow the interval by luck.
double effective_count(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double centre = mean(values);
  double covariance = 0.0;
  double variance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    variance += (values[i] - centre) * (values[i] - centre);
    if (i > 0) covariance += (values[i] - centre) * (values[i - 1] - centre);
  }
  if (variance <= 0.0) return count;
  const double correlation = std::clamp(covariance / variance, 0.0, 0.95);
  return std::max(2.0, count * (1.0 - correlation) / (1.0 + correlation));
}

Interval around(double value, std::span<const double> values) {
  const double count = effective_count(values);
  const double half =
      student_t_quantile(0.975, std::max(1.0, count - 1.0)) * standard_deviation(values) / std::sqrt(count);
  return {value, value - half, value + half};
}

/// Integral over the device's own time-stamps, divided by the time that it covers.
double trapezoid(std::span<const Stretch> stretches) {
  double area = 0.0;
  double time = 0.0;
  for (const Stretch& stretch : stretches) {
    for (std::size_t i = 1; i < stretch.size(); ++i) {
      const double width = (stretch[i].at - stretch[i - 1].at).value();
      area += 0.5 * (stretch[i].value + stretch[i - 1].value) * width;
      time += width;
    }
  }
  return area / time;
}

/// The first reading of each new value: only there the counter is known to be current.
Stretch steps_of(const Stretch& readings) {
  Stretch steps;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (readings[i].value != readings[i - 1].value) steps.push_back(readings[i]);
  }
  return steps;
}

}  // namespace

std::string_view to_string(EnergyMethod method) {
  switch (method) {
    case EnergyMethod::automatic:
      return "automatic";
    case EnergyMethod::median_power:
      return "median_power";
    case EnergyMethod::trapezoid:
      return "trapezoid";
    case EnergyMethod::counter:
      return "counter";
  }
  return "";
}

std::optional<EnergyMethod> energy_method_from(std::string_view name) {
  for (const EnergyMethod method :
       {EnergyMethod::automatic, EnergyMethod::median_power, EnergyMethod::trapezoid, EnergyMethod::counter}) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}

std::optional<Interval> mean_power(std::span<const Stretch> stretches, EnergyMethod method) {
  std::vector<double> values;
  bool covers_time = false;
  for (const Stretch& stretch : stretches) {
    for (const Reading& reading : stretch) values.push_back(reading.value);
    covers_time = covers_time || (stretch.size() > 1 && stretch.back().at > stretch.front().at);
  }
  if (!covers_time) return std::nullopt;
  return around(method == EnergyMethod::median_power ? median(values) : trapezoid(stretches), values);
}

std::optional<Interval> counter_power(std::span<const Stretch> stretches, std::size_t& backwards) {
  backwards = 0;
  std::vector<double> powers;
  double energy = 0.0;
  double time = 0.0;
  for (const Stretch& stretch : stretches) {
    const Stretch steps = steps_of(stretch);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const double rise = steps[i].value - steps[i - 1].value;
      const double duration = (steps[i].at - steps[i - 1].at).value();
      if (rise < 0.0) ++backwards;
      if (rise < 0.0 || duration <= 0.0) continue;
      energy += rise;
      time += duration;
      powers.push_back(rise / duration);
    }
  }
  if (powers.size() < 2) return std::nullopt;
  return around(energy / time, powers);
}

}  // namespace wattune
