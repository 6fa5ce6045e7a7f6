// One tuning run from start to result: resume, search loop, finalists, what is stored when.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tune/measured_evaluator.hpp"
#include "tune/task.hpp"
#include "wattune/budget.hpp"
#include "wattune/objective.hpp"
#include "wattune/store.hpp"
#include "wattune/strategy.hpp"
#include "wattune/tune.hpp"

namespace wattune::tune {

/// Owns nothing that outlives the call of tune_kernel(); used once.
class Session {
 public:
  Session(const TuneRequest& request, Engine& engine, Store& store, TuneObserver& observer, Clock& clock);
  Run run();

 private:
  using Configuration = std::vector<Value>;

  void begin();
  void resume_or_start();
  void search();
  void evaluate_default();
  /// Baseline when the default configuration fails: the first configuration in enumeration order that succeeds.
  void find_other_baseline();
  void search_batch(Strategy& strategy, std::size_t batch);
  void measure_finalists();
  void finish(RunState state, const std::string& note);

  /// Outcome of a configuration: from this run, from the store, or measured now (then stored before anyone sees it).
  const Outcome& answer(ConfigurationId id);
  [[nodiscard]] std::optional<Seconds> hopeless() const;
  [[nodiscard]] std::size_t batch_size() const;
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] Seconds elapsed() const;
  [[nodiscard]] Progress progress() const;
  void note_best(std::size_t index);

  const TuneRequest& request_;
  Engine& engine_;
  Store& store_;
  TuneObserver& observer_;
  Clock& clock_;

  Spec spec_;
  Task task_;
  Space space_;
  MetricSet metrics_;
  ObjectiveSet objectives_;
  std::optional<MeasuredEvaluator> evaluator_;
  std::optional<Budget> budget_;

  Run run_;
  bool resumed_ = false;
  std::map<ConfigurationId, std::size_t> answered_;  ///< position in run_.outcomes
  std::map<ConfigurationId, Outcome> stored_;        ///< may be taken instead of measuring
  std::map<ConfigurationId, std::uint64_t> own_;     ///< of these, already part of this (resumed) run
  std::vector<std::uint64_t> sequence_;              ///< per run_.outcomes: its number in the store
  std::uint64_t reused_ = 0;
  std::uint64_t failed_ = 0;
  std::optional<std::size_t> best_;
  double best_score_ = 0.0;
  Seconds begin_;
  Seconds earlier_;  ///< device time that reused outcomes of this run have cost before
};

}  // namespace wattune::tune
