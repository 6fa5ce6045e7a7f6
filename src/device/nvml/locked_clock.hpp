// A clock held by a lock of the driver: graphics clock since Volta, memory clock since Ampere.
// NVML has no call that tells a lock. So the state is known only once this program has set it, and what a stranger
// locked before cannot be seen: the guard then gives the clock back unlocked and says so.
#pragma once

#include <memory>

#include "device/nvml/control_base.hpp"

namespace wattune::device::nvml {

enum class ClockDomain { core, memory };

/// "core_clock_mhz" or "memory_clock_mhz" by locked clocks.
std::unique_ptr<Control> make_locked_clock(const Gpu& gpu, ClockDomain domain, const Permission& permission);

/// True where this GPU and library lock that clock.
bool locks_clock(const Gpu& gpu, ClockDomain domain);

}  // namespace wattune::device::nvml
