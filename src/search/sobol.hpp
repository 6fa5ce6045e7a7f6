// The Sobol sequence, randomly shifted, mapped to valid configurations: fills a space evenly at every length.
// For covering a space; it never exploits what it sees. Refuses spaces with more than 21 free parameters by filling the
// others at random.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo sobol();

}  // namespace wattune::search
