// Tuning on a recording instead of a device: a recorded space answers every configuration with what was measured then.
// Room `tune`. Nothing waits: the recorded compile, verification and benchmark durations advance a simulated clock,
// which time budgets count. Same recording, request and seed: the same trace, byte for byte.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "wattune/recorded_space.hpp"
#include "wattune/run.hpp"
#include "wattune/spec.hpp"
#include "wattune/store.hpp"
#include "wattune/tune.hpp"

namespace wattune {

struct ReplayRequest {
  const RecordedSpace* recording = nullptr;  ///< what answers; not null
  /// What to search, and how: parameters (the recording's, in any order), constraints, metrics, objectives, strategy,
  /// budget and seed; the rest is not looked at. Constraints that read parameters and problem sizes alone shape the
  /// space. Others are judged on the recorded numbers: an outcome that breaks one has status `constraints`, and has
  /// cost its evaluation.
  Spec spec;
  /// The space is what the recording holds, as far as constraints allow. Otherwise it is all that they allow, and a
  /// configuration that the recording lacks is an Error when it is asked for.
  bool recorded_points = true;
  /// Draws so many of the recorded times of a configuration, with replacement, and answers with their mean: the noise
  /// of a real device. 0: the recorded time.
  std::uint32_t samples = 0;
  double time_scale = 1.0;  ///< what `time` is in expressions, per second: 1e3 for milliseconds
  /// Configurations to begin with; a parameter that is not named takes its default.
  std::vector<std::vector<NamedValue>> start;
  std::size_t jobs = 1;                     ///< configurations that the strategy is asked for at a time
  const std::atomic<bool>* stop = nullptr;  ///< set to end cleanly after the current evaluation
};

/// The task that a recording stands for: its parameters with their defaults, its objectives, its problem sizes as
/// `problem_size_x`, ….
Spec spec_of(const RecordedSpace& recording);

/// Replays and stores. The run (provenance replayed) keeps every outcome in batches, without samples: the recording has
/// them. Its `seconds` are simulated, its best configuration carries the recorded time (also when `samples` blurred the
/// search). The default configuration is looked up, not evaluated, unless the search comes to it. Throws Error:
/// bad_input for a request that the recording cannot answer, nothing_valid when no configuration succeeded.
Run replay(const ReplayRequest& request, Store& store, TuneObserver& observer);

}  // namespace wattune
