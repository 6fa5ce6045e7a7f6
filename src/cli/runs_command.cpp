// `wattune runs` and `wattune show`: what the store holds.
#include <algorithm>
#include <ctime>
#include <iostream>

#include "base/format.hpp"
#include "base/table.hpp"
#include "cli/commands.hpp"
#include "cli/evidence_text.hpp"
#include "cli/json.hpp"
#include "cli/sources.hpp"
#include "wattune/objective.hpp"

namespace wattune::cli {
namespace {

std::string date_text(Seconds system) {
  const auto seconds = static_cast<std::time_t>(system.value());
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::string best_text(const RunRecord& head, const std::optional<Outcome>& best) {
  if (!best) return "-";
  const std::string name = head.objectives.empty() ? "time" : head.objectives.front().name;
  const std::optional<double> value = quantity(*best, name);
  if (!value) return "-";
  if (name == "time") return base::format_seconds(Seconds(*value));
  const auto unit = head.metric_units.find(name);
  return base::format_si(*value, unit != head.metric_units.end() ? unit->second : std::string(built_in_unit(name)));
}

void print_failures(const Run& run, std::ostream& out) {
  for (const Status status : all_statuses) {
    if (status == Status::correct) continue;
    const auto first = std::ranges::find(run.outcomes, status, &Outcome::status);
    if (first == run.outcomes.end() || first->message.empty()) continue;
    out << "\nFirst failure with status " << to_string(status) << ":\n  ";
    for (const char c : first->message) {
      out << c;
      if (c == '\n') out << "  ";
    }
    out << '\n';
  }
}

std::string labelled(std::string name, const std::string& unit) {
  return unit.empty() ? name : name.append(" ").append(unit);
}

/// Quantities worth a column: metrics and recorded numbers with a unit, objectives; those that some outcome has.
std::vector<std::string> columns_of(const Run& run, const std::vector<std::size_t>& rows) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool known =
        std::ranges::any_of(rows, [&](std::size_t i) { return quantity(run.outcomes[i], name).has_value(); });
    if (name != "time" && known && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const ObjectiveRecord& objective : run.head.objectives) add(objective.name);
  for (const auto& [name, unit] : run.head.metric_units) add(name);
  return names;
}

void print_top(const Run& run, std::size_t count, std::ostream& out) {
  const std::vector<std::size_t> rows = best_outcomes(run.outcomes, ObjectiveSet(run.head.objectives), count);
  const std::vector<std::string> columns = columns_of(run, rows);
  std::vector<std::string> headers{"time", "±%"};
  for (const std::string& name : columns) {
    const auto unit = run.head.metric_units.find(name);
    const std::string text = unit == run.head.metric_units.end() ? std::string(built_in_unit(name)) : unit->second;
    headers.push_back(labelled(name, text == name ? std::string() : text));
  }
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < run.head.parameters.size(); ++i) {
    if (run.head.parameters[i].values.size() < 2) continue;
    varying.push_back(i);
    headers.push_back(run.head.parameters[i].name);
  }
  base::Table table(headers);
  for (const std::size_t index : rows) {
    const Outcome& outcome = run.outcomes[index];
    std::vector<std::string> row{"-", "-"};
    if (outcome.time) {
      const Interval& time = outcome.time->time;
      row = {base::format_seconds(Seconds(time.value)),
             time.low < time.high ? base::format_fixed(time.percent(), 1) : std::string("-")};
    }
    for (const std::string& name : columns) {
      const std::optional<double> value = quantity(outcome, name);
      row.push_back(value ? base::format_si(*value, "") : "-");
    }
    for (const std::size_t i : varying) row.push_back(to_string(outcome.configuration[i]));
    table.add_row(row);
  }
  out << '\n';
  table.print(out);
}

}  // namespace

ExitCode run_command(const RunsCommand& command, bool json, Console& console) {
  Store store = Store::open(command.store);
  const std::vector<Store::Listed> runs = store.runs();
  if (json) {
    Json list = Json::array();
    for (const Store::Listed& run : runs) {
      list.push_back(
          Json{{"run", run.head.id},
               {"name", run.head.name},
               {"kernel", run.head.key.kernel},
               {"device", run.head.device_name},
               {"problem", run.head.key.problem},
               {"state", to_string(run.head.state)},
               {"strategy", run.head.strategy},
               {"evaluations", run.outcomes},
               {"started_at", run.head.started_at.value()},
               {"seconds", run.head.seconds.value()},
               {"best_time_s", run.best && run.best->time ? Json(run.best->time->time.value) : Json(nullptr)}});
    }
    console.out() << Json{{"store", store.path()}, {"runs", list}}.dump(2) << '\n';
    return ExitCode::ok;
  }
  if (runs.empty()) {
    console.out() << "No runs in " << store.path() << '\n';
    return ExitCode::ok;
  }
  base::Table table({"run", "started (UTC)", "kernel", "device", "state", "strategy", "evaluations", "best"});
  for (const Store::Listed& run : runs) {
    table.add_row({std::to_string(run.head.id), date_text(run.head.started_at), run.head.key.kernel,
                   run.head.device_name, std::string(to_string(run.head.state)), run.head.strategy,
                   base::format_count(run.outcomes), best_text(run.head, run.best)});
  }
  table.print(console.out());
  return ExitCode::ok;
}

ExitCode run_command(const ShowCommand& command, bool json, Console& console) {
  const RecordedSpace recording = load_recording(command.run, command.store);
  const std::optional<EnergyEvidence> evidence = energy_evidence(recording);
  const Run run = names_run(command.run) ? load_run_or_recording(command.run, command.store) : to_run(recording);
  if (json) {
    Json document = run_json(run);
    Json finalists = Json::array();
    for (const Finalist& finalist : run.finalists) finalists.push_back(outcome_json(run, finalist.index));
    document["finalists"] = std::move(finalists);
    Json top = Json::array();
    for (const std::size_t index : best_outcomes(run.outcomes, ObjectiveSet(run.head.objectives), command.top))
      top.push_back(outcome_json(run, index));
    document["top"] = std::move(top);
    if (evidence) document["energy_evidence"] = evidence_json(recording, *evidence);
    console.out() << document.dump(2) << '\n';
    return ExitCode::ok;
  }
  print_result(run, console.out());
  if (evidence) print_evidence(*evidence, console.out());
  print_top(run, command.top, console.out());
  print_failures(run, console.out());
  return ExitCode::ok;
}

}  // namespace wattune::cli
