// Parameters tied together by rules, and the rules that tie them: each component can be searched on its own, and the
// space is the product of its components.
#pragma once

#include <cstdint>
#include <vector>

#include "space/model.hpp"

namespace wattune::space {

struct Component {
  std::vector<std::uint32_t> parameters;  ///< ascending; each with more than one value left, or alone
  std::vector<std::size_t> rules;         ///< open rules over these parameters
  std::vector<std::size_t> faulty_rules;  ///< already applied, but to be evaluated again for each configuration found
};

/// All components, ordered by their first parameter. Every parameter belongs to exactly one.
std::vector<Component> connect(const Model& model, const Narrowed& narrowed);

}  // namespace wattune::space
