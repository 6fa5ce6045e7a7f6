// `wattune import`: what a recording of another tool holds; kept as a run or written in another format on request.
#include <algorithm>
#include <iostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/sources.hpp"
#include "wattune/formats.hpp"
#include "wattune/objective.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

/// One line of values: all of a short list, else its ends.
std::string values_text(const std::vector<Value>& values) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.size() > most && i == most - 2) {
      text += ", … ";
      i = values.size() - 1;
    } else if (i > 0) {
      text += ", ";
    }
    text += to_string(values[i]);
  }
  return text;
}

std::size_t most_samples(const RecordedSpace& recording) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < recording.times.ends.size(); ++i) most = std::max(most, recording.times.at(i).size());
  return most;
}

/// Best and default alone: a recording may hold millions of entries, which as outcomes would take several times the
/// memory.
Run extremes(const RecordedSpace& recording) {
  Run run;
  run.head = head_of(recording);
  if (const auto best = best_entry(recording)) {
    run.best_index = run.outcomes.size();
    run.outcomes.push_back(recording.outcome(*best));
  }
  if (const auto entry = default_entry(recording)) {
    run.default_index = run.outcomes.size();
    run.outcomes.push_back(recording.outcome(*entry));
  }
  return run;
}

Json summary_json(const RecordedSpace& recording, const Run& run, std::size_t duplicates) {
  Json json;
  json["file"] = recording.source;
  json["format"] = recording.format;
  json["kernel"] = recording.kernel_name;
  json["device"] = recording.device_name;
  json["problem"] = recording.problem;
  json["entries"] = recording.size();
  json["valid"] = recording.correct_count();
  json["cartesian"] = recording.cartesian_size();
  json["duplicates"] = duplicates;
  Json statuses = Json::object();
  for (const Status status : all_statuses)
    statuses[std::string(to_string(status))] = std::ranges::count(recording.status, status);
  json["statuses"] = std::move(statuses);
  Json parameters = Json::array();
  for (const RunParameter& parameter : recording.parameters) {
    Json values = Json::array();
    for (const Value& value : parameter.values) values.push_back(to_json(value));
    parameters.push_back(Json{{"name", parameter.name},
                              {"values", std::move(values)},
                              {"default", to_json(parameter.default_value)},
                              {"device", parameter.device}});
  }
  json["parameters"] = std::move(parameters);
  Json objectives = Json::array();
  for (const ObjectiveRecord& objective : recording.objectives)
    objectives.push_back(Json{{"name", objective.name}, {"maximize", objective.maximize}, {"unit", objective.unit}});
  json["objectives"] = std::move(objectives);
  Json quantities = Json::array();
  for (const RecordedNumbers& numbers : recording.numbers)
    quantities.push_back(Json{{"name", numbers.name}, {"unit", numbers.unit}});
  json["quantities"] = std::move(quantities);
  json["samples"] = most_samples(recording);
  json["best"] = run.best_index ? outcome_json(run, *run.best_index) : Json(nullptr);
  json["default"] = run.default_index ? outcome_json(run, *run.default_index) : Json(nullptr);
  json["seconds"] = run.head.seconds.value();
  json["bytes"] = recording.bytes();
  json["note"] = recording.note;
  return json;
}

void print_summary(const RecordedSpace& recording, const Run& run, std::size_t duplicates, std::ostream& out) {
  out << recording.source << ": " << recording.format << " recording of "
      << (recording.kernel_name.empty() ? "an unnamed kernel" : recording.kernel_name) << " on "
      << (recording.device_name.empty() ? "an unnamed device" : recording.device_name);
  if (!recording.problem.empty()) out << " (" << recording.problem << ")";
  out << "\n  " << base::format_count(recording.size()) << " of "
      << base::format_count(static_cast<std::uint64_t>(recording.cartesian_size())) << " combinations:";
  const Seconds cost = run.head.seconds;
  out << statuses_text(recording.status)
      << (cost.value() > 0.0 ? "; " + base::format_seconds(cost) + " to measure" : std::string()) << '\n';
  for (const RunParameter& parameter : recording.parameters)
    out << "    " << parameter.name << ": " << values_text(parameter.values) << (parameter.device ? "   (device)" : "")
        << '\n';
  std::string quantities =
      most_samples(recording) > 0 ? "time with up to " + std::to_string(most_samples(recording)) + " samples" : "time";
  for (const RecordedNumbers& numbers : recording.numbers) quantities += ", " + numbers.name;
  out << "  Recorded: " << quantities << "; objective: " << ObjectiveSet(recording.objectives).describe() << '\n';
  if (run.best_index) {
    print_best(run, out);
  }
  if (duplicates > 0)
    out << "  note: " << base::format_count(duplicates)
        << " entries are replaced by later ones of the same configuration\n";
  if (!recording.note.empty()) out << "  note: " << recording.note << '\n';
}

/// Into the store, as a finished run, in batches.
std::int64_t keep(const RecordedSpace& recording, const std::string& path) {
  constexpr std::size_t batch = 1024;
  RunRecord head = head_of(recording);
  head.key.options = "recording";
  head.device_details["recording"] = recording.source;
  head.device_details["recording_format"] = recording.format;
  head.started_at = real_clock().system();
  head.version = version();
  Store store = Store::open(path);
  head.id = store.begin_run(head);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < recording.size(); ++i) {
    outcomes.push_back(recording.outcome(i));
    if (outcomes.size() < batch && i + 1 < recording.size()) continue;
    store.append_batch(head.id, outcomes);
    outcomes.clear();
  }
  store.update_run(head);
  store.set_result(head.id, default_entry(recording), best_entry(recording), {});
  return head.id;
}

}  // namespace

ExitCode run_command(const ImportCommand& command, bool json, Console& console) {
  const std::optional<ExportFormat> format = export_format_from(command.format);
  if (!format)
    throw Error(ExitCode::usage, "unknown format '" + command.format + "'", "--format",
                "choose t4, kernel_tuner, csv or header");
  RecordedSpace recording = import_recording(command.file);
  if (!command.metadata.empty()) add_t4_metadata(recording, command.metadata);
  const Run run = extremes(recording);
  const std::size_t duplicates = RecordedIndex(recording).duplicates();
  Json document = summary_json(recording, run, duplicates);
  if (!json) print_summary(recording, run, duplicates, console.out());
  if (command.keep || !command.store.empty()) {
    const std::int64_t id = keep(recording, command.store);
    document["run"] = id;
    if (!json) console.notice("Kept as run " + std::to_string(id));
  }
  if (!command.output.empty()) {
    const auto write = [&](std::ostream& out) { return export_recording(recording, *format, out); };
    document["results"] = write_file(command.output, write);
    document["written"] = command.output;
    if (!json) console.notice("Wrote " + document["results"].dump() + " results to " + command.output);
  }
  if (json) console.out() << document.dump(2) << '\n';
  return ExitCode::ok;
}

}  // namespace wattune::cli
