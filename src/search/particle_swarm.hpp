// Particle swarm on value positions, rounded; a particle whose position breaks a constraint stands at the last valid
// step towards it. Whole generations may be evaluated in parallel; the trace is the same.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo particle_swarm();

}  // namespace wattune::search
