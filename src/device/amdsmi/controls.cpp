#include "device/amdsmi/controls.hpp"

#include <charconv>
#include <cmath>

#include "base/format.hpp"

namespace wattune::device::amdsmi {
namespace {

constexpr double microwatts_per_watt = 1e6;
constexpr std::uint32_t first_sensor = 0;

/// What every setting does before and after it calls the driver.
class ControlBase : public Control {
 public:
  [[nodiscard]] const ControlInfo& info() const override { return info_; }
  [[nodiscard]] const ControlRange& range() const override { return range_; }

  ControlResult set(double value) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    if (value >= range_.low && value <= range_.high) return apply(value);
    return {ControlCode::refused, info_.name + " = " + base::format_fixed(value, 0) + ": outside " +
                                      base::format_fixed(range_.low, 0) + " to " + base::format_fixed(range_.high, 0)};
  }

 protected:
  ControlBase(const Gpu& gpu, std::string name) : gpu_(&gpu) { info_.name = std::move(name); }

  /// `code`: how asking for the range went; `settable`: the library has the setter.
  void describe(Result code, double low, double high, bool settable, const Permission& permission) {
    range_.low = low;
    range_.high = high;
    if (code == success && high <= low) code = error_not_supported;
    info_.supported = code == success && settable;
    info_.permitted = info_.supported && permission.allowed;
    if (code != success) {
      info_.why = error_text(*gpu_->api, code);
    } else if (!settable) {
      info_.why = "this release of amdsmi has no call that sets it";
    } else if (!permission.allowed) {
      info_.why = permission.why;
    }
  }
  virtual ControlResult apply(double value) = 0;

  [[nodiscard]] ControlResult allowed() const {
    if (controls_forbidden()) return {ControlCode::forbidden, control_permission(true, false, {}).why};
    if (!info_.supported) return {ControlCode::unsupported, info_.name + ": " + info_.why};
    return {};
  }
  [[nodiscard]] ControlResult answer(Result code, const std::string& what) const {
    if (code == success) return {};
    const std::string text = info_.name + " = " + what + ": " + error_text(*gpu_->api, code);
    if (is_lost(code)) return {ControlCode::lost, text};
    if (code == error_no_permission) return {ControlCode::denied, text + "; needs root: run as root, e.g. with sudo"};
    if (code == error_not_supported || code == error_function_not_found) return {ControlCode::unsupported, text};
    return {ControlCode::refused, text};
  }
  [[nodiscard]] ControlResult no_setting(const std::string& state) const {
    return {ControlCode::refused, info_.name + ": '" + state + "' is no setting of it"};
  }
  [[nodiscard]] ControlResult verified(const std::string& state) {
    const std::optional<std::string> now = this->state();
    if (!now || *now == state) return {};
    return {ControlCode::refused, info_.name + " = " + state + ": the driver took it, but " + *now + " is in force"};
  }
  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }

 private:
  const Gpu* gpu_;
  ControlInfo info_;
  ControlRange range_;
};

class ClockLimit final : public ControlBase {
 public:
  ClockLimit(const Gpu& gpu, const char* name, int type, const Permission& permission)
      : ControlBase(gpu, name), type_(type) {
    ClockInfo clock;
    const Result code = call(gpu.api->get_clock, gpu.handle, type, &clock);
    describe(code, clock.low, clock.high, controls_forbidden() || gpu.setters->set_clock_limit != nullptr, permission);
  }

  /// "500-2100"
  [[nodiscard]] std::optional<std::string> state() override {
    ClockInfo clock;
    if (call(gpu().api->get_clock, gpu().handle, type_, &clock) != success) return std::nullopt;
    return std::to_string(clock.low) + "-" + std::to_string(clock.high);
  }
  /// Nothing while the clock sleeps: an idle GPU stops it, whatever its limits.
  [[nodiscard]] std::optional<double> measured() override {
    ClockInfo clock;
    if (call(gpu().api->get_clock, gpu().handle, type_, &clock) != success || clock.deep_sleep == 1)
      return std::nullopt;
    return static_cast<double>(clock.now);
  }
  ControlResult restore(const std::string& state) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    unsigned low = 0;
    unsigned high = 0;
    const char* const end = state.data() + state.size();
    const auto [dash, fault] = std::from_chars(state.data(), end, low);
    if (fault != std::errc() || dash == end || *dash != '-') return no_setting(state);
    const auto [rest, second_fault] = std::from_chars(dash + 1, end, high);
    if (second_fault != std::errc() || rest != end || high < low) return no_setting(state);
    if (ControlResult result = limit(low, high); !result.ok()) return result;
    return verified(state);
  }

 private:
  ControlResult apply(double value) override {
    const auto mhz = static_cast<unsigned>(std::lround(value));
    return limit(mhz, mhz);
  }
  /// The lower limit is never above the upper one on the way.
  ControlResult limit(unsigned low, unsigned high) {
    ClockInfo now;
    Result code = call(gpu().api->get_clock, gpu().handle, type_, &now);
    const std::string what = std::to_string(low) + "-" + std::to_string(high);
    if (code != success) return answer(code, what);
    const bool upper_first = high >= now.high;
    for (const bool upper : {upper_first, !upper_first}) {
      code = call(gpu().setters->set_clock_limit, gpu().handle, type_, upper ? limit_high : limit_low,
                  static_cast<std::uint64_t>(upper ? high : low));
      if (code != success) return answer(code, what);
    }
    return {};
  }

  int type_;
};

class PowerLimit final : public ControlBase {
 public:
  PowerLimit(const Gpu& gpu, const Permission& permission) : ControlBase(gpu, "power_limit_w") {
    PowerCap cap;
    const Result code = call(gpu.api->get_power_cap, gpu.handle, first_sensor, &cap);
    describe(code, static_cast<double>(cap.low) / microwatts_per_watt,
             static_cast<double>(cap.high) / microwatts_per_watt,
             controls_forbidden() || gpu.setters->set_power_cap != nullptr, permission);
  }
  [[nodiscard]] std::optional<std::string> state() override {
    const std::optional<double> watts = measured();
    return watts ? std::optional(base::format_fixed(*watts, 3)) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> measured() override {
    PowerCap cap;
    if (call(gpu().api->get_power_cap, gpu().handle, first_sensor, &cap) != success) return std::nullopt;
    return static_cast<double>(cap.now) / microwatts_per_watt;
  }
  ControlResult restore(const std::string& state) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    double watts = 0.0;
    const char* const end = state.data() + state.size();
    const auto [rest, fault] = std::from_chars(state.data(), end, watts);
    if (fault != std::errc() || rest != end || !(watts > 0.0)) return no_setting(state);
    if (ControlResult result = apply(watts); !result.ok()) return result;
    return verified(state);
  }

 private:
  ControlResult apply(double value) override {
    const auto microwatts = static_cast<std::uint64_t>(std::llround(value * microwatts_per_watt));
    return answer(call(gpu().setters->set_power_cap, gpu().handle, first_sensor, microwatts),
                  base::format_fixed(value, 3));
  }
};

}  // namespace

std::vector<std::unique_ptr<Control>> make_controls(const Gpu& gpu, const Permission& permission) {
  std::vector<std::unique_ptr<Control>> controls;
  controls.push_back(std::make_unique<ClockLimit>(gpu, "core_clock_mhz", clock_core, permission));
  controls.push_back(std::make_unique<ClockLimit>(gpu, "memory_clock_mhz", clock_memory, permission));
  controls.push_back(std::make_unique<PowerLimit>(gpu, permission));
  return controls;
}

}  // namespace wattune::device::amdsmi
