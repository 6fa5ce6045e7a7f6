#include "search/local_search.hpp"

#include "search/option.hpp"

namespace wattune::search {

Neighbours neighbours_from(const std::string& text) {
  return text == "adjacent" ? Neighbours::adjacent : Neighbours::hamming;
}

StrategyOption neighbours_option(std::string value) {
  return choice_option(
      "neighbours", std::move(value), {"hamming", "adjacent"},
      "hamming: one parameter takes any value; adjacent: one parameter takes the next or previous value",
      "Schoonhoven et al. 2022, Benchmarking optimization algorithms for auto-tuning GPU kernels");
}

Process LocalSearch::descend_first(Place& place, Neighbours kind) {
  std::vector<Move> untried(moves_.all().begin(), moves_.all().end());
  std::size_t left = untried.size();
  while (left > 0) {
    // Fisher-Yates, one draw at a time, so that a move found early costs no shuffle of the rest.
    std::swap(untried[left - 1], untried[random().below(left)]);
    const Move move = untried[--left];
    if (kind == Neighbours::adjacent) {
      const std::uint32_t digit = moves_.digits(place.id)[move.parameter];
      if (move.digit + 1 != digit && move.digit != digit + 1) continue;
    }
    const auto next = moves_.apply(place.id, move);
    if (!next) continue;
    const double cost = co_await evaluate(*next);
    if (cost < place.cost) {
      place = {*next, cost};
      left = untried.size();
    }
  }
}

Process LocalSearch::descend_best(Place& place, Neighbours kind) {
  std::vector<ConfigurationId> around;
  while (true) {
    around.clear();
    moves_.neighbours(place.id, kind, around);
    if (around.empty()) co_return;
    co_await evaluate_all(around);
    const Place before = place;
    for (const ConfigurationId id : around) {
      if (score(id) < place.cost) place = {id, score(id)};
    }
    if (place.id == before.id) co_return;
  }
}

}  // namespace wattune::search
