// A clock set as application clock: Kepler to Pascal, and the memory clock of Volta and Turing. The driver takes both
// clocks together, so that setting one keeps the other; what is in force it tells.
#pragma once

#include <memory>

#include "device/nvml/control_base.hpp"
#include "device/nvml/locked_clock.hpp"

namespace wattune::device::nvml {

/// "core_clock_mhz" or "memory_clock_mhz" by application clocks.
std::unique_ptr<Control> make_application_clock(const Gpu& gpu, ClockDomain domain, const Permission& permission);

}  // namespace wattune::device::nvml
