// One run on a recording from start to result: search, baseline, winner, what is stored when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/evaluator.hpp"
#include "tune/replay_evaluator.hpp"
#include "tune/replay_task.hpp"
#include "tune/search_loop.hpp"
#include "wattune/replay.hpp"

namespace wattune::tune {

/// Owns nothing that outlives the call of replay(); used once.
class ReplaySession final : private Evaluator {
 public:
  ReplaySession(const ReplayRequest& request, Store& store, TuneObserver& observer);
  Run run();

 private:
  void begin();
  void search();
  void check_durations() const;
  void find_baseline();
  /// The winner (and the default, where it was evaluated) with the recorded time, free of noise.
  void name_winner();
  void finish();
  /// Commits what the search has answered since the last time.
  void store_new();

  Outcome evaluate(ConfigurationId id) override;
  [[nodiscard]] Seconds elapsed() const override { return evaluator_.elapsed(); }

  const ReplayRequest& request_;
  Store& store_;
  TuneObserver& observer_;
  ReplayTask task_;
  ReplayEvaluator evaluator_;
  std::optional<SearchLoop> loop_;
  Run run_;
  std::size_t stored_ = 0;                   ///< outcomes that are in the store
  std::optional<ConfigurationId> baseline_;  ///< what speed-ups refer to
  Interval baseline_time_;                   ///< as recorded; value 0 without a time
  std::optional<Joules> baseline_energy_;
  std::vector<ConfigurationId> order_;  ///< configurations in order of evaluation
};

}  // namespace wattune::tune
