// Hill climbing that takes the first better neighbour, with random restarts. A start that fails is given up at once.
// Asks for one configuration at a time, whatever is wanted: each step depends on the one before.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo first_improvement();

}  // namespace wattune::search
