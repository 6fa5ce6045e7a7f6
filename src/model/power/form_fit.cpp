#include "model/power/form_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "learn/least_squares.hpp"
#include "wattune/statistics.hpp"

namespace wattune::model {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

/// Where each quantity of a curve stands in the vector of parameters.
class Layout {
 public:
  explicit Layout(const FormRequest& request) {
    add(&PowerCurve::base);
    add(&PowerCurve::dynamic);
    if (request.voltage == nullptr && request.rise != VoltageRise::none) {
      add(&PowerCurve::ridge);
      add(&PowerCurve::b);
      if (request.rise == VoltageRise::mixed) add(&PowerCurve::c);
    }
    if (request.memory) add(&PowerCurve::memory);
    if (request.leakage) add(&PowerCurve::leakage);
    limit_ = request.limit;
  }

  [[nodiscard]] std::size_t size() const { return members_.size() + (limit_ ? 1 : 0); }
  [[nodiscard]] bool limit() const { return limit_; }
  [[nodiscard]] std::optional<std::size_t> position(double PowerCurve::*member) const {
    const auto found = std::find(members_.begin(), members_.end(), member);
    return found == members_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - members_.begin()));
  }
  void write(std::span<const double> point, PowerCurve& curve) const {
    for (std::size_t i = 0; i < members_.size(); ++i) curve.*members_[i] = point[i];
    if (limit_) curve.limit = point[members_.size()];
  }
  [[nodiscard]] std::vector<double> read(const PowerCurve& curve) const {
    std::vector<double> point;
    for (const auto member : members_) point.push_back(curve.*member);
    if (limit_) point.push_back(curve.limit.value_or(no_bound));
    return point;
  }

 private:
  void add(double PowerCurve::*member) { members_.push_back(member); }
  std::vector<double PowerCurve::*> members_;
  bool limit_ = false;
};

double ghz(Hertz clock) {
  return clock.value() * 1e-9;
}

/// Different clocks of sorted samples, GHz.
std::vector<double> different_clocks(std::span<const PowerSample> samples) {
  std::vector<double> clocks;
  for (const PowerSample& sample : samples) {
    if (clocks.empty() || ghz(sample.clock) > clocks.back()) clocks.push_back(ghz(sample.clock));
  }
  return clocks;
}

/// Everything about the samples that starts and bounds are made of.
struct Scales {
  explicit Scales(std::span<const PowerSample> samples) : clocks(different_clocks(samples)) {
    const auto [low, high] = std::minmax_element(samples.begin(), samples.end(),
                                                 [](const auto& a, const auto& b) { return a.power < b.power; });
    least = low->power.value();
    most = high->power.value();
  }
  std::vector<double> clocks;
  double least = 0.0;
  double most = 0.0;
  [[nodiscard]] double lowest() const { return clocks.front(); }
  [[nodiscard]] double highest() const { return clocks.back(); }
  /// A rise must show at two clocks, or its start and its steepness cannot be told apart.
  [[nodiscard]] double highest_ridge() const { return clocks[clocks.size() - 2]; }
};

/// Straight line through the samples up to a clock (at least the first three), by relative least squares.
void line_below(std::span<const PowerSample> samples, double ridge, PowerCurve& curve) {
  double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double f = ghz(samples[i].clock);
    if (i >= 3 && f > ridge) break;
    const double p = samples[i].power.value();
    const double w = 1.0 / (p * p);
    s += w;
    sx += w * f;
    sxx += w * f * f;
    sy += w * p;
    sxy += w * f * p;
  }
  const double determinant = s * sxx - sx * sx;
  const double slope = determinant > 1e-12 * s * sxx ? (s * sxy - sx * sy) / determinant : 0.0;
  curve.dynamic = std::max(slope, 0.01 * samples.back().power.value());
  curve.base = std::max((sy - curve.dynamic * sx) / s, 0.05 * samples.front().power.value());
}

std::vector<std::vector<double>> starts(std::span<const PowerSample> samples, const Layout& layout, PowerCurve curve) {
  const Scales scales(samples);
  const bool rising = layout.position(&PowerCurve::ridge).has_value();
  const double low = scales.lowest();
  const double width = scales.highest_ridge() - low;
  std::vector<std::vector<double>> points;
  for (int step = 0; step < (rising ? 9 : 1); ++step) {
    if (rising) curve.ridge = low + width * (0.05 + 0.115 * step);
    line_below(samples, rising ? curve.ridge : no_bound, curve);
    for (const double rise : {0.3, 1.5}) {
      curve.b = rising ? rise / (scales.highest() - low) : curve.b;
      curve.c = rising ? curve.b : curve.c;
      curve.limit = layout.limit() ? std::optional(scales.most) : std::nullopt;
      points.push_back(layout.read(curve));
      if (!rising) break;
    }
  }
  return points;
}

void set_bounds(const Scales& scales, const Layout& layout, std::span<const PowerSample> samples,
                learn::LeastSquaresProblem& problem) {
  PowerCurve low, high, typical;
  const double width = scales.highest() - scales.lowest();
  high.base = scales.least;
  high.dynamic = no_bound;
  low.ridge = scales.lowest();
  high.ridge = scales.highest_ridge();
  // Steeper than a doubling of the voltage within a hundredth of the range is not a curve but a step.
  high.b = high.c = 100.0 / (width * std::min(width, 1.0));
  low.memory = -no_bound;
  high.memory = no_bound;
  high.leakage = 0.2;  // per kelvin; silicon shows 0.01 to 0.03
  double least_limited = no_bound;
  for (const PowerSample& sample : samples) {
    if (sample.requested && sample.clock.value() < 0.985 * sample.requested->value())
      least_limited = std::min(least_limited, sample.power.value());
  }
  low.limit = std::isfinite(least_limited) ? 0.95 * least_limited : 0.5 * (scales.least + scales.most);
  high.limit = 1.05 * scales.most;
  typical.base = scales.least;
  typical.dynamic = scales.most / scales.highest();
  typical.ridge = scales.highest();
  typical.b = typical.c = 1.0 / width;
  typical.memory = scales.most;
  typical.leakage = 0.01;
  typical.limit = scales.most;
  problem.lower = layout.read(low);
  problem.upper = layout.read(high);
  problem.typical = layout.read(typical);
}

/// A quantity that follows from the parameters, with its 95 % interval by the delta method.
Interval derived(const learn::LeastSquaresResult& result, const std::vector<double>& typical,
                 const std::function<double(std::span<const double>)>& quantity) {
  const double value = quantity(result.point);
  if (result.covariance.empty()) return {value, -no_bound, no_bound};
  const std::size_t n = result.point.size();
  std::vector<double> slope(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double h = std::max(1e-4 * typical[i], 0.01 * result.error(i));
    std::vector<double> point = result.point;
    point[i] += h;
    const double ahead = quantity(point);
    point[i] -= 2.0 * h;
    slope[i] = (ahead - quantity(point)) / (2.0 * h);
  }
  double variance = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) variance += slope[i] * slope[j] * result.covariance[i * n + j];
  }
  const double half =
      student_t_quantile(0.975, static_cast<double>(result.degrees)) * std::sqrt(std::max(variance, 0.0));
  return {value, value - half, value + half};
}

Interval clamped(Interval interval, double low, double high) {
  interval.low = std::clamp(interval.low, low, high);
  interval.high = std::clamp(interval.high, low, high);
  return interval;
}

void set_intervals(const learn::LeastSquaresResult& result, const learn::LeastSquaresProblem& problem,
                   const Layout& layout, const Scales& scales, PowerFit& fit) {
  const auto of = [&](double PowerCurve::*member) -> Interval {
    const auto at = layout.position(member);
    const double value = fit.curve.*member;
    if (!at) return {value, value, value};
    return derived(result, problem.typical, [&](std::span<const double> point) { return point[*at]; });
  };
  fit.base = of(&PowerCurve::base);
  fit.dynamic = of(&PowerCurve::dynamic);
  fit.b = of(&PowerCurve::b);
  fit.c = of(&PowerCurve::c);
  const double low = scales.lowest() * 1e9;
  const double high = scales.highest() * 1e9;
  if (fit.curve.rise != VoltageRise::none) {
    const Interval ridge = of(&PowerCurve::ridge);
    fit.ridge = clamped({ridge.value * 1e9, ridge.low * 1e9, ridge.high * 1e9}, low, high);
  }
  if (layout.limit()) {
    fit.limit = derived(result, problem.typical, [](std::span<const double> point) { return point.back(); });
  }
  fit.energy_optimal = clamped(derived(result, problem.typical,
                                       [&](std::span<const double> point) {
                                         PowerCurve curve = fit.curve;
                                         layout.write(point, curve);
                                         return curve.energy_optimal(Hertz(low), Hertz(high)).value();
                                       }),
                               low, high);
}

double mean_of(std::span<const PowerSample> samples, const std::function<double(const PowerSample&)>& value) {
  double sum = 0.0;
  for (const PowerSample& sample : samples) sum += value(sample);
  return sum / static_cast<double>(samples.size());
}

}  // namespace

std::size_t parameters_of(const FormRequest& request) {
  return Layout(request).size();
}

double akaike(double sum_of_squares, std::size_t samples, std::size_t parameters, bool corrected) {
  const double n = static_cast<double>(samples);
  const double k = static_cast<double>(parameters + 1);  // and the variance
  if (corrected && n - k - 1.0 <= 0.0) return no_bound;
  const double likelihood = n * std::log(std::max(sum_of_squares / n, 1e-12));
  return likelihood + 2.0 * k + (corrected ? 2.0 * k * (k + 1.0) / (n - k - 1.0) : 0.0);
}

FormFit fit_form(std::span<const PowerSample> samples, const FormRequest& request) {
  const Layout layout(request);
  const Scales scales(samples);
  PowerCurve curve = request.voltage != nullptr ? *request.voltage : PowerCurve{};
  if (request.voltage == nullptr) curve.rise = request.rise;
  if (request.memory) curve.reference_memory = mean_of(samples, [](const auto& s) { return ghz(*s.memory_clock); });
  if (request.leakage) curve.reference_temperature = mean_of(samples, [](const auto& s) { return *s.temperature; });

  learn::LeastSquaresProblem problem;
  problem.parameters = layout.size();
  problem.residuals = samples.size();
  problem.evaluate = [&, trial = curve](std::span<const double> point, std::span<double> residuals) mutable {
    layout.write(point, trial);
    for (std::size_t i = 0; i < samples.size(); ++i) residuals[i] = trial.power(samples[i]) / samples[i].power - 1.0;
    return true;
  };
  set_bounds(scales, layout, samples, problem);
  learn::LeastSquaresOptions options;
  options.max_iterations = 200;
  options.step_tolerance = 1e-9;
  options.decrease_tolerance = 1e-12;
  const learn::LeastSquaresResult result = learn::least_squares(problem, starts(samples, layout, curve), options);

  FormFit found;
  found.parameters = layout.size();
  found.determined = !result.covariance.empty();
  layout.write(result.point, curve);
  PowerFit& fit = found.fit;
  fit.curve = curve;
  fit.sum_of_squares = result.sum_of_squares;
  fit.aicc = akaike(result.sum_of_squares, samples.size(), layout.size(), true);
  fit.mean_abs_error =
      100.0 * mean_of(samples, [&](const auto& s) { return std::abs(curve.power(s) / s.power - 1.0); });
  set_intervals(result, problem, layout, scales, fit);
  if (const auto ridge = layout.position(&PowerCurve::ridge)) {
    found.at_low_end = result.point[*ridge] <= problem.lower[*ridge];
    found.at_high_end = result.point[*ridge] >= problem.upper[*ridge];
  }
  return found;
}

}  // namespace wattune::model
