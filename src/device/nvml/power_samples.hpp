// The driver's own record of power: the last ~120 readings with their time-stamps (20 ms apart on an H200). One call
// after a run replaces a polling thread. Values are read as 32 bits: drivers leave garbage in the upper half.
#pragma once

#include "device/nvml/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

class PowerSamples final : public Sensor {
 public:
  /// Reads the buffer once: whether there is one, and how far apart its stamps are.
  explicit PowerSamples(const Gpu& gpu);

  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  /// The newest reading of the buffer.
  ReadResult read() override;
  /// Empty also when the oldest reading is younger than `begin` by more than one period.
  std::vector<Reading> samples(Seconds begin, Seconds end) override;

 private:
  /// Everything in the buffer, oldest first, stamps strictly rising.
  Result fetch(std::vector<Reading>& readings) const;

  const Gpu* gpu_;
  SensorInfo info_;
  SensorTraits traits_;
};

}  // namespace wattune::device::nvml
