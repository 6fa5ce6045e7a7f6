// The grid of core clocks and power limits in a recording, by workload: the first step of the capping comparison.
#pragma once

#include <vector>

#include "wattune/capping.hpp"

namespace wattune::analysis {

/// Workloads with their cells alone (clock, cap, time, energy, recorded effective clock). Throws Error(bad_input).
std::vector<CappingWorkload> capping_grids(const RecordedSpace& recording);

}  // namespace wattune::analysis
