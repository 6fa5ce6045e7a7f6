// Which sensor serves which method on a device, and how long its readings lag behind a load.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/sampler.hpp"
#include "wattune/device.hpp"
#include "wattune/energy.hpp"

namespace wattune::measure {

/// A power sensor that is recorded during a window; a sensor that the driver does not buffer is polled meanwhile.
class PowerSource {
 public:
  PowerSource(Sensor& sensor, EnergyMethod method, Clock& clock);

  [[nodiscard]] EnergyMethod method() const { return method_; }
  [[nodiscard]] const std::string& name() const { return sensor_.info().name; }
  /// Between two new values; a careful guess where the device does not tell.
  [[nodiscard]] Seconds update_period() const;
  /// After a load begins, readings are not yet those of the load for this long: the averaging window of the sensor, and
  /// what the device needs to reach its power (60 ms on an H200).
  [[nodiscard]] Seconds rise_time() const;
  /// True for a sensor that looks at a part of the time only.
  [[nodiscard]] bool part_time() const { return sensor_.traits().duty < 0.99; }
  [[nodiscard]] Seconds averaging_window() const { return sensor_.traits().averaging_window; }

  void start();
  void stop();
  /// Readings of [begin, end], system time.
  [[nodiscard]] Stretch readings(Seconds begin, Seconds end);
  /// Mean power over the counted parts of stretches.
  [[nodiscard]] std::optional<Interval> power(std::span<const Stretch> stretches, std::size_t& backwards) const;
  /// Why there are no readings.
  [[nodiscard]] ReadResult probe() { return sensor_.read(); }

 private:
  Sensor& sensor_;
  EnergyMethod method_;
  std::unique_ptr<device::Sampler> sampler_;
};

/// The sensors for a method, best first: for `automatic` the first that the device has of buffered samples (trapezoid),
/// counter, instantaneous power (trapezoid) and average power (median). Throws Error(device) when there is none.
PowerSource choose_source(Device& device, EnergyMethod method, Clock& clock);
/// A second source of the other kind (gauge or counter) for a cross-check.
std::optional<PowerSource> choose_cross_check(Device& device, EnergyMethod primary, Clock& clock);

}  // namespace wattune::measure
