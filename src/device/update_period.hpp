// How often a sensor really updates, found by looking: the drivers' documents and the drivers differ.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device {

struct UpdatePeriod {
  std::optional<Seconds> period;  ///< median time between two new values
  std::size_t updates = 0;        ///< new values seen
  Seconds read_cost;              ///< median time of one read: a shorter period cannot be seen
  std::string why;                ///< when there is no period
};

/// Reads as fast as the sensor answers for `limit`, or until 32 new values. A buffered sensor tells by its time-stamps
/// and needs one look. A gauge whose value stands still (an idle device) gives none.
UpdatePeriod measure_update_period(Sensor& sensor, Seconds limit, Clock& clock);

}  // namespace wattune::device
