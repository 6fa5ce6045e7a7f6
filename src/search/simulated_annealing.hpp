// Simulated annealing: a random neighbour is taken when better, or with a probability that falls with its loss and with
// the temperature. Losses are measured in units of the losses seen so far, so that no option has the unit of a score.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo simulated_annealing();

}  // namespace wattune::search
