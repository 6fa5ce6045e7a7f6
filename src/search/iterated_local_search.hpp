// Iterated local search: descend to a local optimum, change some parameters at random, descend again, keep the better
// optimum; start anew after a number of kicks without gain.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo iterated_local_search();

}  // namespace wattune::search
