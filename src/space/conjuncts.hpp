// Splits `a and b` into `a` and `b`, so that each part prunes as soon as its own parameters are known.
// Works on text and is careful: anything it is not sure about stays in one piece.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattune::space {

/// The parts of the outermost conjunction of `text`, or `text` alone. `text` is a valid expression.
std::vector<std::string> conjuncts(std::string_view text);

}  // namespace wattune::space
