#include "search/differential_evolution.hpp"

#include <algorithm>
#include <cmath>

#include "search/moves.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

class DifferentialEvolution : public Scripted {
 public:
  DifferentialEvolution(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task),
        moves_(*task.space),
        population_(read_count(options, "population")),
        weight_(read_real(options, "weight")),
        crossover_(read_real(options, "crossover")),
        best_share_(read_real(options, "best_share")) {
    set_patience(8 * population_);
  }

 protected:
  Process run() override {
    std::vector<ConfigurationId> members;
    std::vector<ConfigurationId> trials;
    first_population(population_, members);
    co_await evaluate_all(members);
    while (true) {
      // best_share: the base of a mutant comes from the best few (current-to-pbest of JADE, Zhang and Sanderson 2009).
      std::stable_sort(members.begin(), members.end(), [&](auto a, auto b) { return score(a) < score(b); });
      trials.clear();
      for (std::size_t k = 0; k < members.size(); ++k) trials.push_back(trial_of(members, k));
      co_await evaluate_all(trials);
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (score(trials[k]) <= score(members[k])) members[k] = trials[k];
      }
    }
  }

 private:
  ConfigurationId trial_of(const std::vector<ConfigurationId>& members, std::size_t k) {
    const std::size_t count = members.size();
    const auto best_count = static_cast<std::uint64_t>(std::ceil(best_share_ * static_cast<double>(count)));
    copy(members[k], self_);
    copy(members[random().below(std::max<std::uint64_t>(1, best_count))], base_);
    copy(members[random().below(count)], plus_);
    copy(members[random().below(count)], minus_);
    target_ = self_;
    const auto free = moves_.free_parameters();
    const std::size_t sure = free.empty() ? 0 : random().below(free.size());
    const double weight = weight_ * random().uniform(0.5, 1.5);  // dither (Das, Konar and Chakraborty 2005)
    for (std::size_t f = 0; f < free.size(); ++f) {
      if (f != sure && random().uniform() >= crossover_) continue;
      const std::uint32_t p = free[f];
      const double from = self_[p];
      const double value = from + weight * (base_[p] - from) + weight * (static_cast<double>(plus_[p]) - minus_[p]);
      // Rounding to one of both neighbours by chance keeps small differences alive on short value lists.
      const double rounded = std::floor(value + random().uniform());
      target_[p] = static_cast<std::uint32_t>(std::clamp(rounded, 0.0, moves_.count(p) - 1.0));
    }
    const ConfigurationId trial = moves_.toward(members[k], target_, random());
    if (!memory().proposed(trial)) return trial;
    return moves_.random_neighbour(trial, Neighbours::hamming, random()).value_or(trial);
  }

  void copy(ConfigurationId id, Digits& out) {
    const auto digits = moves_.digits(id);
    out.assign(digits.begin(), digits.end());
  }

  Moves moves_;
  std::size_t population_;
  double weight_;
  double crossover_;
  double best_share_;
  Digits self_, base_, plus_, minus_, target_;
};

}  // namespace

StrategyInfo differential_evolution() {
  StrategyInfo info;
  info.name = "differential_evolution";
  info.summary = "current-to-best mutants from differences of members, on value positions";
  info.source = "Storn and Price 1997, J. Global Optimization 11; Zhang and Sanderson 2009 (JADE)";
  info.options = {integer_option("population", 20, 4, 100000, "members", "study"),
                  real_option("weight", 0.6, 0, 2, "weight of differences", "Storn and Price 1997"),
                  real_option("crossover", 0.7, 0, 1, "chance that a parameter comes from the mutant", "study"),
                  real_option("best_share", 0.2, 0, 1, "share of the members that may attract", "JADE")};
  info.make = maker<DifferentialEvolution>();
  return info;
}

}  // namespace wattune::search
