// V(f) from readings of the core voltage: flat, then rising in one of the forms.
#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/least_squares.hpp"
#include "model/power/form_fit.hpp"
#include "wattune/statistics.hpp"

namespace wattune::model {
namespace {

struct Voltages {
  std::vector<double> clocks, volts;  // GHz, V; ascending by clock
};

PowerCurve curve_of(VoltageRise rise, std::span<const double> point) {
  PowerCurve curve;
  curve.rise = rise;
  if (point.size() > 1) curve.ridge = point[1];
  if (point.size() > 2) curve.b = point[2];
  if (point.size() > 3) curve.c = point[3];
  return curve;
}

std::size_t parameters_of(VoltageRise rise) {
  return rise == VoltageRise::none ? 1 : rise == VoltageRise::mixed ? 4 : 3;
}

FormFit fit(const Voltages& data, VoltageRise rise) {
  const std::size_t n = data.clocks.size();
  const double width = data.clocks.back() - data.clocks.front();
  const double least = *std::min_element(data.volts.begin(), data.volts.end());
  const double steepest = 100.0 / (width * std::min(width, 1.0));
  learn::LeastSquaresProblem problem;
  problem.parameters = parameters_of(rise);
  problem.residuals = n;
  problem.evaluate = [&](std::span<const double> point, std::span<double> residuals) {
    const PowerCurve curve = curve_of(rise, point);
    for (std::size_t i = 0; i < n; ++i)
      residuals[i] = point[0] * curve.voltage(Hertz(data.clocks[i] * 1e9)) / data.volts[i] - 1.0;
    return true;
  };
  problem.lower = {0.5 * least, data.clocks.front(), 0.0, 0.0};
  problem.upper = {2.0 * least, data.clocks[n - 2], steepest, steepest};
  problem.typical = {least, data.clocks.back(), 1.0 / width, 1.0 / width};
  std::vector<std::vector<double>> starts;
  for (int step = 1; step < 10; ++step) {
    const double ridge = data.clocks.front() + 0.1 * step * (data.clocks[n - 2] - data.clocks.front());
    starts.push_back({least, ridge, 0.3 / width, 0.3 / width});
  }
  for (auto* list : {&problem.lower, &problem.upper, &problem.typical}) list->resize(problem.parameters);
  for (auto& start : starts) start.resize(problem.parameters);
  const learn::LeastSquaresResult result = learn::least_squares(problem, starts);

  FormFit found;
  found.parameters = problem.parameters;
  found.determined = !result.covariance.empty();
  found.fit.curve = curve_of(rise, result.point);
  found.fit.sum_of_squares = result.sum_of_squares;
  found.fit.aicc = akaike(result.sum_of_squares, n, problem.parameters, true);
  if (rise == VoltageRise::none) return found;
  found.at_low_end = result.point[1] <= problem.lower[1];
  found.at_high_end = result.point[1] >= problem.upper[1];
  const double half = found.determined
                          ? student_t_quantile(0.975, static_cast<double>(result.degrees)) * result.error(1)
                          : std::numeric_limits<double>::infinity();
  found.fit.ridge = {result.point[1] * 1e9, std::max(result.point[1] - half, data.clocks.front()) * 1e9,
                     std::min(result.point[1] + half, data.clocks.back()) * 1e9};
  return found;
}

}  // namespace

FormFit fit_voltage(std::span<const PowerSample> samples) {
  Voltages data;
  for (const PowerSample& sample : samples) {
    data.clocks.push_back(sample.clock.value() * 1e-9);
    data.volts.push_back(sample.voltage->value());
  }
  FormFit best = fit(data, VoltageRise::none);
  for (const VoltageRise rise : {VoltageRise::linear, VoltageRise::quadratic, VoltageRise::mixed}) {
    if (samples.size() < parameters_of(rise) + 3) continue;  // AICc needs two points more than parameters and variance
    const FormFit other = fit(data, rise);
    if (other.fit.aicc < best.fit.aicc) best = other;
  }
  return best;
}

}  // namespace wattune::model
