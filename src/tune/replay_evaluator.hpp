// Answers "what does this configuration do?" from a recording, as if it were the device: with what was measured, at the
// cost that it had, on a simulated clock. Optionally with the noise of the recorded samples.
#pragma once

#include <cstdint>

#include "tune/replay_task.hpp"
#include "wattune/clock.hpp"
#include "wattune/outcome.hpp"

namespace wattune::tune {

class ReplayEvaluator {
 public:
  /// `samples`, see ReplayRequest; drawn by `seed` and the recorded entry, so that neither order nor batches matter.
  /// Throws Error(bad_input) when the recording has no samples to draw from, or none that belong to its times.
  ReplayEvaluator(const RecordedSpace& recording, const ReplayTask& task, std::uint32_t samples, std::uint64_t seed);

  /// Advances the clock by what the evaluation cost. Throws Error(bad_input) naming a configuration that is absent.
  Outcome evaluate(ConfigurationId id);
  /// What was recorded, without noise and at no cost.
  [[nodiscard]] Outcome recorded(ConfigurationId id) const;
  /// Simulated time spent.
  [[nodiscard]] Seconds elapsed() const { return clock_.monotonic(); }

 private:
  void check_samples() const;
  void blur(Outcome& outcome, std::size_t entry) const;

  const RecordedSpace& recording_;
  const ReplayTask& task_;
  std::uint32_t samples_;
  std::uint64_t seed_;
  ManualClock clock_;
};

}  // namespace wattune::tune
