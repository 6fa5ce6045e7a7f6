// Energy and power of a device over a time that somebody else decides, from a second to days: what `wattune power`
// needs. Starts no thread: the caller calls collect() every `tick` or so. The whole device is measured, idle power
// included.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/sampler.hpp"
#include "wattune/device.hpp"
#include "wattune/energy.hpp"

namespace wattune::measure {

/// What a device drew between start and stop.
struct PowerSummary {
  Seconds time;
  std::optional<Joules> energy;  ///< mean power times time; nothing when no sensor told enough
  std::optional<Watts> average;  ///< mean over the readings
  std::optional<Watts> peak;     ///< highest reading of the gauge, else the steepest half second of the counter
  EnergyMethod method = EnergyMethod::automatic;
  std::string sensor;
  std::size_t readings = 0;                        ///< new values of that sensor
  std::optional<double> cross_difference_percent;  ///< of the other kind of sensor, where there is one
  bool lost = false;                               ///< the device stopped answering
  std::string warning;                             ///< one sentence; "" when there is nothing to say
};

class PowerLog {
 public:
  static constexpr Seconds tick{0.02};

  /// True when the device has a sensor of power or energy.
  static bool can_log(const Device& device);
  /// Chooses the sensors. Device and clock must outlive the log.
  PowerLog(Device& device, Clock& clock);

  void start();
  /// Looks at the sensors; a buffered one only now and then, well before its buffer wraps.
  void collect();
  PowerSummary stop();

 private:
  struct Channel {
    Sensor* sensor = nullptr;
    std::unique_ptr<device::Sampler> sampler;  ///< null for a buffered sensor
    Stretch readings;                          ///< of a buffered sensor
    Seconds next_fetch;
    bool lost = false;
    std::string why;
  };
  void look(Channel& channel, bool last);
  [[nodiscard]] static Stretch stretch_of(const Channel& channel);
  std::optional<Watts> rough_power(const Stretch& gauge);

  Clock& clock_;
  std::optional<Channel> gauge_;
  std::optional<Channel> counter_;
  Seconds begin_monotonic_;
  Seconds begin_, end_;  ///< system time
};

}  // namespace wattune::measure
