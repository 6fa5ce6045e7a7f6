// What trajectory strategies share: descending to a local optimum of a neighbourhood.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "search/moves.hpp"
#include "search/scripted.hpp"

namespace wattune::search {

/// Where a trajectory stands.
struct Place {
  ConfigurationId id = 0;
  double cost = std::numeric_limits<double>::infinity();
};

/// Option text "hamming" or "adjacent".
Neighbours neighbours_from(const std::string& text);
StrategyOption neighbours_option(std::string value);

class LocalSearch : public Scripted {
 protected:
  explicit LocalSearch(const StrategyTask& task) : Scripted(task), moves_(*task.space) {}

  [[nodiscard]] Moves& moves() { return moves_; }

  /// First improvement: tries neighbours in random order, moves to the first that is better, ends where none is.
  Process descend_first(Place& place, Neighbours kind);
  /// Best improvement: evaluates all neighbours at once, moves to the best, ends where none is better.
  Process descend_best(Place& place, Neighbours kind);

 private:
  Moves moves_;
};

}  // namespace wattune::search
