#include "search/iterated_local_search.hpp"

#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class IteratedLocalSearch : public LocalSearch {
 public:
  IteratedLocalSearch(const StrategyTask& task, const StrategyOptions& options)
      : LocalSearch(task),
        kick_(read_count(options, "kick")),
        no_improvement_(read_count(options, "no_improvement")),
        kind_(neighbours_from(read_text(options, "neighbours"))) {}

 protected:
  Process run() override {
    Place best{origin()};
    best.cost = co_await evaluate(best.id);
    if (std::isinf(best.cost)) co_return;
    Process first = descend_first(best, kind_);
    co_await call(first);
    for (std::size_t kicks = 0; kicks < no_improvement_; ++kicks) {
      Place place{kicked(best.id)};
      place.cost = co_await evaluate(place.id);
      if (std::isinf(place.cost)) continue;
      Process descent = descend_first(place, kind_);
      co_await call(descent);
      if (place.cost < best.cost) {
        best = place;
        kicks = 0;
      }
    }
  }

 private:
  ConfigurationId kicked(ConfigurationId id) {
    for (std::size_t k = 0; k < kick_; ++k) {
      id = moves().random_neighbour(id, Neighbours::hamming, random()).value_or(id);
    }
    return id;
  }

  std::size_t kick_;
  std::size_t no_improvement_;
  Neighbours kind_;
};

}  // namespace

StrategyInfo iterated_local_search() {
  StrategyInfo info;
  info.name = "iterated_local_search";
  info.summary = "descend, change some parameters at random, descend again, keep the better optimum";
  info.source = "Lourenco, Martin and Stuetzle 2003, Iterated local search, Handbook of Metaheuristics";
  info.options = {integer_option("kick", 2, 1, 100, "parameters changed at random after each descent", "study"),
                  integer_option("no_improvement", 20, 1, 100000, "kicks without gain before a new start", "study"),
                  neighbours_option("hamming")};
  info.make = maker<IteratedLocalSearch>();
  return info;
}

}  // namespace wattune::search
