// A portfolio: several strategies share one memory of results, and a bandit gives the next evaluation to the one that
// found improvements lately. For when nothing is known of the space.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo portfolio();

}  // namespace wattune::search
