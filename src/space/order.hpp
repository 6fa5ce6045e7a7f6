// The order in which a search chooses parameters: the one that keeps the estimated number of partial assignments small,
// as a database orders joins. Estimates take rules as independent, with selectivities found by sampling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/model.hpp"

namespace wattune::space {

/// A permutation of `parameters`. `rules` are positions in model.rules.
std::vector<std::uint32_t> choose_order(const Model& model, const std::vector<Domain>& domains,
                                        std::span<const std::uint32_t> parameters, std::span<const std::size_t> rules);

}  // namespace wattune::space
