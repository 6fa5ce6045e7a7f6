// A quantity that NVML tells when asked: one call, one value. Readings have the driver's time-stamp where it gives a
// sane one, else the middle of the call. A counter that goes backwards is told once and never passed on as a value.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "device/nvml/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

/// What a call gave: `code`, and on success the value in SI and the driver's time-stamp (0: none).
struct Probed {
  Result code = error_function_not_found;
  double value = 0.0;
  long long stamp_us = 0;
};
using Probe = std::function<Probed(const Gpu&)>;

class PolledSensor final : public Sensor {
 public:
  /// Probes once: what fails now is not available, and says why.
  PolledSensor(const Gpu& gpu, std::string name, std::string unit, SensorTraits traits, Probe probe);

  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override;
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

 private:
  const Gpu* gpu_;
  SensorInfo info_;
  SensorTraits traits_;
  Probe probe_;
  std::optional<double> last_count_;
};

/// "Not Supported (NVML error 3)", or that the library lacks the function.
std::string why_absent(const Api& api, Result code);

}  // namespace wattune::device::nvml
