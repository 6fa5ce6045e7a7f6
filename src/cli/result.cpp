// The result of a run as a person reads it.
#include <algorithm>
#include <ostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
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

std::string metrics_text(const Run& run, const Outcome& outcome) {
  std::string text;
  for (const auto& [name, value] : outcome.metrics) {
    const auto unit = run.head.metric_units.find(name);
    const std::string unit_text = unit == run.head.metric_units.end() ? "" : unit->second;
    text += ", " + (unit_text.empty() ? name + " " : std::string()) + base::format_si(value, unit_text);
  }
  return text;
}

std::string speedup_text(const Interval& speedup) {
  return base::format_fixed(speedup.value, speedup.value < 10.0 ? 2 : 1) +
         "x the speed of the default configuration, ±" + base::format_fixed(speedup.percent(), 1) + " %";
}

void print_configuration(const Run& run, const Outcome& outcome, std::ostream& out) {
  for (std::size_t i = 0; i < run.head.parameters.size(); ++i) {
    const RunParameter& parameter = run.head.parameters[i];
    if (parameter.values.size() < 2) continue;
    out << "    " << parameter.name << " = " << to_string(outcome.configuration[i]);
    if (!(outcome.configuration[i] == parameter.default_value))
      out << "   (default " << to_string(parameter.default_value) << ")";
    out << '\n';
  }
}

}  // namespace

void print_result(const Run& run, std::ostream& out) {
  out << "Run " << run.head.id << ": " << run.head.key.kernel << " on " << run.head.device_name;
  if (!run.head.key.problem.empty()) out << " (" << run.head.key.problem << ")";
  out << '\n';
  if (run.best_index) {
    const Outcome& best = run.outcomes[*run.best_index];
    const Interval time = time_of(run, *run.best_index);
    out << "  Best: " << base::format_seconds(Seconds(time.value)) << " ±" << base::format_fixed(time.percent(), 1)
        << " %" << metrics_text(run, best) << ", "
        << (best.verification == Verification::none ? "not verified" : to_string(best.verification)) << '\n';
    print_configuration(run, best, out);
    const Finalist* finalist = finalist_of(run, *run.best_index);
    if (run.default_index && *run.default_index == *run.best_index) {
      out << "  The default configuration is the best found.\n";
    } else if (finalist != nullptr && finalist->speedup.value > 0.0) {
      out << "  " << speedup_text(finalist->speedup) << " ("
          << base::format_seconds(Seconds(time_of(run, *run.default_index).value)) << ")";
      if (finalist->speedup.low <= 1.0) out << "; the difference is not established";
      out << '\n';
    }
  } else {
    out << "  No configuration succeeded.\n";
  }
  out << "  " << base::format_count(run.outcomes.size()) << " of " << base::format_count(run.head.space_size)
      << " configurations evaluated in " << base::format_seconds(run.head.seconds) << ":";
  for (const Status status : all_statuses) {
    const auto count = std::ranges::count(run.outcomes, status, &Outcome::status);
    if (count > 0) out << ' ' << base::format_count(static_cast<std::uint64_t>(count)) << ' ' << to_string(status);
  }
  out << "\n  " << run.head.note << "; strategy " << run.head.strategy << ", seed " << run.head.seed << '\n';
}

}  // namespace wattune::cli
