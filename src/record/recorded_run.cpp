// A recording as a run and a run as a recording, so that every command takes either.
#include <algorithm>
#include <cmath>
#include <limits>

#include "wattune/recorded_space.hpp"

namespace wattune {

namespace {

/// The quantity that an objective names; nothing when the entry does not have it.
std::optional<double> quantity_of(const RecordedSpace& space, std::size_t entry, const std::string& name) {
  if (name == "time") return space.time[entry] > 0.0 ? std::optional(space.time[entry]) : std::nullopt;
  if (const RecordedNumbers* numbers = space.find_numbers(name)) return numbers->at(entry);
  if (name == "energy") {
    const auto energy = space.energy(entry);
    return energy ? std::optional(energy->value()) : std::nullopt;
  }
  if (name == "power") {
    const auto power = space.power(entry);
    return power ? std::optional(power->value()) : std::nullopt;
  }
  return std::nullopt;
}

/// Value positions of the default configuration: first values, but the highest of clocks and caps (as a device runs
/// before anybody touches it).
std::vector<std::uint32_t> default_digits(const RecordedSpace& space) {
  std::vector<std::uint32_t> digits;
  for (const RunParameter& parameter : space.parameters) {
    const auto found = std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value);
    digits.push_back(found == parameter.values.end() ? 0
                                                     : static_cast<std::uint32_t>(found - parameter.values.begin()));
  }
  return digits;
}

/// Column `name` with `entries` rows, made when it does not exist yet.
RecordedNumbers& column_of(RecordedSpace& space, const std::string& name, std::size_t entries) {
  for (RecordedNumbers& column : space.numbers) {
    if (column.name == name) return column;
  }
  space.numbers.push_back({name, "", std::vector<double>(entries, 0.0), std::vector<std::uint8_t>(entries, 0)});
  return space.numbers.back();
}

void put_numbers(RecordedSpace& space, const Run& run, std::size_t entry) {
  const Outcome& outcome = run.outcomes[entry];
  const auto put = [&](const std::string& name, double number) {
    if (!std::isfinite(number)) return;
    RecordedNumbers& column = column_of(space, name, run.outcomes.size());
    column.values[entry] = number;
    column.present[entry] = 1;
    if (const auto unit = run.head.metric_units.find(name); unit != run.head.metric_units.end())
      column.unit = unit->second;
  };
  if (outcome.power) put("power", outcome.power->value());
  if (outcome.energy) put("energy", outcome.energy->value());
  for (const auto& [name, number] : outcome.observed) put(name, number);
  for (const auto& [name, number] : outcome.metrics) put(name, number);
}

std::uint32_t digit_of(RunParameter& parameter, const Value& value) {
  const auto found = std::find(parameter.values.begin(), parameter.values.end(), value);
  if (found != parameter.values.end()) return static_cast<std::uint32_t>(found - parameter.values.begin());
  parameter.values.push_back(value);
  return static_cast<std::uint32_t>(parameter.values.size() - 1);
}

}  // namespace

std::optional<std::size_t> best_entry(const RecordedSpace& space) {
  if (space.objectives.empty()) return std::nullopt;
  const ObjectiveRecord& objective = space.objectives.front();
  std::optional<std::size_t> best;
  double best_score = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.status[i] != Status::correct) continue;
    const auto quantity = quantity_of(space, i, objective.name);
    const double score = quantity ? (objective.maximize ? -*quantity : *quantity) : best_score;
    if (score < best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

std::optional<std::size_t> default_entry(const RecordedSpace& space) {
  const auto entry = RecordedIndex(space).find(default_digits(space));
  if (entry && space.status[*entry] == Status::correct) return entry;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.status[i] != Status::correct) continue;
    if (!first || std::ranges::lexicographical_compare(space.digits_of(i), space.digits_of(*first))) first = i;
  }
  return first;
}

RunRecord head_of(const RecordedSpace& space) {
  RunRecord head;
  head.name = space.kernel_name;
  head.spec_path = space.source;
  head.key.kernel = space.kernel_name;
  head.key.problem = space.problem;
  head.device_name = space.device_name;
  head.parameters = space.parameters;
  constexpr const char* axes[] = {"problem_size_x", "problem_size_y", "problem_size_z"};
  for (std::size_t i = 0; i < space.problem_size.size(); ++i) {
    head.problem.emplace_back(i < 3 ? axes[i] : "problem_size_" + std::to_string(i), space.problem_size[i]);
  }
  head.objectives = space.objectives;
  for (const RecordedNumbers& column : space.numbers) {
    if (!column.unit.empty()) head.metric_units[column.name] = column.unit;
  }
  head.provenance = Provenance::replayed;
  head.space_size = space.size();
  head.cartesian_size = space.cartesian_size();
  head.state = RunState::finished;
  head.note = space.note;
  for (std::size_t i = 0; i < space.size(); ++i) head.seconds += space.cost(i);
  return head;
}

Run to_run(const RecordedSpace& space) {
  Run run;
  run.head = head_of(space);
  run.outcomes.reserve(space.size());
  for (std::size_t i = 0; i < space.size(); ++i) run.outcomes.push_back(space.outcome(i));
  run.best_index = best_entry(space);
  run.default_index = default_entry(space);
  return run;
}

RecordedSpace to_recording(const Run& run) {
  RecordedSpace space;
  space.source = run.head.spec_path;
  space.format = "run";
  space.kernel_name = run.head.key.kernel;
  space.device_name = run.head.device_name;
  space.problem = run.head.key.problem;
  for (const auto& [name, size] : run.head.problem) space.problem_size.push_back(size);
  space.objectives = run.head.objectives;
  if (space.objectives.empty()) space.objectives.push_back({"time", false, "s"});
  space.parameters = run.head.parameters;
  space.times.name = "times";
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    for (std::size_t p = 0; p < space.parameters.size(); ++p) {
      space.digits.push_back(p < outcome.configuration.size() ? digit_of(space.parameters[p], outcome.configuration[p])
                                                              : 0);
    }
    space.status.push_back(outcome.status);
    space.time.push_back(outcome.time ? outcome.time->time.value : 0.0);
    space.compile_time.push_back(outcome.compile_time.value());
    space.verify_time.push_back(outcome.verify_time.value());
    space.benchmark_time.push_back(outcome.benchmark_time.value());
    space.overhead.push_back(outcome.overhead.value());
    space.finished_at.push_back(outcome.finished_at.value());
    if (outcome.time) {
      for (Seconds sample : outcome.time->samples) space.times.values.push_back(sample.value());
    }
    space.times.ends.push_back(space.times.values.size());
    if (!outcome.message.empty()) space.messages[i] = outcome.message;
    put_numbers(space, run, i);
  }
  return space;
}

}  // namespace wattune
