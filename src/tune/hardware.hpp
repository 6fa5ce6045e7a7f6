// Settings of the device that a run's parameters ask for: clocks, power limit, compute units. Nothing is touched unless
// the spec has such a parameter, and everything is as it was found when this goes (wattune/guard.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"
#include "wattune/guard.hpp"
#include "wattune/spec.hpp"
#include "wattune/status.hpp"

namespace wattune::tune {

/// True when a parameter of the spec sets clocks or a power limit (what WATTUNE_NO_CONTROL forbids).
bool needs_controls(const Spec& spec);
/// True when a parameter of the spec is a setting of the hardware, compute units included.
bool has_settings(const Spec& spec);

/// The spec with "supported", "equidistant(7)" and "around(1005, 10)" replaced by values that the device supports.
/// Throws Error(bad_input) for a faulty text and for one that leaves no value, Error(device) without the control.
Spec with_supported_values(Spec spec, const Device* device, const DeviceDescription& engine);

class Hardware {
 public:
  /// What came of a change. `changed`: a setting was made, so that idle power and temperature are others.
  struct Result {
    Status status = Status::correct;
    std::string message;
    bool changed = false;
  };

  /// Takes the device where clocks or limits are to be set. Throws Error: permission when the lock or the driver
  /// forbids it, device when a control is missing, and what Guard throws. All given outlive this.
  Hardware(const Spec& spec, Engine& engine, Device* device, Clock& clock,
           std::function<void(const std::string&)> notice);

  /// True when a parameter sets something.
  [[nodiscard]] bool active() const { return !settings_.empty(); }
  /// Brings the device to what the configuration asks for, setting only what differs, and waits until it has settled.
  /// Status clock_refused when it does not get there. Throws Error when the device is gone or the guard lost its hold.
  Result apply(std::span<const Value> configuration);
  /// Back to what was found; throws Error(device) naming what could not be restored.
  void restore();
  /// The settings of a configuration as a text that is equal for equal settings.
  [[nodiscard]] std::string key(std::span<const Value> configuration) const;

 private:
  struct Setting {
    std::string name;      ///< "core_clock_mhz", …
    std::size_t position;  ///< of the parameter
    std::optional<double> now;
  };
  Result set(Setting& setting, double value);
  ControlResult set_control(const std::string& name, double value);

  Engine& engine_;
  Device* device_;
  Clock& clock_;
  std::vector<Setting> settings_;
  bool simulated_;
  std::optional<Guard> guard_;                ///< of a real device whose settings change
  std::map<std::string, std::string> found_;  ///< of a virtual one: control -> state before the first change
};

}  // namespace wattune::tune
