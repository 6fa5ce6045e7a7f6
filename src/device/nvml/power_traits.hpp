// How NVIDIA's power sensors turn power into readings, by generation. No driver tells it; this is what was published.
#pragma once

#include <string_view>

#include "device/nvml/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

/// Traits of "power_instant", "power_average", "power_samples" or "energy_counter" on this GPU. What is not known is 0
/// (period, window) or 1 (duty). Sources: nvml.h for averages; Yang, Adamek, Armour, "Part-time Power Measurements"
/// (arXiv 2312.02741) for windows; own measurement on an H200 (driver 580) for its periods.
SensorTraits power_traits(const Gpu& gpu, std::string_view sensor);

/// True where nvmlDeviceGetPowerUsage is a mean over one second (nvml.h: Ampere except GA100, and newer).
bool plain_power_is_average(const Gpu& gpu);

}  // namespace wattune::device::nvml
