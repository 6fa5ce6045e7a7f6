#include "tune/replay_evaluator.hpp"

#include <algorithm>

#include "wattune/error.hpp"
#include "wattune/random.hpp"
#include "wattune/statistics.hpp"

namespace wattune::tune {

ReplayEvaluator::ReplayEvaluator(const RecordedSpace& recording, const ReplayTask& task, std::uint32_t samples,
                                 std::uint64_t seed)
    : recording_(recording), task_(task), samples_(samples), seed_(seed) {
  if (samples_ > 0) check_samples();
}

void ReplayEvaluator::check_samples() const {
  if (recording_.times.values.empty())
    throw Error(ExitCode::bad_input, "the recording has no samples to draw from", recording_.source,
                "replay the recorded times: leave out --samples");
  if (!recording_.samples_agree)
    throw Error(ExitCode::bad_input, "the recorded samples are not those of the recorded times, so they are no noise",
                recording_.source, "replay the recorded times: leave out --samples");
  const std::string& objective = task_.objectives().all().front().name;
  const bool raw = objective == "power" || objective.starts_with("energy") || recording_.find_numbers(objective);
  if (raw)
    throw Error(ExitCode::bad_input, "samples are of the time alone, the objective is '" + objective + "'",
                recording_.source, "leave out --samples, or choose time as the objective");
}

Outcome ReplayEvaluator::recorded(ConfigurationId id) const {
  Outcome outcome = recording_.outcome(task_.entry(id));
  // In the order of the space, whose values may be of another kind than the recorded ones (1 for True).
  outcome.configuration = task_.space().values(id);
  task_.judge(outcome);
  return outcome;
}

Outcome ReplayEvaluator::evaluate(ConfigurationId id) {
  const std::size_t entry = task_.entry(id);
  Outcome outcome = recording_.outcome(entry);
  outcome.configuration = task_.space().values(id);
  if (samples_ > 0) blur(outcome, entry);
  task_.judge(outcome);
  clock_.advance(recording_.cost(entry));
  return outcome;
}

void ReplayEvaluator::blur(Outcome& outcome, std::size_t entry) const {
  const std::span<const double> all = recording_.times.at(entry);
  if (!outcome.time || all.empty()) return;
  // The recorded time may be the median of its samples: the noise is relative to their mean, so that it adds no bias.
  const double scale = outcome.time->time.value / mean(all);
  Random random(seed_, entry);
  std::vector<double> drawn(samples_);
  for (double& sample : drawn) sample = scale * all[static_cast<std::size_t>(random.below(all.size()))];
  const Bounds bounds = mean_interval(drawn);
  outcome.time->time = {bounds.value, bounds.low, bounds.high};
  outcome.time->samples.clear();
  for (const double sample : drawn) outcome.time->samples.emplace_back(sample);
}

}  // namespace wattune::tune
