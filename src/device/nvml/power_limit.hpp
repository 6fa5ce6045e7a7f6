// "power_limit_w" of an NVIDIA GPU: any value between the driver's bounds. What is found is brought back, not the
// factory's default. What is measured is the enforced limit, which also shows caps from outside (BMC, chassis).
#pragma once

#include <memory>

#include "device/nvml/control_base.hpp"

namespace wattune::device::nvml {

std::unique_ptr<Control> make_power_limit(const Gpu& gpu, const Permission& permission);

}  // namespace wattune::device::nvml
