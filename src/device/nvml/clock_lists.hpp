// The clocks that an NVIDIA GPU can be asked for.
#pragma once

#include <vector>

#include "device/nvml/gpu.hpp"

namespace wattune::device::nvml {

/// Supported memory clocks in MHz, ascending.
Result memory_clocks(const Gpu& gpu, std::vector<double>& mhz);
/// Supported graphics clocks in MHz at this memory clock, ascending.
Result graphics_clocks(const Gpu& gpu, double memory_mhz, std::vector<double>& mhz);

}  // namespace wattune::device::nvml
