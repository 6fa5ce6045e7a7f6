// A PowerSensor3 as a device: an external meter of what flows through its sensors. Used only when it is named in
// WATTUNE_POWERSENSOR or asked for by its id, as nobody may open serial lines at a guess.
#pragma once

#include <memory>
#include <string>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::powersensor {

/// Appends the meter of WATTUNE_POWERSENSOR, or why it cannot be used; nothing when the variable is not set.
void survey(DeviceSurvey& found);

/// "powersensor:/dev/ttyACM0"; null for any other name. Throws Error(no_device) when it does not answer within `limit`.
std::unique_ptr<Device> open(const std::string& name, Clock& clock = real_clock(), Seconds limit = Seconds(1.0));

}  // namespace wattune::device::powersensor
