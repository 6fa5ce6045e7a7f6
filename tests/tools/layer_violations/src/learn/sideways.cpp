// Input of the test check.layers.catches: `expr` is on the level of `learn`, so it may not be included.
#include <sqlite3.h>

#include "expr/syntax.hpp"
