#include "wattune/energy_curve.hpp"

#include <algorithm>
#include <cmath>

namespace wattune {
namespace {

double ghz(Hertz clock) {
  return clock.value() * 1e-9;
}

std::array<double, 2> time_functions(Hertz clock) {
  return {1.0, 1.0 / ghz(clock)};
}

std::array<double, 2> power_functions(const PowerCurve& device, Hertz clock) {
  const double v = device.voltage(clock);
  return {1.0, ghz(clock) * v * v};
}

double variance(const std::array<double, 3>& covariance, const std::array<double, 2>& functions) {
  return covariance[0] * functions[0] * functions[0] + 2.0 * covariance[1] * functions[0] * functions[1] +
         covariance[2] * functions[1] * functions[1];
}

}  // namespace

EnergyCurve EnergyCurve::compute_bound(const PowerCurve& device) {
  EnergyCurve curve;
  curve.device_ = device;
  curve.time_.second = 1.0;
  curve.power_.first = device.base;
  curve.power_.second = device.dynamic;
  return curve;
}

// Relative least squares in two coefficients; a coefficient that would be negative is 0.
EnergyCurve::Line EnergyCurve::fit_line(std::span<const std::array<double, 2>> functions,
                                        std::span<const double> values, double noise, double weight) {
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = functions[i][0] / values[i];
    const double b = functions[i][1] / values[i];
    aa += a * a, ab += a * b, bb += b * b, ay += a, by += b;
  }
  const double determinant = aa * bb - ab * ab;
  Line line;
  line.first = (ay * bb - by * ab) / determinant;
  line.second = (by * aa - ay * ab) / determinant;
  bool first_held = false;
  bool second_held = false;
  if (line.second < 0.0) {
    line = {ay / aa, 0.0, {}};
    second_held = true;
  } else if (line.first < 0.0) {
    line = {0.0, by / bb, {}};
    first_held = true;
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double residual = (line.first * functions[i][0] + line.second * functions[i][1]) / values[i] - 1.0;
    squares += residual * residual;
  }
  const double degrees = static_cast<double>(values.size()) - (first_held || second_held ? 1.0 : 2.0);
  const double s2 = (weight * noise * noise + squares) / (weight + degrees);
  if (first_held) {
    line.covariance = {0.0, 0.0, s2 / bb};
  } else if (second_held) {
    line.covariance = {s2 / aa, 0.0, 0.0};
  } else {
    line.covariance = {s2 * bb / determinant, -s2 * ab / determinant, s2 * aa / determinant};
  }
  return line;
}

std::optional<EnergyCurve> EnergyCurve::fit(std::span<const KernelSample> samples, const PowerCurve& device,
                                            const KernelNoise& noise) {
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end(),
                                               [](const auto& a, const auto& b) { return a.clock < b.clock; });
  if (samples.size() < 2 || !(high->clock.value() > 1.001 * low->clock.value())) return std::nullopt;
  std::vector<std::array<double, 2>> of_time, of_power;
  std::vector<double> times, powers;
  for (const KernelSample& sample : samples) {
    of_time.push_back(time_functions(sample.clock));
    of_power.push_back(power_functions(device, sample.clock));
    times.push_back(sample.time.value());
    powers.push_back(sample.power.value());
  }
  EnergyCurve curve;
  curve.device_ = device;
  curve.time_ = fit_line(of_time, times, noise.time, noise.weight);
  curve.power_ = fit_line(of_power, powers, noise.power, noise.weight);
  return curve;
}

Seconds EnergyCurve::time(Hertz clock) const {
  const auto functions = time_functions(clock);
  return Seconds(time_.first * functions[0] + time_.second * functions[1]);
}

Watts EnergyCurve::power(Hertz clock) const {
  const auto functions = power_functions(device_, clock);
  return Watts(power_.first * functions[0] + power_.second * functions[1]);
}

double EnergyCurve::energy_error(Hertz clock) const {
  const double of_time = variance(time_.covariance, time_functions(clock)) / std::pow(time(clock).value(), 2);
  const double of_power =
      variance(power_.covariance, power_functions(device_, clock)) / std::pow(power(clock).value(), 2);
  return std::sqrt(of_time + of_power);
}

double EnergyCurve::fixed_share(Hertz clock) const {
  return time_.first / time(clock).value();
}

ClockChoice best_clock(const EnergyCurve& curve, std::span<const Hertz> clocks, int exponent) {
  const Hertz fastest = *std::min_element(clocks.begin(), clocks.end(), [&](Hertz a, Hertz b) {
    return curve.time(a) != curve.time(b) ? curve.time(a) < curve.time(b) : a < b;
  });
  const auto cost = [&](Hertz clock) {
    return curve.energy(clock).value() * std::pow(curve.time(clock).value(), exponent);
  };
  const Hertz best = *std::min_element(
      clocks.begin(), clocks.end(), [&](Hertz a, Hertz b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a > b; });
  ClockChoice choice{best, curve.time(best), curve.power(best), curve.energy(best)};
  choice.slowdown_percent = 100.0 * (choice.time / curve.time(fastest) - 1.0);
  choice.saving_percent = 100.0 * (1.0 - choice.energy / curve.energy(fastest));
  return choice;
}

}  // namespace wattune
