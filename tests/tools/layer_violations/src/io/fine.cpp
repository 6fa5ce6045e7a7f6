// Input of the test check.layers.catches: nothing here breaks a rule.
#include <vector>

#include "io/own.hpp"
#include "wattune/space.hpp"
