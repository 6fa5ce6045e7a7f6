// One GPU that is not there: its clocks, temperature, power over time, noise and faults. An engine and a device adapt
// this one object to the ports, so that what is launched through the one is seen by the sensors of the other.
// Deterministic: the same calls with the same seed on a clock that starts anew give the same numbers. Waits only by the
// clock given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/options.hpp"
#include "sim/power_trace.hpp"
#include "sim/throttle.hpp"
#include "wattune/clock.hpp"
#include "wattune/random.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune::sim {

/// The power sensors of a device.
enum class Channel : std::uint8_t { samples, instant, average, counter };

/// A value with the device's time-stamp (system time of the clock).
struct Sample {
  Seconds at;
  double value = 0.0;
};

/// How far back sensors can be read, s.
inline constexpr double kept_seconds = 300.0;

/// What launches came to.
struct Launches {
  enum class Fault : std::uint8_t { none, limit, driver_reset, unplugged };
  Fault fault = Fault::none;
  LaunchLimit limit = LaunchLimit::none;  ///< with Fault::limit
  std::vector<Seconds> times;             ///< of each launch, where asked for
};

enum class SetAnswer : std::uint8_t { done, refused, lost };

/// Not thread-safe.
class VirtualGpu {
 public:
  /// `id` as users write it. All given outlive this.
  VirtualGpu(std::string id, const NamedVirtualGpu& named, Clock& clock);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const VirtualGpuPreset& preset() const { return preset_; }
  [[nodiscard]] const VirtualGpuOptions& options() const { return options_; }
  [[nodiscard]] Clock& clock() const { return clock_; }

  /// Runs `repeats` launches back to back, which takes their time on the clock. `timed`: each launch's time is told.
  Launches launch(const KernelProfile& profile, std::uint32_t repeats, bool timed);
  /// After a fault: true when the device works again.
  bool recover();

  // Settings. An empty clock leaves it to the device (idle when nothing runs, else the highest).
  SetAnswer set_core_clock(std::optional<Hertz> clock);
  SetAnswer set_memory_clock(std::optional<Hertz> clock);
  SetAnswer set_power_limit(Watts limit);
  bool set_compute_units(std::uint32_t count);
  [[nodiscard]] std::optional<Hertz> locked_core_clock();
  [[nodiscard]] std::optional<Hertz> locked_memory_clock();
  [[nodiscard]] Watts power_limit();

  // What the device shows now.
  [[nodiscard]] Hertz core_clock();
  [[nodiscard]] Hertz memory_clock();
  /// Mean of the last launches.
  [[nodiscard]] std::optional<Hertz> launch_clock() const { return launch_clock_; }
  [[nodiscard]] double celsius();
  [[nodiscard]] Volts voltage();
  /// Bits as in NVML: idle 0x1, power cap 0x4, thermal slowdown 0x20. Those of launches stay for a tenth of a second.
  [[nodiscard]] unsigned event_reasons();

  [[nodiscard]] const SensorModel& model(Channel channel) const;
  /// The newest value of a channel; nothing before its first.
  std::optional<Sample> newest(Channel channel);
  /// Values with begin <= at <= end (system time), oldest first; the last five minutes are kept.
  std::vector<Sample> samples(Channel channel, Seconds begin, Seconds end);

  [[nodiscard]] bool unplugged() { return fault_at(options_.faults.unplugged); }
  [[nodiscard]] bool sensors_lost() { return fault_at(options_.faults.sensors_lost) || unplugged(); }

 private:
  [[nodiscard]] double now() const { return (clock_.system() - origin_).value(); }
  [[nodiscard]] bool fault_at(const std::optional<Seconds>& time) const { return time && now() >= time->value(); }
  void catch_up();
  void run_for(double seconds, const PowerParts& parts);
  void reset_if_due();
  [[nodiscard]] bool reset_hits(double begin, double end) const;
  [[nodiscard]] double core_target(double time, bool loaded) const;
  [[nodiscard]] double memory_target(bool loaded) const;
  [[nodiscard]] PowerRule rule() const;
  void change_core_clock(std::optional<Hertz> clock);
  void append_steps();
  [[nodiscard]] double value_at(Channel channel, double step) const;
  [[nodiscard]] double counter_at(std::size_t step) const;
  [[nodiscard]] double noise(Channel channel, double step) const;

  std::string id_;
  const VirtualGpuPreset& preset_;
  VirtualGpuOptions options_;
  Clock& clock_;
  Seconds origin_;
  Random launch_noise_;

  // Settings, and the core clock that was in force before the last change.
  std::optional<Hertz> core_lock_, memory_lock_;
  std::optional<Hertz> earlier_lock_;
  double settled_at_ = 0.0;
  Watts power_limit_;
  std::uint32_t compute_units_ = 0;

  PowerTrace trace_;
  double celsius_;
  std::optional<Hertz> launch_clock_;
  double last_launch_ = -1.0;
  unsigned launch_reasons_ = 0;
  bool reset_done_ = false;
  bool context_lost_ = false;  ///< by a reset, until recover()

  SensorModel counter_model_;
  std::vector<double> counter_;   ///< J at every step of the counter since the device was opened
  std::size_t counter_from_ = 0;  ///< first step after a driver reset
};

}  // namespace wattune::sim
