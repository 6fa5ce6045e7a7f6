// How long a power sensor takes to tell the truth after a load begins, found by loading the device: drivers average
// over times that their documents do not agree on.
#pragma once

#include <optional>
#include <string>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"

namespace wattune::measure {

struct Settling {
  std::optional<Seconds> time;  ///< from the begin of a load until readings stay within 5 % of the rise
  Watts idle, load;
  std::string why;  ///< when there is no time
};

/// Leaves the device alone for 1.5 s, then runs a kernel of fused multiply-adds on all compute units for 3 s and reads
/// the sensor (W) meanwhile. Sets nothing. Throws what the engine throws.
Settling measure_settling(Engine& engine, Sensor& sensor, Clock& clock);

}  // namespace wattune::measure
