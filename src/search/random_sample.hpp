// Uniform random configurations without repetition: the yardstick that every other strategy must beat.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo random_sample();

}  // namespace wattune::search
