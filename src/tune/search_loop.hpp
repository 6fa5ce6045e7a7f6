// The loop that measured and replayed runs share: ask the strategy, evaluate, spend the budget, tell. Knows neither
// device nor store.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tune/evaluator.hpp"
#include "wattune/budget.hpp"
#include "wattune/objective.hpp"
#include "wattune/strategy.hpp"
#include "wattune/tune.hpp"

namespace wattune::tune {

/// Everything it refers to outlives it.
class SearchLoop {
 public:
  SearchLoop(const ObjectiveSet& objectives, Budget budget, Evaluator& evaluator, TuneObserver& observer,
             const std::atomic<bool>* stop);

  /// Until the strategy is done, the budget spent or a stop asked for. `batch`: configurations asked for at a time.
  void search(Strategy& strategy, std::size_t batch);
  /// The outcome of one configuration; the first time it is asked for, it is evaluated and counts.
  const Outcome& answer(ConfigurationId id);

  [[nodiscard]] bool answered(ConfigurationId id) const { return positions_.contains(id); }
  /// Position of an answered configuration in outcomes().
  [[nodiscard]] std::size_t position(ConfigurationId id) const { return positions_.at(id); }
  /// In order of evaluation.
  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }
  [[nodiscard]] std::vector<Outcome> take_outcomes() { return std::move(outcomes_); }
  /// Position of the best so far by the first objective.
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }
  [[nodiscard]] const Budget& budget() const { return budget_; }
  [[nodiscard]] bool stopped() const { return stop_ != nullptr && stop_->load(); }
  /// No further evaluation may be made.
  [[nodiscard]] bool over() const { return budget_.exhausted() || stopped(); }

 private:
  void search_batch(Strategy& strategy, std::size_t batch);
  void note(std::size_t position, const std::optional<std::vector<double>>& scores);
  [[nodiscard]] Progress progress() const;

  const ObjectiveSet& objectives_;
  Budget budget_;
  Evaluator& evaluator_;
  TuneObserver& observer_;
  const std::atomic<bool>* stop_;
  std::vector<Outcome> outcomes_;
  std::unordered_map<ConfigurationId, std::size_t> positions_;
  std::optional<std::size_t> best_;
  double best_score_ = 0.0;
  std::uint64_t failed_ = 0;
};

}  // namespace wattune::tune
