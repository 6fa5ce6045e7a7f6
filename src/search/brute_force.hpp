// Proposes every configuration once, in the order of the space. The only strategy that proves an optimum; refuses start
// configurations since it has no place for them.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo brute_force();

}  // namespace wattune::search
