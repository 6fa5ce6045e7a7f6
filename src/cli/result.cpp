// The result of a run as a person reads it.
#include <algorithm>
#include <ostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/fastest.hpp"
#include "wattune/objective.hpp"

namespace wattune::cli {
namespace {

const Finalist* finalist_of(const Run& run, std::uint64_t index) {
  const auto found = std::ranges::find(run.finalists, index, &Finalist::index);
  return found == run.finalists.end() ? nullptr : &*found;
}

Interval time_of(const Run& run, std::uint64_t index) {
  if (const Finalist* finalist = finalist_of(run, index)) return finalist->time;
  const Outcome& outcome = run.outcomes[index];
  return outcome.time ? outcome.time->time : Interval{};
}

std::string quantity_text(const RunRecord& head, const std::string& name, double value) {
  const auto unit = head.metric_units.find(name);
  std::string unit_text = unit == head.metric_units.end() ? std::string(built_in_unit(name)) : unit->second;
  if (unit_text.empty() && name.find('/') != std::string::npos) unit_text = name;  // "GFLOP/s" says it itself
  return (unit_text.empty() ? name + " " : std::string()) + base::format_si(value, unit_text);
}

/// Metrics, objectives other than time, energy and power, each once.
std::string quantities_text(const Run& run, const Outcome& outcome) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool time = name.starts_with("time");
    if (!time && quantity(outcome, name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const ObjectiveRecord& objective : run.head.objectives) add(objective.name);
  for (const auto& [name, value] : outcome.metrics) add(name);
  const bool measured_energy = outcome.observed.contains("energy_method");  // energy_text() tells it with its interval
  if (measured_energy)
    std::erase_if(names, [](const std::string& name) { return name == "energy" || name == "power"; });
  if (outcome.energy && !measured_energy) add("energy");
  if (outcome.power && !measured_energy) add("power");
  if (run.head.provenance == Provenance::replayed) {
    for (const auto& [name, value] : outcome.observed) {
      if (name.find('/') != std::string::npos) add(name);  // rates, which other tools store beside what they measured
    }
  }
  std::string text;
  for (const std::string& name : names) text += ", " + quantity_text(run.head, name, *quantity(outcome, name));
  return text;
}

/// " ±0.6 %", or nothing where no samples tell.
std::string spread_text(const Interval& interval) {
  return interval.low < interval.high ? " ±" + base::format_fixed(interval.percent(), 1) + " %" : "";
}

std::string speedup_text(const Interval& speedup) {
  return base::format_fixed(speedup.value, speedup.value < 10.0 ? 2 : 1) + "x the speed of the default configuration" +
         (speedup.low < speedup.high ? ", ±" + base::format_fixed(speedup.percent(), 1) + " %" : "");
}

/// "Run 3: gemm on NVIDIA H200 (M=4096)"; a recording that is no run has no number.
void print_title(const RunRecord& head, std::ostream& out) {
  if (head.id > 0) out << "Run " << head.id << ": ";
  out << (head.key.kernel.empty() ? head.name : head.key.kernel);
  if (!head.device_name.empty()) out << " on " << head.device_name;
  if (!head.key.problem.empty()) out << " (" << head.key.problem << ")";
  if (const auto source = head.device_details.find("recording"); source != head.device_details.end())
    out << ", replayed from " << source->second;
  out << '\n';
}

/// ", 0.31 J ±0.4 %, 152 W": what was measured again as a finalist, else in the search; "" without energy.
std::string energy_text(const Outcome& outcome, const Finalist* finalist, const Interval& time) {
  if (finalist != nullptr && !finalist->energy_samples.empty()) {
    return ", " + base::format_si(finalist->energy.value, "J") + " ±" +
           base::format_fixed(finalist->energy.percent(), 1) + " %, " +
           base::format_si(finalist->energy.value / time.value, "W");
  }
  if (!outcome.energy || !outcome.power || !outcome.observed.contains("energy_method")) return {};
  std::string text = ", " + base::format_si(outcome.energy->value(), "J");
  if (const auto found = outcome.observed.find("energy_interval_percent"); found != outcome.observed.end())
    text += " ±" + base::format_fixed(found->second, 1) + " %";
  return text + ", " + base::format_si(outcome.power->value(), "W");
}

std::string gain_text(const Interval& gain) {
  std::string text = base::format_fixed(100.0 * (1.0 - 1.0 / gain.value), 1) +
                     " % less energy than the default configuration" +
                     (gain.low < gain.high ? ", ±" + base::format_fixed(gain.percent(), 1) + " %" : "");
  if (gain.low <= 1.0) text += "; the difference is not established";
  return text;
}

/// "MWG = 64, core_clock_mhz = 1410": what could have been chosen differently.
std::string configuration_text(const RunRecord& head, const Outcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < head.parameters.size(); ++i) {
    if (head.parameters[i].values.size() < 2) continue;
    text += (text.empty() ? "" : ", ") + head.parameters[i].name + " = " + to_string(outcome.configuration[i]);
  }
  return text;
}

/// Where something else than time was minimised: the fastest beside the best, and what lies between them.
void print_fastest(const Run& run, std::ostream& out) {
  const std::optional<std::uint64_t> index = fastest_with_energy(run);
  if (!index || index == run.best_index) return;
  const Outcome& fastest = run.outcomes[*index];
  const Outcome& best = run.outcomes[*run.best_index];
  const Interval time = time_of(run, *index), best_time = time_of(run, *run.best_index);
  const Finalist* finalist = finalist_of(run, *run.best_index);
  const bool again = finalist != nullptr && !finalist->energy_samples.empty();
  const double best_energy = again ? finalist->energy.value : best.energy->value();
  out << "  Fastest: " << base::format_seconds(Seconds(time.value)) << spread_text(time)
      << energy_text(fastest, finalist_of(run, *index), time)
      << (fastest.provenance == Provenance::simulated ? ", simulated" : "") << ": "
      << configuration_text(run.head, fastest) << '\n'
      << "  The best takes " << base::format_fixed(100.0 * (best_time.value / time.value - 1.0), 1)
      << " % longer than the fastest for "
      << base::format_fixed(100.0 * (1.0 - best_energy / fastest.energy->value()), 1) << " % less energy.\n";
}

/// What clock a run's duration was taken on, where it was not the one on the wall.
const char* time_kind(Provenance provenance) {
  return provenance == Provenance::replayed    ? " of recorded time"
         : provenance == Provenance::simulated ? " of simulated time"
                                               : "";
}

/// How the best compares with the default, from re-measured times, else from those of the recording.
void print_speedup(const Run& run, std::ostream& out) {
  if (run.default_index == run.best_index) {
    out << "  The default configuration is the best found.\n";
    return;
  }
  const Finalist* finalist = finalist_of(run, *run.best_index);
  if (finalist == nullptr || !(finalist->speedup.value > 0.0)) return;
  const Outcome& baseline = *default_outcome(run);
  const Interval time = run.default_index ? time_of(run, *run.default_index)
                        : baseline.time   ? baseline.time->time
                                          : Interval{};
  out << "  " << speedup_text(finalist->speedup) << " (" << base::format_seconds(Seconds(time.value)) << ")";
  if (finalist->speedup.low <= 1.0 && finalist->speedup.high >= 1.0) out << "; the difference is not established";
  out << '\n';
  if (finalist->energy_gain.value > 0.0) out << "  " << gain_text(finalist->energy_gain) << '\n';
}

}  // namespace

void print_configuration(const RunRecord& head, const Outcome& outcome, std::ostream& out) {
  for (std::size_t i = 0; i < head.parameters.size(); ++i) {
    const RunParameter& parameter = head.parameters[i];
    if (parameter.values.size() < 2) continue;
    out << "    " << parameter.name << " = " << to_string(outcome.configuration[i]);
    if (!(outcome.configuration[i] == parameter.default_value))
      out << "   (default " << to_string(parameter.default_value) << ")";
    out << '\n';
  }
}

std::string statuses_text(std::span<const Status> statuses) {
  std::string text;
  for (const Status status : all_statuses) {
    const auto count = std::ranges::count(statuses, status);
    if (count == 0) continue;
    text += (text.empty() ? " " : ", ") + base::format_count(static_cast<std::uint64_t>(count)) + " " +
            std::string(to_string(status));
  }
  return text;
}

void print_best(const Run& run, std::ostream& out) {
  const Outcome& best = run.outcomes[*run.best_index];
  out << "  Best: ";
  if (best.time) {
    const Interval time = time_of(run, *run.best_index);
    out << base::format_seconds(Seconds(time.value)) << spread_text(time)
        << energy_text(best, finalist_of(run, *run.best_index), time) << quantities_text(run, best);
  } else {
    out << quantities_text(run, best).substr(2);
  }
  const bool replayed = best.provenance == Provenance::replayed;  // recordings seldom say
  if (best.provenance == Provenance::simulated) {
    out << ", simulated";  // where nothing is computed, nothing can be verified
  } else if (best.verification != Verification::none || !replayed) {
    out << ", " << (best.verification == Verification::none ? "not verified" : to_string(best.verification));
  }
  out << '\n';
  print_configuration(run.head, best, out);
}

void print_result(const Run& run, std::ostream& out) {
  print_title(run.head, out);
  if (run.best_index) {
    print_best(run, out);
    print_speedup(run, out);
    print_fastest(run, out);
  } else {
    out << "  No configuration succeeded.\n";
  }
  const bool replayed = run.head.provenance == Provenance::replayed;
  out << "  " << base::format_count(run.outcomes.size()) << " of " << base::format_count(run.head.space_size)
      << " configurations evaluated";
  if (!replayed || run.head.seconds.value() > 0.0)  // some recordings have no durations
    out << " in " << base::format_seconds(run.head.seconds) << time_kind(run.head.provenance);
  std::vector<Status> statuses;
  for (const Outcome& outcome : run.outcomes) statuses.push_back(outcome.status);
  out << ":" << statuses_text(statuses) << '\n';
  if (!run.head.strategy.empty())
    out << "  " << run.head.note << "; strategy " << run.head.strategy << ", seed " << run.head.seed << '\n';
  else if (!run.head.note.empty())
    out << "  note: " << run.head.note << '\n';
}

}  // namespace wattune::cli
