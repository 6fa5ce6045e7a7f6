// Bayesian optimisation for small budgets: a Gaussian process predicts the logarithm of the score of every unseen
// configuration, a second model how likely it is to fail, and the most promising one comes next.
#pragma once

#include "wattune/strategy.hpp"

namespace wattune::search {

StrategyInfo bayesian_optimization();

}  // namespace wattune::search
