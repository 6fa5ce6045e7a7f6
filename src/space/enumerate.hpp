// From a constraint problem to blocks of valid combinations: components are searched one by one, components whose
// parameters interleave are multiplied, and small neighbouring blocks are merged.
#pragma once

#include <cstdint>
#include <vector>

#include "space/block.hpp"
#include "space/component.hpp"

namespace wattune::space {

enum class Found : std::uint8_t {
  all,
  nothing,   ///< some component has no valid combination
  too_many,  ///< some block has more combinations than allowed, or needs codes of more than 128 bits
};

struct Enumeration {
  Found found = Found::all;
  std::vector<Block> blocks;  ///< in parameter order; complete only if `found` is all
};

Enumeration enumerate(const Model& model, const Narrowed& narrowed, const std::vector<Component>& components,
                      std::uint64_t limit);

/// Whether the first `constraint_count` constraints leave any configuration. What cannot be evaluated counts as valid.
bool any_valid(const Model& model, std::size_t constraint_count);

/// weights[d][entry] = bits of a packed code over all parameters from `first` on in `layout`, for a search of `order`.
template <class Key>
std::vector<std::vector<Key>> packed_weights(std::span<const std::uint32_t> order, const std::vector<Domain>& domains,
                                             const Layout& layout, std::size_t first) {
  std::vector<std::vector<Key>> weights;
  for (const std::uint32_t p : order) {
    std::vector<Key>& of_depth = weights.emplace_back();
    for (const std::uint32_t position : domains[p].positions) {
      of_depth.push_back(pack<Key>(position, layout.fields()[p - first]));
    }
  }
  return weights;
}

}  // namespace wattune::space
