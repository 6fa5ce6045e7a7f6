// Differential evolution on value positions, rounded; children that break a constraint are the last valid step from
// their parent towards them. Whole generations may be evaluated in parallel; the trace is the same.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo differential_evolution();

}  // namespace wattune::search
