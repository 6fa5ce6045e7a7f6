// `wattune pareto`: what one quantity costs of another: the configurations that none beats in all of them, the ends,
// the knee, choices by intent, and whether the single readings of a recording establish the difference.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "analysis/recorded_quantity.hpp"
#include "base/format.hpp"
#include "base/table.hpp"
#include "cli/commands.hpp"
#include "cli/csv_text.hpp"
#include "cli/evidence_text.hpp"
#include "cli/plot.hpp"
#include "cli/quantity_text.hpp"
#include "cli/sources.hpp"

namespace wattune::cli {
namespace {

struct Choice {
  std::string intent;
  std::optional<std::size_t> entry;  ///< nothing when no configuration meets the condition
};

/// Everything that is printed, in whichever form.
struct Report {
  RecordedSpace recording;
  TradeOff result;
  std::vector<Choice> choices;
  std::optional<EnergyEvidence> evidence;
};

bool is_speed(const TradeOffMetric& metric) {
  return metric.name.starts_with("time") || (metric.maximize && metric.name.ends_with("/s"));
}

/// Quantities in the order of the trade-off: what is given up (speed, where it is among them) before what it buys.
std::vector<TradeOffMetric> metrics_of(const ParetoCommand& command) {
  std::vector<TradeOffMetric> metrics;
  for (const std::string& name : command.minimize) metrics.push_back({name, false});
  for (const std::string& name : command.maximize) metrics.push_back({name, true});
  if (metrics.empty()) metrics = {{"time", false}, {"energy", false}};
  std::stable_partition(metrics.begin(), metrics.end(), is_speed);
  return metrics;
}

std::vector<Choice> choices_of(const RecordedSpace& recording, const std::vector<std::string>& intents) {
  std::vector<Choice> choices;
  if (intents.empty()) return choices;
  const analysis::RecordedQuantity energy(recording, "energy");
  std::vector<TimeAndEnergy> candidates;
  std::vector<std::size_t> entries;
  for (const std::size_t entry : analysis::counting_entries(recording)) {
    const auto joules = energy.at(entry);
    if (!joules || !(recording.time[entry] > 0.0)) continue;
    candidates.push_back({recording.time[entry], *joules});
    entries.push_back(entry);
  }
  for (const std::string& text : intents) {
    const Intent intent = intent_from(text);
    const auto chosen = choose(candidates, intent);
    choices.push_back({to_string(intent), chosen ? std::optional(entries[*chosen]) : std::nullopt});
  }
  return choices;
}

Report report_of(const ParetoCommand& command) {
  Report report;
  report.recording = load_recording(command.source, command.store);
  report.result = trade_off(report.recording, metrics_of(command));
  report.choices = choices_of(report.recording, command.intents);
  const bool energy = std::ranges::any_of(report.result.metrics,
                                          [](const TradeOffMetric& metric) { return concerns_energy(metric.name); });
  if (energy)
    report.evidence = energy_evidence(report.recording,
                                      command.power_limit ? std::optional(Watts(*command.power_limit)) : std::nullopt);
  return report;
}

/// Parameters that differ on the front.
std::vector<std::size_t> varying(const Report& report) {
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < report.recording.parameters.size(); ++p) {
    const Value& first = report.recording.value(report.result.front.front().entry, p);
    if (std::ranges::any_of(report.result.front, [&](const TradeOffPoint& point) {
          return !(report.recording.value(point.entry, p) == first);
        }))
      found.push_back(p);
  }
  return found;
}

Json point_json(const Report& report, const TradeOffPoint& point) {
  Json values = Json::object();
  Json intervals = Json::object();
  for (std::size_t m = 0; m < point.values.size(); ++m) {
    const Interval& interval = point.values[m];
    values[report.result.metrics[m].name] = interval.value;
    intervals[report.result.metrics[m].name] =
        interval.low < interval.high ? Json{interval.low, interval.high} : Json(nullptr);
  }
  const auto energy = report.recording.energy(point.entry);
  return Json{{"parameters", entry_parameters_json(report.recording, point.entry)},
              {"values", std::move(values)},
              {"intervals", std::move(intervals)},
              {"time_s", report.recording.time[point.entry]},
              {"energy_j", energy ? Json(energy->value()) : Json(nullptr)}};
}

Json choices_json(const Report& report) {
  Json choices = Json::array();
  for (const Choice& choice : report.choices) {
    Json json{{"intent", choice.intent}};
    json["parameters"] = choice.entry ? entry_parameters_json(report.recording, *choice.entry) : Json(nullptr);
    json["time_s"] = choice.entry ? Json(report.recording.time[*choice.entry]) : Json(nullptr);
    json["energy_j"] = choice.entry ? Json(report.recording.energy(*choice.entry)->value()) : Json(nullptr);
    choices.push_back(std::move(json));
  }
  return choices;
}

void print_json(const Report& report, std::ostream& out) {
  const TradeOff& result = report.result;
  Json json;
  json["device"] = report.recording.device_name;
  json["kernel"] = report.recording.kernel_name;
  Json metrics = Json::array();
  for (const TradeOffMetric& metric : result.metrics)
    metrics.push_back(Json{{"name", metric.name}, {"maximize", metric.maximize}, {"unit", metric.unit}});
  json["metrics"] = std::move(metrics);
  json["candidates"] = result.candidates;
  json["without"] = result.without;
  Json front = Json::array();
  for (const TradeOffPoint& point : result.front) front.push_back(point_json(report, point));
  json["front"] = std::move(front);
  Json ends = Json::object();
  for (std::size_t m = 0; m < result.metrics.size(); ++m)
    ends[result.metrics[m].name] = point_json(report, result.front[result.ends[m]]);
  json["ends"] = std::move(ends);
  json["tradeoff"] = Json{{"from", result.metrics[0].name},
                          {"to", result.metrics[1].name},
                          {"slower_percent", result.cost_percent},
                          {"saving_percent", result.saving_percent},
                          {"established", result.evidence ? Json(result.evidence->established) : Json(nullptr)},
                          {"evidence", result.evidence ? difference_json(*result.evidence) : Json(nullptr)}};
  json["knee"] = result.knee ? point_json(report, result.front[*result.knee]) : Json(nullptr);
  if (!report.choices.empty()) json["choices"] = choices_json(report);
  json["energy_evidence"] = report.evidence ? evidence_json(report.recording, *report.evidence) : Json(nullptr);
  json["warnings"] = report.evidence ? report.evidence->warnings : std::vector<std::string>{};
  out << json.dump(2) << '\n';
}

void print_csv(const Report& report, std::ostream& out) {
  std::string header;
  for (const TradeOffMetric& metric : report.result.metrics)
    header +=
        csv_cell(metric.name) + "," + csv_cell(metric.name + "_low") + "," + csv_cell(metric.name + "_high") + ",";
  for (const RunParameter& parameter : report.recording.parameters) header += csv_cell(parameter.name) + ",";
  header.back() = '\r';
  out << header << '\n';
  for (const TradeOffPoint& point : report.result.front) {
    std::string row;
    for (const Interval& value : point.values) {
      for (const double number : {value.value, value.low, value.high}) row += significant(number, 9) + ",";
    }
    for (std::size_t p = 0; p < report.recording.parameters.size(); ++p)
      row += csv_cell(to_string(report.recording.value(point.entry, p))) + ",";
    row.back() = '\r';
    out << row << '\n';
  }
}

void print_front(const Report& report, std::ostream& out) {
  const TradeOff& result = report.result;
  std::vector<std::string> headers;
  for (const TradeOffMetric& metric : result.metrics) headers.push_back(metric.name);
  const std::vector<std::size_t> shown = varying(report);
  for (const std::size_t p : shown) headers.push_back(report.recording.parameters[p].name);
  headers.emplace_back("");
  base::Table table(headers);
  for (std::size_t i = 0; i < result.front.size(); ++i) {
    const TradeOffPoint& point = result.front[i];
    std::vector<std::string> row;
    for (std::size_t m = 0; m < result.metrics.size(); ++m)
      row.push_back(interval_text(point.values[m], result.metrics[m].unit, 5));
    for (const std::size_t p : shown) row.push_back(to_string(report.recording.value(point.entry, p)));
    std::string remark;
    for (std::size_t m = 0; m < result.metrics.size(); ++m) {
      if (result.ends[m] == i) remark += (remark.empty() ? "best " : ", best ") + result.metrics[m].name;
    }
    if (result.knee == i) remark += remark.empty() ? "knee" : ", knee";
    row.push_back(remark);
    table.add_row(row);
  }
  table.print(out);
}

/// "20.8 % slower buys 21.2 % less energy", with what the samples say of it.
std::string trade_off_text(const TradeOff& result) {
  const TradeOffMetric& given = result.metrics[0];
  const TradeOffMetric& bought = result.metrics[1];
  if (result.ends[0] == result.ends[1])
    return "one configuration is best in both " + given.name + " and " + bought.name;
  std::string text = base::format_fixed(result.cost_percent, 1) + " % " +
                     (is_speed(given) ? "slower" : (given.maximize ? "less " : "more ") + given.name) + " buys " +
                     base::format_fixed(result.saving_percent, 1) + " % " + (bought.maximize ? "more " : "less ") +
                     bought.name;
  if (!result.evidence) return text + "; no single readings were kept that could establish it";
  const MeanDifference& evidence = *result.evidence;
  return text + (evidence.established ? "; established by its samples: " : "; not established by its samples: ") +
         base::format_fixed(evidence.low_percent, 1) + " to " + base::format_fixed(evidence.high_percent, 1) +
         " % (95 %) after selection among " + base::format_count(result.candidates);
}

/// Whether a front of two quantities can be drawn: everything that counts as dots, the front above it.
Plot plot_of(const Report& report) {
  const TradeOff& result = report.result;
  Plot plot;
  std::array<DisplayUnit, 2> units;
  for (std::size_t m = 0; m < 2; ++m)
    units[m] = display_unit(result.front.front().values[m].value, result.metrics[m].unit);
  const auto labelled = [&](std::size_t m) {
    return result.metrics[m].name + (units[m].name.empty() ? "" : " (" + units[m].name + ")");
  };
  plot.title = labelled(1) + " over " + labelled(0) + " (o front, K knee, . all others)";
  plot.x_label = units[0].name;
  const analysis::RecordedQuantity x(report.recording, result.metrics[0].name);
  const analysis::RecordedQuantity y(report.recording, result.metrics[1].name);
  for (const std::size_t entry : analysis::counting_entries(report.recording)) {
    const auto px = x.at(entry);
    const auto py = y.at(entry);
    if (px && py) plot.curve.emplace_back(*px * units[0].factor, *py * units[1].factor);
  }
  const auto at = [&](std::size_t i, std::size_t m) { return result.front[i].values[m].value * units[m].factor; };
  for (std::size_t i = 0; i < result.front.size(); ++i) plot.points.emplace_back(at(i, 0), at(i, 1));
  if (result.knee) plot.letters.push_back({at(*result.knee, 0), at(*result.knee, 1), 'K'});
  return plot;
}

void print_choices(const Report& report, std::ostream& out) {
  for (const Choice& choice : report.choices) {
    out << "  " << choice.intent << ": ";
    if (!choice.entry) {
      out << "no configuration meets it\n";
      continue;
    }
    const auto one = [](double value) { return Interval{value, value, value}; };
    out << interval_text(one(report.recording.time[*choice.entry]), "s", 5) << ", "
        << interval_text(one(report.recording.energy(*choice.entry)->value()), "J", 5);
    for (std::size_t p = 0; p < report.recording.parameters.size(); ++p) {
      const RunParameter& parameter = report.recording.parameters[p];
      if (parameter.values.size() > 1)
        out << "  " << parameter.name << '=' << to_string(report.recording.value(*choice.entry, p));
    }
    out << '\n';
  }
}

void print_text(const Report& report, std::ostream& out) {
  const TradeOff& result = report.result;
  const std::string& kernel = report.recording.kernel_name;
  out << (kernel.empty() ? std::string("Unnamed kernel") : kernel);
  if (!report.recording.device_name.empty()) out << " on " << report.recording.device_name;
  out << ": " << base::format_count(result.front.size()) << " of " << base::format_count(result.candidates)
      << " configurations are beaten by none in";
  for (std::size_t m = 0; m < result.metrics.size(); ++m)
    out << (m == 0 ? " " : m + 1 == result.metrics.size() ? " and " : ", ") << result.metrics[m].name;
  out << "\n\n";
  print_front(report, out);
  out << "\n  " << trade_off_text(result) << '\n';
  print_choices(report, out);
  if (report.evidence) print_evidence(*report.evidence, out);
  if (result.metrics.size() != 2 || result.front.size() < 2) return;
  out << '\n';
  print_plot(plot_of(report), out);
}

}  // namespace

ExitCode run_command(const ParetoCommand& command, bool json, Console& console) {
  const Report report = report_of(command);
  if (json) {
    print_json(report, console.out());
  } else if (command.csv) {
    print_csv(report, console.out());
  } else {
    print_text(report, console.out());
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli
