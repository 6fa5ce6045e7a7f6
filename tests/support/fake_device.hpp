// A device whose power over time a test decides, read through sensors with the faults of real ones. Never waits.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::testing {

/// A buffered sensor: a new value every `update_period`, the mean of the signal over the `averaging_window` before it
/// (one point of it where that is 0). A counter integrates the signal instead.
class FakeSensor final : public Sensor {
 public:
  using Signal = std::function<double(Seconds)>;

  FakeSensor(std::string name, std::string unit, SensorTraits traits, Signal signal, Clock& clock)
      : signal_(std::move(signal)), clock_(clock) {
    info_.name = std::move(name);
    info_.unit = std::move(unit);
    info_.available = true;
    info_.update_period = traits.update_period;
    traits_ = std::move(traits);
    traits_.buffered = true;
  }

  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  ReadResult read() override {
    if (clock_.system() >= lost_after) return {std::nullopt, true, "the device is gone"};
    const double period = traits_.update_period.value();
    const Seconds at = period > 0.0 ? Seconds(std::floor(clock_.system().value() / period) * period) : clock_.system();
    return {Reading{clock_.system(), value_at(at)}, false, {}};
  }
  std::vector<Reading> samples(Seconds begin, Seconds end) override {
    std::vector<Reading> readings;
    // As NVML's: where the buffer no longer reaches back, the driver tells nothing.
    if (begin < clock_.system() - reach) return readings;
    const double period = traits_.update_period.value();
    for (double step = std::ceil(begin.value() / period); step * period <= end.value(); step += 1.0) {
      const Seconds at(step * period);
      if (at >= lost_after) break;
      readings.push_back({at, value_at(at)});
    }
    return readings;
  }

  Seconds lost_after{1e9};
  Seconds reach{1e9};  ///< of the buffer

 private:
  [[nodiscard]] double mean(Seconds begin, Seconds end) const {
    constexpr int points = 200;
    double sum = 0.0;
    for (int i = 0; i < points; ++i) sum += signal_(begin + (end - begin) * ((i + 0.5) / points));
    return sum / points;
  }
  [[nodiscard]] double value_at(Seconds at) {
    if (traits_.counter) {
      auto found = energy_.upper_bound(at.value());
      double from = 0.0;
      double energy = 0.0;
      if (found != energy_.begin()) {
        --found;
        from = found->first;
        energy = found->second;
      }
      energy += mean(Seconds(from), at) * (at.value() - from);
      energy_[at.value()] = energy;
      return energy;
    }
    const Seconds window = traits_.averaging_window;
    return window.value() > 0.0 ? mean(at - window, at) : signal_(at);
  }

  SensorInfo info_;
  SensorTraits traits_;
  Signal signal_;
  Clock& clock_;
  std::map<double, double> energy_{{0.0, 0.0}};
};

/// A setting that takes the listed values, and the first of them that `refused` holds never.
class FakeControl final : public Control {
 public:
  FakeControl(const std::string& name, std::vector<double> values) : now(values.back()) {
    info_.name = name;
    info_.supported = info_.permitted = true;
    range_.values = std::move(values);
    range_.low = range_.values.front();
    range_.high = range_.values.back();
  }
  [[nodiscard]] const ControlInfo& info() const override { return info_; }
  [[nodiscard]] const ControlRange& range() const override { return range_; }
  [[nodiscard]] std::optional<std::string> state() override { return std::to_string(std::lround(now)); }
  [[nodiscard]] std::optional<double> measured() override { return now; }
  ControlResult set(double value) override {
    sets.push_back(value);
    if (value == refused) return {ControlCode::refused, "the driver said no"};
    if (value != stuck) now = value;
    return {};
  }
  ControlResult restore(const std::string& state) override {
    now = std::stod(state);
    return {};
  }

  double now;
  double refused = -1.0;
  double stuck = -1.0;  ///< taken, but the device stays where it is
  std::vector<double> sets;

 private:
  ControlInfo info_;
  ControlRange range_;
};

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(Clock& clock) : clock_(clock) {
    info_.id = "virtual:fake";  // whose settings end with the process: a guard needs no watchdog
    info_.kind = "gpu";
    info_.name = "Fake GPU";
    info_.uuid = "GPU-fake";
  }
  FakeSensor& add(const std::string& name, const std::string& unit, const SensorTraits& traits,
                  FakeSensor::Signal signal) {
    auto sensor = std::make_unique<FakeSensor>(name, unit, traits, std::move(signal), clock_);
    FakeSensor& added = *sensor;
    info_.sensors.push_back(sensor->info());
    sensors_.push_back(std::move(sensor));
    return added;
  }
  FakeControl& add_control(const std::string& name, std::vector<double> values) {
    auto control = std::make_unique<FakeControl>(name, std::move(values));
    FakeControl& added = *control;
    info_.controls.push_back(control->info());
    controls_.push_back(std::move(control));
    return added;
  }
  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return controls_; }

 private:
  Clock& clock_;
  DeviceInfo info_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
  std::vector<std::unique_ptr<Control>> controls_;
};

}  // namespace wattune::testing
