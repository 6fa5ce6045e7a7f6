// Input of the test check.layers.catches: each include below breaks one rule.
#include "search/option.hpp"
#include "wattune/tune.hpp"
#include "learn/../record/names.hpp"
#include "neighbour.hpp"
