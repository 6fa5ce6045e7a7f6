// Energy of one launch: a window of launches back to back, long enough for the power sensor, and one of three methods.
// Room `measure`. The window grows until the interval of energy is under its target; what stands in the way of a valid
// number (rise time, part-time sensors, throttling, a counter that runs backwards) is cut, repeated or told, not
// averaged in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"
#include "wattune/outcome.hpp"
#include "wattune/random.hpp"
#include "wattune/units.hpp"

namespace wattune {

enum class EnergyMethod : std::uint8_t {
  automatic,     ///< chosen by what the device can read; the measurement says which
  median_power,  ///< median of the readings times the time (Schoonhoven et al. 2022)
  trapezoid,     ///< integral over the device's own time-stamps
  counter,       ///< difference of the device's energy counter between two of its steps
};
std::string_view to_string(EnergyMethod method);
std::optional<EnergyMethod> energy_method_from(std::string_view name);

struct EnergyOptions {
  EnergyMethod method = EnergyMethod::automatic;
  double interval_percent = 2.0;     ///< target half width of the 95 % interval of energy, per cent
  Seconds min_window{0.15};          ///< of the counted part, after the rise time
  Seconds max_window{4.0};           ///< the window grows to this at most
  std::uint32_t min_updates = 8;     ///< new values of the sensor in the counted part, at least
  std::uint32_t retries = 1;         ///< a throttled window is measured again so often before it is marked
  double cross_check_percent = 5.0;  ///< two methods that differ by more are worth a warning
  bool steady_temperature = false;   ///< first run until the temperature stands still (at most 60 s)
};

/// Energy of a kernel with all that is needed to judge the number.
struct EnergyMeasurement {
  EnergyMethod method = EnergyMethod::automatic;
  std::string sensor;                        ///< "power_samples", "energy_counter", …
  Interval energy;                           ///< J per launch, window energy / launches, with its 95 % interval
  Interval power;                            ///< W, mean over the counted part
  Seconds launch_time;                       ///< window time / launches: gaps between launches are part of it
  Seconds window;                            ///< the counted part
  std::uint64_t launches = 0;                ///< in the whole window
  std::size_t readings = 0;                  ///< new values of the sensor in the counted part
  bool converged = false;                    ///< the interval reached its target
  bool decided = false;                      ///< ended early: clearly above `lost_above`
  std::optional<EnergyMethod> cross_method;  ///< second method, where the device can read one more
  double cross_difference_percent = 0.0;     ///< of its energy from `energy`
  bool throttled = false;                    ///< the device slowed itself down (thermal, hardware), also when repeated
  bool power_capped = false;                 ///< the device stood at its power limit
  std::optional<Hertz> core_clock;           ///< as measured at the end of the window
  std::optional<double> temperature_before, temperature_after;  ///< °C
  std::string warning;                                          ///< one sentence; empty when there is nothing to say
};

/// Result of EnergyMeter::measure(). `energy` is set when status is correct.
struct MeteredKernel {
  Status status = Status::correct;  ///< also runtime, timeout, throttled, sensor_lost
  std::string message;
  bool fatal = false;  ///< the engine must recover() before it is used again
  std::optional<EnergyMeasurement> energy;
};

/// Readings of one uninterrupted stretch of launches, oldest first.
using Stretch = std::vector<Reading>;

/// Readings of a gauge (W) in the counted part, as mean power. The interval is Student's over the readings with their
/// number corrected for autocorrelation of lag one (n (1 - r) / (1 + r), Bayley and Hammersley 1946). Nothing without a
/// stretch of two readings.
std::optional<Interval> mean_power(std::span<const Stretch> stretches, EnergyMethod method);

/// Readings of a counter (J) as mean power, in each stretch between its first and its last step; steps backwards are
/// left out and counted in `backwards`. Nothing with fewer than two intervals between steps.
std::optional<Interval> counter_power(std::span<const Stretch> stretches, std::size_t& backwards);

/// Measures energy on one device. Not thread-safe.
class EnergyMeter {
 public:
  /// Chooses the sensors. Throws Error(device) when the device has none that the method needs, saying what is absent
  /// and why. `device` and `clock` must outlive the meter.
  EnergyMeter(Device& device, Clock& clock, const EnergyOptions& options, std::uint64_t seed);
  ~EnergyMeter();

  /// Runs the kernel for a window. `launch_time`: an estimate (from measure_time). `lost_above`: a window whose whole
  /// 95 % interval lies 5 % and more above this energy of a launch ends at once, since more readings decide nothing.
  MeteredKernel measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                        Seconds launch_time, std::optional<Joules> lost_above = {});

  /// Mean power while nothing runs, over `duration` after `settle`; nothing when the sensor does not answer.
  std::optional<Watts> idle_power(Seconds duration = Seconds(0.5), Seconds settle = Seconds(0.3));

  [[nodiscard]] EnergyMethod method() const;
  /// One sentence: method, sensor, update period, cut.
  [[nodiscard]] std::string describe() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace wattune
