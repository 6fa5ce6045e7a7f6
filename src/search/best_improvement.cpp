#include "search/best_improvement.hpp"

#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class BestImprovement : public LocalSearch {
 public:
  BestImprovement(const StrategyTask& task, const StrategyOptions& options)
      : LocalSearch(task), kind_(neighbours_from(read_text(options, "neighbours"))) {}

 protected:
  Process run() override {
    Place place{origin()};
    place.cost = co_await evaluate(place.id);
    if (std::isinf(place.cost)) co_return;
    Process descent = descend_best(place, kind_);
    co_await call(descent);
  }

 private:
  Neighbours kind_;
};

}  // namespace

StrategyInfo best_improvement() {
  StrategyInfo info;
  info.name = "best_improvement";
  info.summary = "hill climbing: the best of all neighbours, random restarts";
  info.source = "Hoos and Stuetzle 2004, Stochastic Local Search, ch. 2";
  info.options = {neighbours_option("hamming")};
  info.make = maker<BestImprovement>();
  return info;
}

}  // namespace wattune::search
