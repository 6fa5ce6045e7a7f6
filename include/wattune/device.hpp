// Sensors and controls of one opened device: what is read while a kernel runs, and what may be set before it.
// Room `device`. Everything is SI (W, J, Hz, °C); readings carry the *device's* own time-stamps. A control acts only
// when it is called, refuses under WATTUNE_NO_CONTROL=1, and is restored by the Guard (wattune/guard.hpp), never by
// itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/sensor.hpp"
#include "wattune/status.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// One reading. Time is system time (seconds since 1970, UTC) by the device's stamp where it gives one, else by the
/// host.
struct Reading {
  Seconds at;
  double value = 0.0;  ///< in the sensor's unit
};

/// What a read came to: a reading, or why there is none. `lost` = it worked before and will not again (unplugged,
/// reset).
struct ReadResult {
  std::optional<Reading> reading;
  bool lost = false;
  std::string why;
};

/// How a sensor turns the physical quantity into readings.
struct SensorTraits {
  bool counter = false;       ///< monotone counter (J); else a gauge
  bool buffered = false;      ///< the driver keeps time-stamped readings: samples() works after the fact
  Seconds update_period;      ///< between two new values; 0 = not known
  Seconds averaging_window;   ///< a reading is the mean over this time before it; 0 = instantaneous or not known
  double duty = 1.0;          ///< share of the update period that the sensor looks at, (0, 1]
  std::string scope = "gpu";  ///< "gpu", "module", "memory", "package"
};

class Sensor {
 public:
  virtual ~Sensor() = default;
  [[nodiscard]] virtual const SensorInfo& info() const = 0;
  [[nodiscard]] virtual const SensorTraits& traits() const = 0;
  virtual ReadResult read() = 0;
  /// Buffered readings with begin <= at <= end (system time), oldest first, duplicates removed. Empty for a sensor that
  /// is not buffered, and when the buffer no longer reaches back (poll such a sensor instead).
  virtual std::vector<Reading> samples(Seconds begin, Seconds end) = 0;
};

/// Values that a control takes, in its unit (MHz or W, as its name says).
struct ControlRange {
  std::vector<double> values;  ///< ascending; empty: any value from `low` to `high`
  double low = 0.0;
  double high = 0.0;
};

enum class ControlCode : std::uint8_t {
  done,
  forbidden,    ///< WATTUNE_NO_CONTROL
  denied,       ///< the driver wants more privileges
  unsupported,  ///< this device or driver cannot
  refused,      ///< value outside the range, or the driver said no
  lost,         ///< the device is gone
};

struct ControlResult {
  ControlCode code = ControlCode::done;
  std::string why;  ///< empty when done; else what happened and what would allow it
  [[nodiscard]] bool ok() const { return code == ControlCode::done; }
};

/// One setting. `name` is vendor-neutral: "core_clock_mhz", "memory_clock_mhz", "power_limit_w".
class Control {
 public:
  virtual ~Control() = default;
  [[nodiscard]] virtual const ControlInfo& info() const = 0;
  [[nodiscard]] virtual const ControlRange& range() const = 0;
  /// The setting in force, as a text that restore() understands on this driver, also from another process: "1410",
  /// "unlocked", "250.000". Nothing when it cannot be told.
  [[nodiscard]] virtual std::optional<std::string> state() = 0;
  /// The quantity as the device reports it now (the measured clock, the enforced limit), in the control's unit.
  [[nodiscard]] virtual std::optional<double> measured() = 0;
  virtual ControlResult set(double value) = 0;
  /// What restore() takes to give the setting back to the driver ("unlocked"); "" where there is no such thing. A guard
  /// falls back to it where state() cannot tell what it found.
  [[nodiscard]] virtual std::string released() const { return {}; }
  /// Brings back a setting that state() told; verified where the driver can tell.
  virtual ControlResult restore(const std::string& state) = 0;
};

/// One opened device. Not thread-safe; sensors may be read from one other thread.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  [[nodiscard]] virtual std::span<const std::unique_ptr<Sensor>> sensors() const = 0;
  [[nodiscard]] virtual std::span<const std::unique_ptr<Control>> controls() const = 0;
  /// By name; null when the device has none of that name or it is not available. Sensor names: "power_samples"
  /// (buffered), "power_instant", "power_average", "energy_counter", "core_clock", "memory_clock", "temperature",
  /// "memory_temperature", "voltage", "clock_event_reasons" (bits as in NVML).
  [[nodiscard]] Sensor* sensor(std::string_view name) const;
  [[nodiscard]] Control* control(std::string_view name) const;
};

/// What a control's answer means for the configuration that asked: correct when done, clock_refused when refused.
/// Throws what is no configuration's fault: Error(permission) when forbidden, denied or unsupported, Error(device) when
/// the device is gone.
Status control_status(const ControlResult& result);

/// How long a clock may take to arrive and how near it must come.
struct SettleOptions {
  Seconds limit{2.0};            ///< measured latencies reach some hundred milliseconds (arXiv 2502.20075)
  Seconds interval{0.010};       ///< between two looks
  double tolerance = 0.01;       ///< relative distance from the value asked for; one clock step is about 1 %
  std::uint32_t agreements = 3;  ///< successive looks that must agree
};

/// After a set: waits until what the device measures is what was asked for. `refused` when it does not arrive in time,
/// with what was measured and the device's clock_event_reasons; done at once for a control that measures nothing.
ControlResult settle(const Device& device, Control& control, double value, Clock& clock,
                     const SettleOptions& options = {});

/// Bits of "clock_event_reasons" that mean that the device runs slower than it was asked to: power cap, heat, power
/// brake; not idleness and not the setting itself.
bool is_throttled(double event_reasons);
/// "power cap, thermal slowdown"; "" without a bit.
std::string event_reasons_text(double event_reasons);

/// Opens the device with this UUID or PCI bus id (as engines describe theirs), or by id ("nvml:GPU-…", "rapl:0").
/// Null when no vendor library knows it. Never changes anything.
std::unique_ptr<Device> open_device(const std::string& uuid_or_bus);

}  // namespace wattune
