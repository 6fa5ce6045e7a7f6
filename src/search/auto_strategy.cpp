#include "search/auto_strategy.hpp"

#include "search/option.hpp"

namespace wattune::search {
namespace {

class AutoStrategy : public Strategy {
 public:
  AutoStrategy(const StrategyTask& task, const StrategyOptions&) {
    const std::string name = task.objectives > 1 ? "nsga2" : "iterated_local_search";
    chosen_ = make_strategy(name, task);
    note_ = "auto: chose " + name;
  }
  void ask(std::size_t count, std::vector<ConfigurationId>& out) override { chosen_->ask(count, out); }
  void tell(std::span<const Scored> results) override { chosen_->tell(results); }
  [[nodiscard]] bool done() const override { return chosen_->done(); }
  [[nodiscard]] std::string note() const override { return note_; }

 private:
  std::unique_ptr<Strategy> chosen_;
  std::string note_;
};

}  // namespace

StrategyInfo auto_strategy() {
  StrategyInfo info;
  info.name = "auto";
  info.summary = "chooses a strategy from the space and the budget, and says why";
  info.source = "docs/strategies.md";
  info.multi_objective = true;
  info.make = maker<AutoStrategy>();
  return info;
}

}  // namespace wattune::search
