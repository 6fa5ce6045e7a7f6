// Genetic algorithm on value positions: tournaments, uniform crossover, single-value mutation, elitism.
// Children are valid by construction: a child that breaks a constraint is the last valid step from its first parent
// towards it. Whole generations may be evaluated in parallel; the trace is the same.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo genetic_algorithm();

}  // namespace wattune::search
