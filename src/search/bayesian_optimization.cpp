#include "search/bayesian_optimization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "search/cube.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"
#include "search/surrogate.hpp"
#include "wattune/statistics.hpp"

namespace wattune::search {
namespace {

/// Expected improvement in units of the deviation, (z Phi(z) + phi(z)) (Jones, Schonlau and Welch 1998).
double unit_improvement(double z) {
  constexpr double inverse_root_two_pi = 0.3989422804014327;
  return z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + inverse_root_two_pi * std::exp(-0.5 * z * z);
}

class BayesianOptimization : public Scripted {
 public:
  BayesianOptimization(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task),
        cube_(*task.space),
        initial_(read_count(options, "initial")),
        pool_(read_count(options, "pool")),
        confidence_(read_real(options, "confidence")),
        gate_(normal_quantile(read_real(options, "least_success"))) {
    const std::string& acquisition = read_text(options, "acquisition");
    improvement_ = acquisition != "confidence_bound";
    bound_ = acquisition != "expected_improvement";
  }

 protected:
  Process run() override {
    const std::size_t known = memory().told();
    std::vector<ConfigurationId> batch;
    if (known < initial_) {
      design(initial_ - known, batch);
      co_await evaluate_all(batch);
    }
    Surrogate surrogate(memory(), pool_, random());
    while (true) {
      surrogate.update();
      choose(surrogate, wanted(), batch);
      co_await evaluate_all(batch);
    }
  }

 private:
  /// A Latin hypercube mapped to valid configurations.
  void design(std::size_t count, std::vector<ConfigurationId>& out) {
    out.clear();
    std::vector<std::vector<std::size_t>> strata(cube_.dimensions(), std::vector<std::size_t>(count));
    for (auto& order : strata) {
      for (std::size_t k = 0; k < count; ++k) order[k] = k;
      random().shuffle(std::span(order));
    }
    std::vector<double> point(cube_.dimensions());
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t d = 0; d < point.size(); ++d) {
        point[d] = (static_cast<double>(strata[d][k]) + random().uniform()) / static_cast<double>(count);
      }
      const ConfigurationId id = cube_.at(point);
      const bool taken = memory().proposed(id) || std::find(out.begin(), out.end(), id) != out.end();
      out.push_back(taken ? fresh() : id);
    }
  }

  void choose(Surrogate& surrogate, std::size_t count, std::vector<ConfigurationId>& out) {
    out.clear();
    std::size_t imagined = 0;
    while (out.size() < count) {
      const std::size_t j = most_promising(surrogate, out);
      if (j == surrogate.candidates()) break;
      out.push_back(surrogate.candidate(j));
      if (out.size() < count && surrogate.any_success()) {
        surrogate.imagine(j);
        ++imagined;
      }
    }
    surrogate.forget(imagined);
    if (out.empty()) {  // every member of the pool is known
      out.push_back(fresh());
      surrogate.renew();
    }
  }

  /// The unknown candidate with the highest value of the acquisition whose turn it is, or candidates() if none is left.
  std::size_t most_promising(const Surrogate& surrogate, const std::vector<ConfigurationId>& chosen) {
    ++turn_;
    const bool by_bound = bound_ && (!improvement_ || turn_ % 2 == 0);
    const bool blind = !surrogate.any_success();
    const double best = blind ? 0.0 : surrogate.best();
    std::size_t at = surrogate.candidates();
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < surrogate.candidates(); ++j) {
      if (memory().proposed(surrogate.candidate(j))) continue;
      const double value = promise(surrogate, j, best, blind, by_bound);
      if (value <= highest || std::find(chosen.begin(), chosen.end(), surrogate.candidate(j)) != chosen.end()) continue;
      highest = value;
      at = j;
    }
    return at;
  }

  /// Candidates unlikely to succeed come last for the confidence bound; for expected improvement they count a
  /// millionth, so that they have their turn once little is left to gain elsewhere: the model of failures may be wrong.
  [[nodiscard]] double promise(const Surrogate& surrogate, std::size_t j, double best, bool blind,
                               bool by_bound) const {
    const double success = surrogate.success(j);
    const bool doubtful = success < gate_;
    if (blind || (by_bound && doubtful)) return failing_penalty + success;
    const double gain = best - surrogate.mean(j);
    const double deviation = surrogate.deviation(j);
    if (by_bound) return gain + confidence_ * deviation;
    const double z = gain / deviation;
    if (z < -8.0) return 1e-20 * z;  // far out only the order matters
    const double improvement = deviation * unit_improvement(z);
    return doubtful ? 0.5e-6 * improvement * std::erfc(-success / std::numbers::sqrt2) : improvement;
  }

  static constexpr double failing_penalty = -1e6;
  Cube cube_;
  std::size_t initial_;
  std::size_t pool_;
  double confidence_;
  double gate_;
  bool improvement_ = true;
  bool bound_ = true;
  std::size_t turn_ = 0;
};

}  // namespace

StrategyInfo bayesian_optimization() {
  StrategyInfo info;
  info.name = "bayesian_optimization";
  info.summary = "a Gaussian process predicts scores, a second one failures; the most promising one comes next";
  info.source =
      "Jones, Schonlau and Welch 1998, J. Global Optimization 13; Willemsen, van Nieuwpoort and van Werkhoven 2021, "
      "Bayesian optimization for auto-tuning GPU kernels, PMBS";
  info.options = {
      integer_option("initial", 10, 1, 10000, "configurations of the Latin hypercube before the first model", "study"),
      choice_option("acquisition", "alternate", {"alternate", "expected_improvement", "confidence_bound"},
                    "what makes a configuration promising; alternate: one after the other in turn", "study"),
      real_option("confidence", 2.0, 0, 10, "deviations below the mean that confidence_bound hopes for",
                  "Srinivas et al. 2010, Gaussian process optimization in the bandit setting"),
      real_option("least_success", 0.3, 0.001, 0.999,
                  "configurations less likely to succeed than this wait until no other is left", "study"),
      integer_option("pool", 20000, 2, 10000000, "configurations that are scored; all, when the space has no more",
                     "study")};
  info.make = maker<BayesianOptimization>();
  return info;
}

}  // namespace wattune::search
