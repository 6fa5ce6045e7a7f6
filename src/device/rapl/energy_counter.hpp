// The energy counter of a power zone. It wraps at max_energy_range_uj (minutes under load: it must be read more often
// than that) and is unwrapped here, so that it only grows. Since 2020 kernels show it to root alone.
#pragma once

#include <string>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::rapl {

class EnergyCounter final : public Sensor {
 public:
  /// `zone`: the folder of the zone. Reads once: what fails now is not available, with the remedy.
  EnergyCounter(std::string name, std::string zone, std::string scope, Clock& clock);

  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override;
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

 private:
  std::string zone_;
  Clock& clock_;
  SensorInfo info_;
  SensorTraits traits_;
  double range_ = 0.0;  ///< J; 0 = not known
  std::optional<double> last_;
  double wrapped_ = 0.0;  ///< J, of all wraps so far
};

}  // namespace wattune::device::rapl
