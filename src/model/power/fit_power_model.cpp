// From samples to what can be said of the device: which form, which terms, where the ridge is, and when to say that
// there is none.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/power/form_fit.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

using model::FormFit;
using model::FormRequest;

constexpr std::size_t fewest_clocks = 5;  // four parameters and one degree of freedom
constexpr double narrowest_range = 1.15;  // highest over lowest clock
constexpr double flat_share = 0.10;       // a rise of power below this over the whole range is no compute-bound kernel
constexpr double significance = 0.05;     // for a rise against a straight line
constexpr double least_voltage_rise = 0.01;  // at the highest clock

double mhz(double hertz) {
  return hertz * 1e-6;
}

class Fitting {
 public:
  Fitting(std::span<const PowerSample> samples, const PowerModelOptions& options)
      : samples_(samples.begin(), samples.end()), options_(options) {
    std::stable_sort(samples_.begin(), samples_.end(),
                     [](const PowerSample& a, const PowerSample& b) { return a.clock < b.clock; });
  }

  PowerModel run() {
    if (!usable()) return model_;
    choose_terms();
    fit_forms();
    choose_form();
    summarise();
    return model_;
  }

 private:
  [[nodiscard]] std::size_t different_clocks() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) count += i == 0 || samples_[i - 1].clock < samples_[i].clock;
    return count;
  }

  /// Relative change of power over the range by a straight line through all samples.
  [[nodiscard]] double relative_rise() const {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const PowerSample& sample : samples_) {
      const double x = sample.clock.value();
      const double y = sample.power.value();
      n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return slope * (samples_.back().clock - samples_.front().clock).value() / (sy / n);
  }

  bool usable() {
    const std::size_t count = different_clocks();
    for (const PowerSample& sample : samples_) {
      if (!(sample.clock.value() > 0.0) || !(sample.power.value() > 0.0) || !std::isfinite(sample.power.value()))
        return refuse("a sample has no positive clock or power");
    }
    if (count > 0) {
      model_.lowest = samples_.front().clock;
      model_.highest = samples_.back().clock;
      model_.highest_requested = model_.highest;
      for (const PowerSample& sample : samples_)
        model_.highest_requested = std::max(model_.highest_requested, sample.requested.value_or(sample.clock));
    }
    if (count < fewest_clocks) {
      return refuse(
          fmt::format("{} different clock{} cannot tell a ridge from a straight line: sample at least {}, "
                      "better 7 or more, over the whole range",
                      count, count == 1 ? "" : "s", fewest_clocks));
    }
    if (model_.highest / model_.lowest < narrowest_range) {
      return refuse(fmt::format("the clocks from {:.0f} to {:.0f} MHz lie too close together to show how power rises",
                                in_megahertz(model_.lowest), in_megahertz(model_.highest)));
    }
    if (const double rise = relative_rise(); rise < flat_share) {
      return refuse(
          fmt::format("power changes by only {:.0f} % from {:.0f} to {:.0f} MHz, as that of a kernel bound by "
                      "memory: no ridge can be seen; sample with a compute-bound kernel",
                      100.0 * std::abs(rise), in_megahertz(model_.lowest), in_megahertz(model_.highest)));
    }
    return true;
  }

  bool refuse(std::string why) {
    model_.message = std::move(why);
    return false;
  }

  [[nodiscard]] bool limited(const PowerSample& sample, double most) const {
    return sample.requested && sample.clock.value() < 0.985 * sample.requested->value() &&
           sample.power.value() > 0.9 * most;
  }

  /// Whether a term is worth its parameter: AICc of the quadratic form, by at least 2.
  bool helps(FormRequest request, bool FormRequest::*term) const {
    request.rise = options_.form.value_or(VoltageRise::quadratic);
    const FormFit without = model::fit_form(samples_, request);
    request.*term = true;
    if (samples_.size() < model::parameters_of(request) + 3) return false;
    const FormFit with = model::fit_form(samples_, request);
    return with.determined && with.fit.aicc < without.fit.aicc - 2.0;
  }

  /// The power limit where samples did not reach their clock or lie on a plateau; memory clock and temperature where
  /// they vary; voltage where it was read.
  void choose_terms() {
    double most = 0.0;
    for (const PowerSample& sample : samples_) most = std::max(most, sample.power.value());
    model_.limited_samples = static_cast<std::size_t>(
        std::count_if(samples_.begin(), samples_.end(), [&](const auto& s) { return limited(s, most); }));
    const auto spread = [&](auto value) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (const PowerSample& sample : samples_) {
        const std::optional<double> v = value(sample);
        if (!v) return 0.0;
        low = std::min(low, *v);
        high = std::max(high, *v);
      }
      return high - low;
    };
    const double voltages =
        spread([](const PowerSample& s) { return s.voltage ? std::optional(s.voltage->value()) : std::nullopt; });
    if (voltages > 0.0 && !options_.form) {
      voltage_ = model::fit_voltage(samples_);
      model_.voltage_read = voltage_->fit.curve.rise != VoltageRise::none;
    }
    if (model_.voltage_read) request_.voltage = &voltage_->fit.curve;
    request_.limit = model_.limited_samples > 0 || (plateau(most) && helps(request_, &FormRequest::limit));
    const double memories = spread(
        [](const PowerSample& s) { return s.memory_clock ? std::optional(s.memory_clock->value()) : std::nullopt; });
    if (memories > 1e6) request_.memory = helps(request_, &FormRequest::memory);
    const double kelvins = spread([](const PowerSample& s) { return s.temperature; });
    if (kelvins >= 5.0) request_.leakage = helps(request_, &FormRequest::leakage);
  }

  /// The two highest clocks draw the same power within 2 %.
  [[nodiscard]] bool plateau(double most) const {
    double above = 0.0;
    for (const PowerSample& sample : samples_) {
      if (sample.power.value() > 0.98 * most && sample.clock < samples_.back().clock) above = sample.power.value();
    }
    return above > 0.0 && samples_.back().power.value() > 0.98 * most;
  }

  void fit_forms() {
    std::vector<VoltageRise> rises = {VoltageRise::none, VoltageRise::linear, VoltageRise::quadratic,
                                      VoltageRise::mixed};
    if (options_.form) rises = {VoltageRise::none, *options_.form};
    if (model_.voltage_read) rises = {voltage_->fit.curve.rise};
    for (const VoltageRise rise : rises) {
      FormRequest request = request_;
      request.rise = rise;
      const std::size_t needed = model::parameters_of(request) + (rise == VoltageRise::mixed ? 3 : 1);
      const std::size_t clocks = rise == VoltageRise::mixed ? fewest_clocks + 1 : fewest_clocks;
      if (samples_.size() < needed || different_clocks() < clocks) continue;
      fits_.push_back(model::fit_form(samples_, request));
      if (model_.voltage_read) fits_.back().fit.ridge = voltage_->fit.ridge;
    }
  }

  /// AICc, or AIC when the samples are too few for it (all forms alike).
  [[nodiscard]] double criterion(const FormFit& form, bool corrected) const {
    return model::akaike(form.fit.sum_of_squares, samples_.size(), form.parameters, corrected);
  }

  [[nodiscard]] const FormFit* form(VoltageRise rise) const {
    const auto found =
        std::find_if(fits_.begin(), fits_.end(), [&](const FormFit& f) { return f.fit.curve.rise == rise; });
    return found == fits_.end() ? nullptr : &*found;
  }

  void choose_form() {
    chosen_ = form(VoltageRise::quadratic);
    if (chosen_ == nullptr) chosen_ = &fits_.back();
    const bool corrected = std::isfinite(criterion(*chosen_, true));
    const double standard = criterion(*chosen_, corrected) - options_.evidence;
    for (const FormFit& other : fits_) {
      if (other.fit.curve.rise == VoltageRise::none || &other == chosen_) continue;
      const bool better = criterion(other, corrected) < criterion(*chosen_, corrected);
      if (better && criterion(other, corrected) < standard) chosen_ = &other;
    }
  }

  /// Whether the chosen form does better than a straight line by more than chance, and by a voltage worth speaking of.
  [[nodiscard]] bool rises() const {
    if (chosen_->fit.curve.rise == VoltageRise::none) return false;
    if (chosen_->fit.curve.voltage(model_.highest) < 1.0 + least_voltage_rise) return false;
    const FormFit* line = form(VoltageRise::none);
    if (line == nullptr || model_.voltage_read) return true;
    const double more = static_cast<double>(chosen_->parameters - line->parameters);
    const double degrees = static_cast<double>(samples_.size() - chosen_->parameters);
    const double floor = 1e-12 * static_cast<double>(samples_.size());
    const double rest = std::max(chosen_->fit.sum_of_squares, floor);
    const double gained = line->fit.sum_of_squares - rest;
    return f_distribution_tail(gained / more / (rest / degrees), more, degrees) < significance;
  }

  void mark_plausible() {
    double best = std::numeric_limits<double>::infinity();
    for (const FormFit& f : fits_) best = std::min(best, f.fit.mean_abs_error);
    for (FormFit& f : fits_) {
      f.fit.plausible = f.fit.curve.rise != VoltageRise::none && f.determined && !f.at_low_end && !f.at_high_end &&
                        f.fit.mean_abs_error <= std::max(options_.plausible_error, 2.0 * best);
    }
  }

  void summarise() {
    model_.fitted = true;
    const bool rising = rises();
    mark_plausible();
    if (!rising) {
      const FormFit* line = form(VoltageRise::none);
      if (line != nullptr) chosen_ = line;
    }
    model_.fit = chosen_->fit;
    model_.limit = chosen_->fit.limit;
    for (const FormFit& f : fits_) model_.forms.push_back(f.fit);
    model_.energy_optimal = chosen_->fit.energy_optimal;
    if (!rising) {
      model_.message = fmt::format(
          "power rises in a straight line from {:.0f} to {:.0f} MHz: no ridge lies in this range, and a compute-bound "
          "kernel takes the least energy at its highest clock",
          in_megahertz(model_.lowest), in_megahertz(model_.highest));
      return;
    }
    if (chosen_->at_low_end || chosen_->at_high_end) {
      model_.message = chosen_->at_low_end
                           ? fmt::format(
                                 "voltage rises over the whole range: the ridge lies at or below {:.0f} MHz; "
                                 "sample lower clocks to find it",
                                 in_megahertz(model_.lowest))
                           : fmt::format(
                                 "voltage rises at the highest clocks alone: the ridge lies near {:.0f} MHz; "
                                 "sample more clocks there to find it",
                                 mhz(1e9 * chosen_->fit.curve.ridge));
      model_.message += energy_sentence();
      return;
    }
    model_.has_ridge = true;
    average();
    model_.message = fmt::format("voltage rises above {:.0f} MHz ({:.0f} to {:.0f})", mhz(model_.ridge.value),
                                 mhz(model_.ridge.low), mhz(model_.ridge.high)) +
                     energy_sentence();
    if (model_.limit) {
      const Hertz reached = chosen_->fit.curve.reachable(model_.lowest, model_.highest);
      model_.message += fmt::format("; the device is held at {:.0f} W, which the kernel draws at {:.0f} MHz",
                                    model_.limit->value, in_megahertz(reached));
    }
  }

  [[nodiscard]] std::string energy_sentence() const {
    const double clock = model_.energy_optimal.value;
    const bool edge = clock > 0.999 * model_.highest.value();
    return fmt::format("; a compute-bound kernel takes the least energy {} {:.0f} MHz", edge ? "at or above" : "at",
                       mhz(clock));
  }

  /// Means over plausible forms by Akaike weight. AIC without the correction: that few samples cannot carry many
  /// parameters is no word on where the ridge is when each form is possible. For the energy-optimal clock the quadratic
  /// form is favoured by the evidence asked of others: with noise, kinks fit best where there are none.
  void average() {
    model_.ridge = chosen_->fit.ridge;
    double least = std::numeric_limits<double>::infinity();
    for (const FormFit& f : fits_) {
      if (f.fit.plausible) least = std::min(least, criterion(f, false));
    }
    double weights = 0.0, ridge = 0.0, favoured_weights = 0.0, optimal = 0.0;
    for (const FormFit& f : fits_) {
      if (!f.fit.plausible) continue;
      const double weight = std::exp(-0.5 * (criterion(f, false) - least));
      const bool favoured = f.fit.curve.rise == VoltageRise::quadratic;
      const double favoured_weight = weight * (favoured ? std::exp(0.5 * options_.evidence) : 1.0);
      weights += weight;
      ridge += weight * f.fit.ridge.value;
      favoured_weights += favoured_weight;
      optimal += favoured_weight * f.fit.energy_optimal.value;
      model_.ridge.low = std::min(model_.ridge.low, f.fit.ridge.low);
      model_.ridge.high = std::max(model_.ridge.high, f.fit.ridge.high);
      model_.energy_optimal.low = std::min(model_.energy_optimal.low, f.fit.energy_optimal.low);
      model_.energy_optimal.high = std::max(model_.energy_optimal.high, f.fit.energy_optimal.high);
    }
    if (weights <= 0.0) return;
    model_.ridge.value = ridge / weights;
    model_.energy_optimal.value = optimal / favoured_weights;
  }

  std::vector<PowerSample> samples_;
  const PowerModelOptions& options_;
  PowerModel model_;
  std::optional<FormFit> voltage_;
  FormRequest request_;
  std::vector<FormFit> fits_;
  const FormFit* chosen_ = nullptr;
};

}  // namespace

PowerModel fit_power_model(std::span<const PowerSample> samples, const PowerModelOptions& options) {
  return Fitting(samples, options).run();
}

}  // namespace wattune
