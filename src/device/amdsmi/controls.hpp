// Settings of an AMD GPU: a clock is held by bringing the lower and the upper limit of its range together; the power
// cap. Both can be asked for, so that what was found is known.
#pragma once

#include <memory>
#include <vector>

#include "device/amdsmi/gpu.hpp"
#include "device/control_lock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::amdsmi {

/// "core_clock_mhz", "memory_clock_mhz", "power_limit_w"; what cannot be set says why. The GPU must outlive them.
std::vector<std::unique_ptr<Control>> make_controls(const Gpu& gpu, const Permission& permission);

}  // namespace wattune::device::amdsmi
