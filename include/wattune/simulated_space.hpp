// Every configuration of a spec on a virtual GPU, without noise: the truth that searches, policies and models on it are
// judged by.
// Room `tune`.
#pragma once

#include <string>

#include "wattune/recorded_space.hpp"
#include "wattune/spec.hpp"

namespace wattune {

/// The space of the spec on this device ("virtual:a100"), settings of the hardware included, each configuration with
/// the exact time of a launch, `energy` (J), `power` (W), `reached_core_clock_mhz` (below the request at the power
/// limit), `temperature_c` and `occupancy`, in thermal equilibrium. What cannot run has status runtime. About a million
/// configurations a second. Throws Error: bad_input for a spec without [profile] or with faulty values, no_device for
/// an unknown device.
RecordedSpace simulate_space(const Spec& spec, const std::string& device);

}  // namespace wattune
