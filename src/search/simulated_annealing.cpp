#include "search/simulated_annealing.hpp"

#include <algorithm>
#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class SimulatedAnnealing : public LocalSearch {
 public:
  SimulatedAnnealing(const StrategyTask& task, const StrategyOptions& options)
      : LocalSearch(task),
        hot_(read_real(options, "start_temperature")),
        cold_(std::min(read_real(options, "end_temperature"), hot_)),
        steps_(read_count(options, "steps")),
        adjacent_(read_real(options, "adjacent")) {
    if (steps_ == 0) steps_ = std::clamp<std::size_t>(task.budget.value_or(1000), 20, 1000);
  }

 protected:
  Process run() override {
    Place place{origin()};
    place.cost = co_await evaluate(place.id);
    if (std::isinf(place.cost)) co_return;
    double loss_sum = 0.0;  // of all worsening steps seen: their mean is the unit of temperature
    double loss_count = 0.0;
    const std::size_t told_at_start = memory().told();
    std::size_t refused = 0;
    while (refused < patience) {
      const double progress = static_cast<double>(memory().told() - told_at_start) / static_cast<double>(steps_);
      if (progress > 1.0) co_return;
      const double temperature = hot_ * std::pow(cold_ / hot_, progress);
      const Neighbours kind = random().uniform() < adjacent_ ? Neighbours::adjacent : Neighbours::hamming;
      const auto next = moves().random_neighbour(place.id, kind, random());
      if (!next) {
        if (moves().free_parameters().empty()) co_return;
        ++refused;
        continue;
      }
      const double cost = co_await evaluate(*next);
      const double loss = cost - place.cost;
      ++refused;
      if (std::isinf(cost)) continue;
      if (loss > 0.0) {
        loss_sum += loss;
        loss_count += 1.0;
        if (random().uniform() >= std::exp(-loss * loss_count / (loss_sum * temperature))) continue;
      }
      place = {*next, cost};
      refused = 0;
    }
  }

 private:
  static constexpr std::size_t patience = 200;  // steps refused in a row: frozen
  double hot_;
  double cold_;
  std::size_t steps_;
  double adjacent_;
};

}  // namespace

StrategyInfo simulated_annealing() {
  StrategyInfo info;
  info.name = "simulated_annealing";
  info.summary = "random neighbours, worse ones accepted less and less";
  info.source = "Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing, Science 220";
  info.options = {
      real_option("start_temperature", 0.5, 1e-6, 1e6, "in units of the mean loss of worsening steps", "study"),
      real_option("end_temperature", 0.02, 1e-9, 1e6, "temperature after `steps` evaluations", "study"),
      integer_option("steps", 0, 0, 1e9, "evaluations from hot to cold; 0: the budget, between 20 and 1000", "study"),
      real_option("adjacent", 0.3, 0, 1, "share of steps to a next or previous value; the rest to any value", "study")};
  info.make = maker<SimulatedAnnealing>();
  return info;
}

}  // namespace wattune::search
