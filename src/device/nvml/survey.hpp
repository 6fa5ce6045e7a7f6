// What NVML says of each NVIDIA GPU: who it is, which sensors answer, which settings exist. Reads only; sets nothing.
// GPUs are named by UUID, never by index: indices of NVML and CUDA differ.
#pragma once

#include <vector>

#include "device/control_lock.hpp"
#include "device/nvml/api.hpp"
#include "wattune/sensor.hpp"

namespace wattune::device::nvml {

/// One entry a GPU that answers; `permission` is what the process may set.
std::vector<DeviceInfo> survey(const Api& api, const Permission& permission);

}  // namespace wattune::device::nvml
