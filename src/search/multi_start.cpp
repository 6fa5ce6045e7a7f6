#include "search/multi_start.hpp"

#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class MultiStart : public LocalSearch {
 public:
  MultiStart(const StrategyTask& task, const StrategyOptions& options)
      : LocalSearch(task), samples_(read_count(options, "samples")) {}

 protected:
  Process run() override {
    Place place{origin()};
    place.cost = co_await evaluate(place.id);
    if (runs() > 1 || task().start.empty()) {
      std::vector<ConfigurationId> others;
      first_population(samples_ - 1, others);
      co_await evaluate_all(others);
      for (const ConfigurationId id : others) {
        if (score(id) < place.cost) place = {id, score(id)};
      }
    }
    if (std::isinf(place.cost)) co_return;
    Place before;
    do {
      before = place;
      Process near = descend_first(place, Neighbours::adjacent);
      co_await call(near);
      Process far = descend_first(place, Neighbours::hamming);
      co_await call(far);
    } while (place.id != before.id);
  }

 private:
  std::size_t samples_;
};

}  // namespace

StrategyInfo multi_start_local_search() {
  StrategyInfo info;
  info.name = "multi_start_local_search";
  info.summary = "descents from the best of a few random points, in growing neighbourhoods";
  info.source = "Mladenovic and Hansen 1997, Variable neighborhood search, Computers & OR 24";
  info.options = {
      integer_option("samples", 4, 1, 1000, "random points drawn for each start; the best one is descended", "study")};
  info.make = maker<MultiStart>();
  return info;
}

}  // namespace wattune::search
