// The energy counters of CPU packages that Linux shows under powercap (RAPL of Intel, and of AMD by the same driver).
// Reads only. Since 2020 kernels show the counter to root alone, which is said with its remedy.
#pragma once

#include <string>

#include "wattune/sensor.hpp"

namespace wattune::device::rapl {

/// Appends one device a package, or why there is none. `root` precedes /sys, for tests.
void survey(DeviceSurvey& found, const std::string& root = {});

}  // namespace wattune::device::rapl
