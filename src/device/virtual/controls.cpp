#include "device/virtual/controls.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace wattune::device::simulated {
namespace {

using Gpu = std::shared_ptr<sim::VirtualGpu>;

constexpr const char* unlocked = "unlocked";

/// The number that a state() text holds.
std::optional<double> number_in(const std::string& text) {
  double number = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc() && end == text.data() + text.size()) return number;
  return std::nullopt;
}

/// What the three have in common: name, permission, and what an answer means.
class VirtualControl : public Control {
 public:
  VirtualControl(Gpu gpu, const char* name) : gpu_(std::move(gpu)) {
    info_.name = name;
    info_.supported = true;
    info_.permitted = gpu_->options().permission == sim::Permission::all;
    if (!info_.permitted) info_.why = "the driver lets only administrators set this (simulated)";
  }
  [[nodiscard]] const ControlInfo& info() const override { return info_; }
  [[nodiscard]] const ControlRange& range() const override { return range_; }

 protected:
  /// Calls the setter when the user may.
  template <class Setter>
  ControlResult ask(const std::string& value, Setter&& setter) {
    if (!info_.permitted) return {ControlCode::denied, info_.name + ": " + info_.why};
    switch (setter()) {
      case sim::SetAnswer::done:
        return {};
      case sim::SetAnswer::refused:
        return {ControlCode::refused, info_.name + " = " + value + " is not supported"};
      case sim::SetAnswer::lost:
        break;
    }
    return {ControlCode::lost, "the device does not answer any more (simulated)"};
  }
  [[nodiscard]] sim::VirtualGpu& gpu() const { return *gpu_; }
  void set_range(ControlRange range) { range_ = std::move(range); }

 private:
  Gpu gpu_;
  ControlInfo info_;
  ControlRange range_;
};

/// A clock that can be locked. `Lock`, `Locked` and `Now` are members of VirtualGpu.
class ClockControl final : public VirtualControl {
 public:
  using Lock = sim::SetAnswer (sim::VirtualGpu::*)(std::optional<Hertz>);
  using Locked = std::optional<Hertz> (sim::VirtualGpu::*)();
  using Now = Hertz (sim::VirtualGpu::*)();
  ClockControl(const Gpu& gpu, const char* name, const ClockList& list, Lock lock, Locked locked, Now now)
      : VirtualControl(gpu, name), lock_(lock), locked_(locked), now_(now) {
    ControlRange range;
    for (const Hertz clock : list.supported) range.values.push_back(in_megahertz(clock));
    range.low = range.values.front();
    range.high = range.values.back();
    set_range(std::move(range));
  }
  [[nodiscard]] std::optional<std::string> state() override {
    const std::optional<Hertz> locked = (gpu().*locked_)();
    return locked ? fmt::format("{}", in_megahertz(*locked)) : unlocked;
  }
  [[nodiscard]] std::optional<double> measured() override { return in_megahertz((gpu().*now_)()); }
  ControlResult set(double value) override {
    return ask(fmt::format("{}", value), [&] { return (gpu().*lock_)(megahertz(value)); });
  }
  [[nodiscard]] std::string released() const override { return unlocked; }
  ControlResult restore(const std::string& state) override {
    const std::optional<double> value = number_in(state);
    if (!value && state != unlocked) return {ControlCode::refused, info().name + " has no state '" + state + "'"};
    return ask(state, [&] { return (gpu().*lock_)(value ? std::optional(megahertz(*value)) : std::nullopt); });
  }

 private:
  Lock lock_;
  Locked locked_;
  Now now_;
};

class PowerLimitControl final : public VirtualControl {
 public:
  explicit PowerLimitControl(const Gpu& gpu) : VirtualControl(gpu, "power_limit_w") {
    const PowerLimit& limit = gpu->preset().power_limit;
    set_range({{}, limit.low.value(), limit.high.value()});
  }
  [[nodiscard]] std::optional<std::string> state() override { return fmt::format("{:.3f}", now()); }
  [[nodiscard]] std::optional<double> measured() override { return now(); }
  ControlResult set(double value) override {
    return ask(fmt::format("{}", value), [&] { return gpu().set_power_limit(Watts(value)); });
  }
  ControlResult restore(const std::string& state) override {
    const std::optional<double> value = number_in(state);
    return value ? set(*value) : ControlResult{ControlCode::refused, "no power limit: '" + state + "'"};
  }

 private:
  [[nodiscard]] double now() const { return gpu().power_limit().value(); }
};

}  // namespace

std::vector<std::unique_ptr<Control>> make_controls(const Gpu& gpu) {
  using sim::VirtualGpu;
  const VirtualGpuPreset& preset = gpu->preset();
  std::vector<std::unique_ptr<Control>> controls;
  controls.push_back(std::make_unique<ClockControl>(gpu, "core_clock_mhz", preset.core_clock,
                                                    &VirtualGpu::set_core_clock, &VirtualGpu::locked_core_clock,
                                                    &VirtualGpu::core_clock));
  controls.push_back(std::make_unique<ClockControl>(gpu, "memory_clock_mhz", preset.memory_clock,
                                                    &VirtualGpu::set_memory_clock, &VirtualGpu::locked_memory_clock,
                                                    &VirtualGpu::memory_clock));
  controls.push_back(std::make_unique<PowerLimitControl>(gpu));
  return controls;
}

}  // namespace wattune::device::simulated
