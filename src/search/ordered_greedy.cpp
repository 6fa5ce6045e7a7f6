#include "search/ordered_greedy.hpp"

#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class OrderedGreedy : public LocalSearch {
 public:
  OrderedGreedy(const StrategyTask& task, const StrategyOptions&) : LocalSearch(task) {}

 protected:
  Process run() override {
    Place place{origin()};
    place.cost = co_await evaluate(place.id);
    if (std::isinf(place.cost)) co_return;
    std::vector<ConfigurationId> line;
    std::size_t unchanged = 0;
    for (std::size_t k = 0; unchanged < moves().free_parameters().size(); ++k, ++unchanged) {
      const std::uint32_t parameter = moves().free_parameters()[k % moves().free_parameters().size()];
      line.clear();
      for (std::uint32_t digit = 0; digit < moves().count(parameter); ++digit) {
        if (const auto id = moves().apply(place.id, {parameter, digit})) line.push_back(*id);
      }
      if (line.empty()) continue;
      co_await evaluate_all(line);
      for (const ConfigurationId id : line) {
        if (score(id) >= place.cost) continue;
        place = {id, score(id)};
        unchanged = 0;
      }
    }
  }
};

}  // namespace

StrategyInfo ordered_greedy_local_search() {
  StrategyInfo info;
  info.name = "ordered_greedy_local_search";
  info.summary = "one parameter after the other takes its best value, until nothing changes; random restarts";
  info.source = "Schoonhoven et al. 2022, Benchmarking optimization algorithms for auto-tuning GPU kernels, IEEE TEVC";
  info.make = maker<OrderedGreedy>();
  return info;
}

}  // namespace wattune::search
