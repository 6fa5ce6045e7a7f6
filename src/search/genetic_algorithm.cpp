#include "search/genetic_algorithm.hpp"

#include <algorithm>
#include <utility>

#include "search/moves.hpp"
#include "search/option.hpp"
#include "search/scripted.hpp"

namespace wattune::search {
namespace {

class GeneticAlgorithm : public Scripted {
 public:
  GeneticAlgorithm(const StrategyTask& task, const StrategyOptions& options)
      : Scripted(task),
        moves_(*task.space),
        population_(read_count(options, "population")),
        tournament_(read_count(options, "tournament")),
        mutation_(read_real(options, "mutation")),
        elite_(std::min(read_count(options, "elite"), population_)) {
    set_patience(8 * population_);
  }

 protected:
  Process run() override {
    std::vector<ConfigurationId> generation;
    std::vector<Parent> parents;
    first_population(population_, generation);
    while (true) {
      co_await evaluate_all(generation);
      parents.clear();
      for (const ConfigurationId id : generation) parents.push_back({score(id), id});
      std::sort(parents.begin(), parents.end());
      generation.clear();
      for (std::size_t k = 0; k < std::min(elite_, parents.size()); ++k) generation.push_back(parents[k].second);
      while (generation.size() < population_) generation.push_back(child_of(parents));
    }
  }

 private:
  using Parent = std::pair<double, ConfigurationId>;  // score first: parents are sorted, the lowest position wins

  ConfigurationId select(const std::vector<Parent>& parents) {
    std::uint64_t best = parents.size();
    for (std::size_t k = 0; k < tournament_; ++k) best = std::min(best, random().below(parents.size()));
    return parents[best].second;
  }

  ConfigurationId child_of(const std::vector<Parent>& parents) {
    const ConfigurationId first = select(parents);
    const ConfigurationId second = select(parents);
    const auto a = moves_.digits(first);
    target_.assign(a.begin(), a.end());
    const auto b = moves_.digits(second);
    for (std::size_t p = 0; p < target_.size(); ++p) {
      if (random().below(2) == 1) target_[p] = b[p];
    }
    ConfigurationId child = moves_.toward(first, target_, random());
    const bool known = memory().proposed(child);
    if (known || random().uniform() < mutation_) {
      child = moves_.random_neighbour(child, Neighbours::hamming, random()).value_or(child);
    }
    return child;
  }

  Moves moves_;
  std::size_t population_;
  std::size_t tournament_;
  double mutation_;
  std::size_t elite_;
  Digits target_;
};

}  // namespace

StrategyInfo genetic_algorithm() {
  StrategyInfo info;
  info.name = "genetic_algorithm";
  info.summary = "tournaments, uniform crossover, mutation, elitism; children always valid";
  info.source = "Eiben and Smith 2015, Introduction to Evolutionary Computing; Holland 1975";
  info.options = {integer_option("population", 20, 2, 100000, "configurations in a generation", "study"),
                  integer_option("tournament", 3, 1, 1000, "contestants for each parent", "study"),
                  real_option("mutation", 0.5, 0, 1, "chance that one value of a child changes at random", "study"),
                  integer_option("elite", 2, 0, 100000, "best configurations kept unchanged", "study")};
  info.make = maker<GeneticAlgorithm>();
  return info;
}

}  // namespace wattune::search
