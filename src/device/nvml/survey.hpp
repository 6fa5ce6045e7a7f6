// What NVML says of each NVIDIA GPU: who it is, which sensors answer, which settings exist. Reads only; sets nothing.
#pragma once

#include <vector>

#include "device/nvml/device.hpp"

namespace wattune::device::nvml {

/// One entry a GPU that answers; `permission` is what the process may set.
std::vector<DeviceInfo> survey(const Library& library, const Permission& permission);

}  // namespace wattune::device::nvml
