#include "search/tabu.hpp"

#include <cmath>

#include "search/local_search.hpp"
#include "search/option.hpp"

namespace wattune::search {
namespace {

class Tabu : public LocalSearch {
 public:
  Tabu(const StrategyTask& task, const StrategyOptions& options)
      : LocalSearch(task),
        candidates_(read_count(options, "candidates")),
        tenure_(read_count(options, "tenure")),
        no_improvement_(read_count(options, "no_improvement")) {
    first_move_.assign(task.space->parameters().size(), 0);
    for (std::size_t k = moves().all().size(); k > 0; --k) first_move_[moves().all()[k - 1].parameter] = k - 1;
  }

 protected:
  Process run() override {
    Place place{origin()};
    place.cost = co_await evaluate(place.id);
    if (std::isinf(place.cost)) co_return;
    Place best = place;
    std::vector<std::size_t> forbidden_until(moves().all().size(), 0);  // by move, in steps
    std::vector<Move> untried(moves().all().begin(), moves().all().end());
    std::vector<ConfigurationId> around;
    std::vector<Move> tried;
    for (std::size_t step = 1, gained = 0; step - gained <= no_improvement_; ++step) {
      pick_candidates(place.id, untried, around, tried);
      if (around.empty()) co_return;
      co_await evaluate_all(around);
      std::size_t chosen = around.size();
      double lowest = 0.0;
      for (std::size_t k = 0; k < around.size(); ++k) {
        const double cost = score(around[k]);
        if (forbidden_until[index_of(tried[k])] >= step && cost >= best.cost) continue;
        if (chosen == around.size() || cost < lowest) {
          chosen = k;
          lowest = cost;
        }
      }
      if (chosen == around.size() || std::isinf(lowest)) continue;
      const Move left{tried[chosen].parameter, moves().digits(place.id)[tried[chosen].parameter]};
      forbidden_until[index_of(left)] = step + tenure_;
      place = {around[chosen], lowest};
      if (lowest < best.cost) {
        best = place;
        gained = step;
      }
    }
  }

 private:
  [[nodiscard]] std::size_t index_of(Move move) const { return first_move_[move.parameter] + move.digit; }

  /// A candidate list (Glover and Laguna 1997, ch. 3): neighbours in random order until `candidates` valid ones are
  /// found.
  void pick_candidates(ConfigurationId id, std::vector<Move>& untried, std::vector<ConfigurationId>& around,
                       std::vector<Move>& tried) {
    around.clear();
    tried.clear();
    for (std::size_t left = untried.size(); left > 0 && around.size() < candidates_; --left) {
      std::swap(untried[left - 1], untried[random().below(left)]);
      if (const auto next = moves().apply(id, untried[left - 1])) {
        around.push_back(*next);
        tried.push_back(untried[left - 1]);
      }
    }
  }

  std::size_t candidates_;
  std::size_t tenure_;
  std::size_t no_improvement_;
  std::vector<std::size_t> first_move_;  // position of (parameter, value 0) in moves().all()
};

}  // namespace

StrategyInfo tabu() {
  StrategyInfo info;
  info.name = "tabu";
  info.summary = "moves to the best of some neighbours even if worse; values just left are forbidden for a while";
  info.source = "Glover 1989, Tabu search part I, ORSA Journal on Computing 1; Glover and Laguna 1997, Tabu Search";
  info.options = {
      integer_option("candidates", 8, 1, 100000, "valid neighbours looked at in each step", "study"),
      integer_option("tenure", 7, 0, 100000, "steps for which a value just left stays forbidden", "Glover 1989"),
      integer_option("no_improvement", 30, 1, 1000000, "steps without a new best before a new start", "study")};
  info.make = maker<Tabu>();
  return info;
}

}  // namespace wattune::search
