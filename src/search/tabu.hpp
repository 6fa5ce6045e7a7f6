// Tabu search: moves to the best of a few candidate neighbours even if that is worse, and forbids for some steps to
// give a parameter back the value it just left. A move to a new best is always allowed.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo tabu();

}  // namespace wattune::search
