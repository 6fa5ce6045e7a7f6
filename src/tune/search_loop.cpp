#include "tune/search_loop.hpp"

#include <algorithm>

namespace wattune::tune {

SearchLoop::SearchLoop(const ObjectiveSet& objectives, Budget budget, Evaluator& evaluator, TuneObserver& observer,
                       const std::atomic<bool>* stop)
    : objectives_(objectives), budget_(std::move(budget)), evaluator_(evaluator), observer_(observer), stop_(stop) {}

void SearchLoop::search(Strategy& strategy, std::size_t batch) {
  while (!strategy.done() && !over()) search_batch(strategy, batch);
  if (const std::string note = strategy.note(); !note.empty()) observer_.notice(note);
}

void SearchLoop::search_batch(Strategy& strategy, std::size_t batch) {
  std::vector<ConfigurationId> asked;
  strategy.ask(static_cast<std::size_t>(
                   std::min<std::uint64_t>(batch, std::max<std::uint64_t>(1, budget_.remaining_evaluations()))),
               asked);
  if (asked.size() > 1) {
    std::vector<ConfigurationId> unknown;
    for (const ConfigurationId id : asked) {
      if (!answered(id)) unknown.push_back(id);
    }
    evaluator_.prepare(unknown);
  }
  std::vector<std::vector<double>> scores(asked.size());
  std::vector<Scored> results(asked.size());
  for (const std::size_t i : evaluator_.order(asked)) {
    if (stopped() || (budget_.exhausted() && !answered(asked[i])))
      return;  // never asked again: the rest need not be told
    const std::optional<std::vector<double>> found = objectives_.scores(answer(asked[i]));
    if (found) scores[i] = *found;
    results[i] = {asked[i], found.has_value(), scores[i]};
  }
  strategy.tell(results);
}

const Outcome& SearchLoop::answer(ConfigurationId id) {
  if (const auto known = positions_.find(id); known != positions_.end()) return outcomes_[known->second];
  outcomes_.push_back(evaluator_.evaluate(id));
  const std::size_t position = outcomes_.size() - 1;
  positions_.emplace(id, position);
  const std::optional<std::vector<double>> scores = objectives_.scores(outcomes_[position]);
  note(position, scores);
  budget_.spend(scores ? std::optional(scores->front()) : std::nullopt, evaluator_.elapsed());
  observer_.evaluated(outcomes_[position], progress());
  return outcomes_[position];
}

void SearchLoop::note(std::size_t position, const std::optional<std::vector<double>>& scores) {
  if (!scores) {
    ++failed_;
  } else if (!best_ || scores->front() < best_score_) {
    best_ = position;
    best_score_ = scores->front();
  }
}

Progress SearchLoop::progress() const {
  Progress progress;
  progress.evaluations = budget_.evaluations();
  progress.reused = evaluator_.reused();
  progress.limit = budget_.evaluations() + budget_.remaining_evaluations();
  progress.fraction = budget_.fraction();
  progress.elapsed = evaluator_.elapsed();
  progress.remaining = budget_.remaining_time();
  progress.best = best_ ? &outcomes_[*best_] : nullptr;
  progress.failed = failed_;
  return progress;
}

}  // namespace wattune::tune
