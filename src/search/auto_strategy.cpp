#include "search/auto_strategy.hpp"

#include <algorithm>
#include <numeric>

#include "search/memory.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

/// Evaluations after which the model's cost (5 ms a proposal on 11,000 configurations) buys little over evolution.
constexpr std::size_t most_modelled = 1000;
/// The best results that the strategy taking over begins with.
constexpr std::size_t heirs = 10;

class AutoStrategy : public Strategy {
 public:
  AutoStrategy(const StrategyTask& task, const StrategyOptions&) : task_(task) {
    if (!task_.memory) task_.memory = std::make_shared<Memory>(*task.space, task.objectives);
    if (task.budget && *task.budget >= task.space->size()) {
      choose("random_sample", "the budget covers the whole space");
    } else if (task.objectives > 1) {
      choose("nsga2", "there are several objectives");
    } else {
      choose("bayesian_optimization", "it found the best in the fewest evaluations on recorded spaces");
      hands_over_ = true;
    }
  }

  void ask(std::size_t count, std::vector<ConfigurationId>& out) override {
    if (hands_over_ && task_.memory->told() >= most_modelled) {
      hands_over_ = false;
      task_.start = best_known();
      choose("genetic_algorithm", "after " + std::to_string(most_modelled) + " evaluations of " + chosen_name_);
    }
    chosen_->ask(count, out);
  }
  void tell(std::span<const Scored> results) override { chosen_->tell(results); }
  [[nodiscard]] bool done() const override { return chosen_->done(); }
  [[nodiscard]] std::string note() const override {
    const std::string inner = chosen_->note();
    return "auto: chose " + chosen_name_ + " because " + reason_ + (inner.empty() ? "" : "; " + inner);
  }

 private:
  void choose(const std::string& name, const std::string& reason) {
    reason_ = reason;
    chosen_name_ = name;
    chosen_ = make_strategy(name, task_);
  }

  [[nodiscard]] std::vector<ConfigurationId> best_known() const {
    const Memory& memory = *task_.memory;
    std::vector<std::size_t> order(memory.told());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(heirs, order.size()));
    std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
      return memory.score_at(a) != memory.score_at(b) ? memory.score_at(a) < memory.score_at(b) : a < b;
    });
    std::vector<ConfigurationId> ids;
    for (auto it = order.begin(); it != end; ++it) ids.push_back(memory.id_at(*it));
    return ids;
  }

  StrategyTask task_;
  bool hands_over_ = false;
  std::string chosen_name_;
  std::string reason_;
  std::unique_ptr<Strategy> chosen_;
};

}  // namespace

StrategyInfo auto_strategy() {
  StrategyInfo info;
  info.name = "auto";
  info.summary = "chooses a strategy from the space and the budget, and says why";
  info.source = "the study in docs/strategies.md";
  info.multi_objective = true;
  info.make = maker<AutoStrategy>();
  return info;
}

}  // namespace wattune::search
