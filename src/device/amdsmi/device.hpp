// AMD GPUs through amdsmi, found by UUID or PCI bus, never by index.
#pragma once

#include <memory>
#include <string>

#include "device/control_lock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::amdsmi {

/// Appends the GPUs that answer, or why there are none. Reads only.
void survey(DeviceSurvey& found, const Permission& permission);

/// The GPU with this UUID, PCI bus id ("0000:c1:00.0") or id ("amdsmi:…"); null when there is none.
std::unique_ptr<Device> open(const std::string& name, const Permission& permission);

}  // namespace wattune::device::amdsmi
