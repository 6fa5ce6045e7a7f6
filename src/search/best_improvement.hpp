// Hill climbing that evaluates all neighbours and takes the best, with random restarts. A start that fails is given up
// at once. A whole neighbourhood may be evaluated in parallel; the trace is the same.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo best_improvement();

}  // namespace wattune::search
