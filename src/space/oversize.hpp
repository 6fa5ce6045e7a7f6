// A uniform sample of a space that is too large to be held: components that can be listed are drawn from by index;
// from the others an enumerated prefix is drawn and completed at random until the rules hold, and where that hardly
// ever succeeds, the search runs through once and keeps a reservoir. Memory stays bounded in every case.
#pragma once

#include <cstdint>

#include "space/block.hpp"
#include "space/component.hpp"

namespace wattune::space {

/// One block over all parameters with `count` different valid configurations (fewer if the space has fewer).
/// Throws Error(bad_input) when a configuration does not fit 128 bits.
Block sample_oversize(const Model& model, const Narrowed& narrowed, const std::vector<Component>& components,
                      std::uint64_t limit, std::size_t count, std::uint64_t seed);

}  // namespace wattune::space
