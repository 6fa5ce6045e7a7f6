// Ordered greedy local search: goes through the parameters in order, sets each one to its best value with the others
// held, and repeats until a full round changes nothing (coordinate descent on value lists).
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo ordered_greedy_local_search();

}  // namespace wattune::search
