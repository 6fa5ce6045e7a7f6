// The counterpart of a run's winner where time was not what counted.
#pragma once

#include <cstdint>
#include <optional>

#include "wattune/run.hpp"

namespace wattune::cli {

/// The fastest outcome whose energy was measured, in a run that sought something else and measured the energy of its
/// best; nothing in other runs.
std::optional<std::uint64_t> fastest_with_energy(const Run& run);

}  // namespace wattune::cli
