#include "cli/fastest.hpp"

namespace wattune::cli {

std::optional<std::uint64_t> fastest_with_energy(const Run& run) {
  const auto measured = [](const Outcome& outcome) {
    return outcome.status == Status::correct && outcome.time && outcome.energy &&
           outcome.observed.contains("energy_method");
  };
  const bool by_time = run.head.objectives.empty() || run.head.objectives.front().name == "time";
  if (by_time || !run.best_index || !measured(run.outcomes[*run.best_index])) return std::nullopt;
  std::optional<std::uint64_t> fastest;
  for (std::uint64_t i = 0; i < run.outcomes.size(); ++i) {
    const Outcome& outcome = run.outcomes[i];
    if (!measured(outcome)) continue;
    if (!fastest || outcome.time->time.value < run.outcomes[*fastest].time->time.value) fastest = i;
  }
  return fastest;
}

}  // namespace wattune::cli
