// Latin hypercube blocks: in each block every parameter is covered evenly. Mapped to valid configurations so that
// strata hold equal numbers of them. For covering a space; it never exploits what it sees.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo latin_hypercube();

}  // namespace wattune::search
