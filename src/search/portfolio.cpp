#include "search/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/text.hpp"
#include "search/memory.hpp"
#include "search/option.hpp"
#include "wattune/error.hpp"

namespace wattune::search {
namespace {

/// Credit by area under the curve of improvements in a sliding window, plus an exploration term: the bandit of
/// OpenTuner (Ansel et al. 2014, section 3.2; Fialho et al. 2010).
class Portfolio : public Strategy {
 public:
  Portfolio(const StrategyTask& task, const StrategyOptions& options)
      : memory_(task.memory ? task.memory : std::make_shared<Memory>(*task.space, task.objectives)),
        window_(read_count(options, "window")),
        exploration_(read_real(options, "exploration")) {
    StrategyTask arm_task = task;
    arm_task.memory = memory_;
    for (const std::string& part : base::split(read_text(options, "arms"), ',')) {
      const std::string name(base::trim(part));
      if (name == "portfolio" || name == "auto" || name == "brute_force") {
        throw Error(ExitCode::bad_input, "'" + name + "' cannot be an arm of a portfolio", "strategy portfolio");
      }
      arm_task.seed = task.seed + 0x9E3779B97F4A7C15ULL * (arms_.size() + 1);
      arms_.push_back({name, make_strategy(name, arm_task), 0});
    }
  }

  void ask(std::size_t count, std::vector<ConfigurationId>& out) override {
    if (count == 0 || done()) return;
    asked_ = choose();
    arms_[asked_].strategy->ask(count, out);
  }

  void tell(std::span<const Scored> results) override {
    for (const Scored& result : results) {
      const std::size_t best_before = memory_->best_position();
      const bool nothing_before = best_before == memory_->told();
      arms_[asked_].strategy->tell(std::span(&result, 1));
      const bool improved = memory_->best_position() != best_before && !(nothing_before && !result.valid);
      remember(asked_, improved);
    }
  }

  [[nodiscard]] bool done() const override { return memory_->exhausted(); }

  [[nodiscard]] std::string note() const override {
    std::string text = "portfolio: evaluations by arm:";
    for (const Arm& arm : arms_) text += " " + arm.name + " " + std::to_string(arm.total);
    return text;
  }

 private:
  struct Arm {
    std::string name;
    std::unique_ptr<Strategy> strategy;
    std::size_t total;
  };
  struct Use {
    std::size_t arm;
    bool improved;
  };

  void remember(std::size_t arm, bool improved) {
    ++arms_[arm].total;
    history_.push_back({arm, improved});
    if (history_.size() > window_) history_.pop_front();
  }

  std::size_t choose() const {
    std::vector<double> uses(arms_.size(), 0.0);
    std::vector<double> area(arms_.size(), 0.0);
    for (const Use& use : history_) {
      uses[use.arm] += 1.0;
      if (use.improved) area[use.arm] += uses[use.arm];  // late improvements weigh more
    }
    std::size_t best = 0;
    double best_value = -1.0;
    for (std::size_t a = 0; a < arms_.size(); ++a) {
      if (uses[a] == 0.0) return a;
      const double value = area[a] / (0.5 * uses[a] * (uses[a] + 1.0)) +
                           exploration_ * std::sqrt(2.0 * std::log2(static_cast<double>(history_.size())) / uses[a]);
      if (value > best_value) {
        best = a;
        best_value = value;
      }
    }
    return best;
  }

  std::shared_ptr<Memory> memory_;
  std::vector<Arm> arms_;
  std::size_t asked_ = 0;
  std::deque<Use> history_;
  std::size_t window_;
  double exploration_;
};

}  // namespace

StrategyInfo portfolio() {
  StrategyInfo info;
  info.name = "portfolio";
  info.summary = "several strategies share results; a bandit favours the ones that improved lately";
  info.source = "Ansel et al. 2014, OpenTuner, PACT; Fialho, Da Costa, Schoenauer and Sebag 2010";
  info.options = {
      StrategyOption{"arms",
                     Value("iterated_local_search,genetic_algorithm,simulated_annealing,differential_evolution"),
                     {},
                     {},
                     {},
                     "names of strategies, separated by commas",
                     "study"},
      integer_option("window", 100, 1, 100000, "evaluations that count for credit", "Ansel et al. 2014 use 500"),
      real_option("exploration", 0.05, 0, 10, "weight of arms that were seldom used", "Ansel et al. 2014")};
  info.make = maker<Portfolio>();
  return info;
}

}  // namespace wattune::search
