// NSGA-II: a genetic algorithm for several objectives at once (non-dominated sorting, crowding distance).
// With one objective it is a plain elitist genetic algorithm.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo nsga2();

}  // namespace wattune::search
