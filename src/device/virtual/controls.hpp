// Settings of a virtual GPU behind the control port.
#pragma once

#include <memory>
#include <vector>

#include "sim/virtual_gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::simulated {

std::vector<std::unique_ptr<Control>> make_controls(const std::shared_ptr<sim::VirtualGpu>& gpu);

}  // namespace wattune::device::simulated
