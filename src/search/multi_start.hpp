// Multi-start local search: starts spread over the space, each descended first among adjacent values, then among all
// values of one parameter (variable neighbourhood descent). Refuses nothing; ends never, every start is a new one.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo multi_start_local_search();

}  // namespace wattune::search
