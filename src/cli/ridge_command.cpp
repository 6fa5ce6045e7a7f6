// `wattune ridge`: where a device's voltage begins to rise, which clock takes the least energy, and which clocks are
// worth measuring.
#include <algorithm>
#include <iostream>

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/plot.hpp"
#include "cli/sources.hpp"
#include "wattune/clock_range.hpp"
#include "wattune/device_facts.hpp"
#include "wattune/energy_curve.hpp"
#include "wattune/power_model.hpp"

namespace wattune::cli {
namespace {

struct Supported {
  std::vector<Hertz> clocks;
  std::string origin;
};

/// The clocks that may be set: as given, else published for the device, else those that were asked for in the data.
Supported supported_clocks(const RidgeCommand& command, const std::string& device,
                           const std::vector<PowerSample>& samples) {
  if (!command.supported.empty()) return {parse_clocks(command.supported), "supported"};
  if (const DeviceFacts* facts = device_facts(device)) {
    if (auto clocks = facts->supported_clocks(); !clocks.empty()) return {std::move(clocks), "supported"};
  }
  std::vector<Hertz> clocks;
  for (const PowerSample& sample : samples) clocks.push_back(sample.requested.value_or(sample.clock));
  std::sort(clocks.begin(), clocks.end());
  clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  return {std::move(clocks), "sampled"};
}

PowerModelOptions options_of(const RidgeCommand& command) {
  PowerModelOptions options;
  if (command.form != "auto") options.form = voltage_rise_from(command.form);
  return options;
}

/// Everything that is printed, in whichever form.
struct Report {
  std::string device;
  std::vector<PowerSample> samples;
  Supported supported;
  PowerModel model;
  Hertz centre;
  std::vector<Hertz> recommended;
  double reduction_percent = 0.0;
  std::optional<ClockChoice> energy, edp, ed2p;  ///< of a compute-bound kernel, against the highest clock reached
};

/// Clocks of a fine grid over what was reached, for minima that no list of clocks rounds.
std::vector<Hertz> fine_grid(const PowerModel& model) {
  const double low = model.lowest.value();
  const double high = model.fit.curve.reachable(model.lowest, model.highest).value();
  std::vector<Hertz> clocks;
  for (int i = 0; i <= 2000; ++i) clocks.emplace_back(low + (high - low) * i / 2000.0);
  return clocks;
}

Report report_of(const RidgeCommand& command) {
  const RecordedSpace recording = load_recording(command.data, command.store);
  Report report;
  report.device = recording.device_name;
  report.samples = power_samples(recording);
  report.supported = supported_clocks(command, report.device, report.samples);
  report.model = fit_power_model(report.samples, options_of(command));
  if (!report.model.fitted) return report;
  const bool by_ridge = command.centre == "ridge" && report.model.has_ridge;
  const double centre = by_ridge ? report.model.ridge.value : report.model.energy_optimal.value;
  report.centre = nearest_clock(Hertz(centre), report.supported.clocks);
  report.recommended = clocks_around(report.centre, report.supported.clocks, command.spread, command.count);
  report.reduction_percent = 100.0 * (1.0 - static_cast<double>(report.recommended.size()) /
                                                static_cast<double>(report.supported.clocks.size()));
  const EnergyCurve curve = EnergyCurve::compute_bound(report.model.fit.curve);
  const std::vector<Hertz> grid = fine_grid(report.model);
  report.energy = best_clock(curve, grid, 0);
  report.edp = best_clock(curve, grid, 1);
  report.ed2p = best_clock(curve, grid, 2);
  return report;
}

double mhz(double hertz) {
  return hertz * 1e-6;
}

Json number(bool known, double value) {
  return known ? Json(value) : Json(nullptr);
}

Json interval_mhz(bool known, const Interval& interval) {
  return known ? Json{mhz(interval.low), mhz(interval.high)} : Json(nullptr);
}

Json choice_json(const std::optional<ClockChoice>& choice) {
  if (!choice) return nullptr;
  return Json{{"clock_mhz", in_megahertz(choice->clock)},
              {"slowdown_percent", choice->slowdown_percent},
              {"saving_percent", choice->saving_percent}};
}

Json form_json(const PowerFit& fit) {
  const auto interval = [](const Interval& i) { return Json{{"value", i.value}, {"low", i.low}, {"high", i.high}}; };
  Json json{{"voltage_rise", to_string(fit.curve.rise)},
            {"aicc", std::isfinite(fit.aicc) ? Json(fit.aicc) : Json(nullptr)},
            {"mean_abs_error_percent", fit.mean_abs_error},
            {"plausible", fit.plausible},
            {"energy_optimal_clock_mhz", mhz(fit.energy_optimal.value)}};
  json["ridge_mhz"] = number(fit.curve.rise != VoltageRise::none, mhz(fit.ridge.value));
  json["parameters"] = Json{{"base_w", interval(fit.base)},
                            {"dynamic_w_per_ghz", interval(fit.dynamic)},
                            {"b", interval(fit.b)},
                            {"c", interval(fit.c)},
                            {"limit_w", fit.limit ? interval(*fit.limit) : Json(nullptr)},
                            {"memory_w_per_ghz", fit.curve.memory},
                            {"leakage_per_kelvin", fit.curve.leakage}};
  return json;
}

void print_json(const Report& report, std::ostream& out) {
  const PowerModel& model = report.model;
  const double maximum = report.supported.clocks.empty() ? 0.0 : in_megahertz(report.supported.clocks.back());
  Json json;
  json["device"] = report.device;
  json["has_ridge"] = model.has_ridge;
  json["message"] = model.message;
  json["ridge_mhz"] = number(model.has_ridge, mhz(model.ridge.value));
  json["ridge_interval_mhz"] = interval_mhz(model.has_ridge, model.ridge);
  json["ridge_fraction_of_max"] = number(model.has_ridge && maximum > 0.0, mhz(model.ridge.value) / maximum);
  json["power_limit_w"] = number(model.limit.has_value(), model.limit ? model.limit->value : 0.0);
  json["power_limit_interval_w"] = model.limit ? Json{model.limit->low, model.limit->high} : Json(nullptr);
  json["mean_abs_error_percent"] = number(model.fitted, model.fit.mean_abs_error);
  json["voltage_rise"] = to_string(model.fit.curve.rise);
  json["voltage_read"] = model.voltage_read;
  Json clocks = Json::array();
  for (const Hertz clock : report.recommended) clocks.push_back(in_megahertz(clock));
  json["recommended_clocks_mhz"] = std::move(clocks);
  json["reduction_percent"] = number(model.fitted, report.reduction_percent);
  json["energy_optimal_clock_mhz"] = number(model.fitted, mhz(model.energy_optimal.value));
  json["energy_optimal_interval_mhz"] = interval_mhz(model.fitted, model.energy_optimal);
  json["compute_bound"] = Json{
      {"energy", choice_json(report.energy)}, {"edp", choice_json(report.edp)}, {"ed2p", choice_json(report.ed2p)}};
  Json forms = Json::array();
  for (const PowerFit& fit : model.forms) forms.push_back(form_json(fit));
  json["forms"] = std::move(forms);
  json["samples"] = report.samples.size();
  json["limited_samples"] = model.limited_samples;
  json["clocks"] = Json{{"lowest_mhz", in_megahertz(model.lowest)},
                        {"highest_mhz", in_megahertz(model.highest)},
                        {"supported", report.supported.clocks.size()},
                        {"list", report.supported.origin}};
  out << json.dump(2) << '\n';
}

/// One row a sample: what was measured and what the curve says.
void print_csv(const Report& report, std::ostream& out) {
  out << "requested_mhz,clock_mhz,power_w,fitted_w,error_percent,energy_per_cycle_nj\r\n";
  for (const PowerSample& sample : report.samples) {
    if (sample.requested) out << base::format_fixed(in_megahertz(*sample.requested), 3);
    out << ',' << base::format_fixed(in_megahertz(sample.clock), 3) << ','
        << base::format_fixed(sample.power.value(), 3) << ',';
    if (report.model.fitted) {
      const Watts fitted = report.model.fit.curve.power(sample);
      out << base::format_fixed(fitted.value(), 3) << ','
          << base::format_fixed(100.0 * (fitted / sample.power - 1.0), 3);
    } else {
      out << ',';
    }
    out << ',' << base::format_fixed(sample.power.value() / sample.clock.value() * 1e9, 3) << "\r\n";
  }
}

std::string range_text(const Interval& interval) {
  return base::format_fixed(mhz(interval.value), 0) + " MHz (" + base::format_fixed(mhz(interval.low), 0) + " to " +
         base::format_fixed(mhz(interval.high), 0) + ")";
}

std::string cost_text(const ClockChoice& choice) {
  return base::format_fixed(in_megahertz(choice.clock), 0) + " MHz: " + base::format_fixed(choice.slowdown_percent, 1) +
         " % slower, " + base::format_fixed(choice.saving_percent, 1) + " % less energy";
}

std::string list_text(const std::vector<Hertz>& clocks) {
  std::vector<std::string> parts;
  for (const Hertz clock : clocks) parts.push_back(base::format_fixed(in_megahertz(clock), 0));
  if (parts.size() <= 8) return base::join(parts, ", ");
  return parts[0] + ", " + parts[1] + " … " + parts.back();
}

Plot energy_plot(const Report& report) {
  const PowerCurve& curve = report.model.fit.curve;
  const double least = curve.unlimited(report.energy->clock).value() / report.energy->clock.value();
  Plot plot;
  plot.title = "Energy of an operation, relative to the least (o measured, . fitted, E least, R ridge)";
  plot.x_label = "MHz";
  for (const Hertz clock : fine_grid(report.model))
    plot.curve.emplace_back(in_megahertz(clock), curve.unlimited(clock).value() / clock.value() / least);
  for (const PowerSample& sample : report.samples)
    plot.points.emplace_back(in_megahertz(sample.clock), sample.power.value() / sample.clock.value() / least);
  if (report.model.has_ridge) plot.marks.emplace_back(mhz(report.model.ridge.value), 'R');
  plot.marks.emplace_back(mhz(report.model.energy_optimal.value), 'E');
  return plot;
}

void print_text(const Report& report, const RidgeCommand& command, std::ostream& out) {
  const PowerModel& model = report.model;
  out << (report.device.empty() ? std::string("Unnamed device") : report.device) << ": "
      << base::format_count(report.samples.size()) << " samples, " << base::format_fixed(in_megahertz(model.lowest), 0)
      << " to " << base::format_fixed(in_megahertz(model.highest), 0) << " MHz\n  " << model.message << '\n';
  if (!model.fitted) return;
  if (model.has_ridge) {
    const double maximum = in_megahertz(report.supported.clocks.back());
    out << "  Ridge: " << range_text(model.ridge) << ", "
        << base::format_fixed(100.0 * mhz(model.ridge.value) / maximum, 0) << " % of the highest clock; rise "
        << to_string(model.fit.curve.rise) << (model.voltage_read ? ", fitted to readings of the voltage" : "") << '\n';
  }
  out << "  Least energy: " << range_text(model.energy_optimal) << '\n';
  if (model.limit) {
    out << "  Power limit: " << base::format_fixed(model.limit->value, 1) << " W ("
        << base::format_fixed(model.limit->low, 1) << " to " << base::format_fixed(model.limit->high, 1)
        << "), fitted to the plateau\n";
  }
  out << "  Mean error of the curve: " << base::format_fixed(model.fit.mean_abs_error, 2) << " %\n"
      << "  A compute-bound kernel against the highest clock reached:\n"
      << "    energy          " << cost_text(*report.energy) << '\n'
      << "    energy x time   " << cost_text(*report.edp) << '\n'
      << "    energy x time^2 " << cost_text(*report.ed2p) << '\n'
      << "  Clocks to measure: " << list_text(report.recommended) << " MHz, " << report.recommended.size() << " of "
      << report.supported.clocks.size() << ' ' << report.supported.origin << " ones ("
      << base::format_fixed(report.reduction_percent, 1) << " % fewer): " << base::format_fixed(command.spread, 0)
      << " % around " << base::format_fixed(in_megahertz(report.centre), 0) << " MHz\n\n";
  print_plot(energy_plot(report), out);
}

}  // namespace

ExitCode run_command(const RidgeCommand& command, bool json, Console& console) {
  const Report report = report_of(command);
  if (json) {
    print_json(report, console.out());
  } else if (command.csv) {
    print_csv(report, console.out());
  } else {
    print_text(report, command, console.out());
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli
