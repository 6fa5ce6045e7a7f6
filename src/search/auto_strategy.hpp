// `auto`, the default: chooses a strategy from the size of the space, its dimension and the budget, and says why.
// The rules come from a study on recorded spaces (docs/strategies.md); it never looks at scores to choose.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo auto_strategy();

}  // namespace wattune::search
