#include "device/nvml/power_limit.hpp"

#include <cmath>

#include "base/format.hpp"

namespace wattune::device::nvml {
namespace {

constexpr double milliwatts_per_watt = 1e3;

Result bounds(const Gpu& gpu, ControlRange& range) {
  unsigned low = 0;
  unsigned high = 0;
  if (gpu.api->device_get_power_limit_constraints == nullptr) return error_function_not_found;
  const Result code = gpu.api->device_get_power_limit_constraints(gpu.handle, &low, &high);
  if (code != success) return code;
  if (high <= low) return error_not_supported;
  range.low = low / milliwatts_per_watt;
  range.high = high / milliwatts_per_watt;
  return success;
}

class PowerLimit final : public ControlBase {
 public:
  PowerLimit(const Gpu& gpu, Result code, const ControlRange& range, bool settable, const Permission& permission)
      : ControlBase(gpu, "power_limit_w", code, range, settable, permission) {}

  [[nodiscard]] std::optional<std::string> state() override {
    const std::optional<double> watts = ask(gpu().api->device_get_power_limit);
    if (!watts) return std::nullopt;
    return base::format_fixed(*watts, 3);
  }

  [[nodiscard]] std::optional<double> measured() override { return ask(gpu().api->device_get_enforced_power_limit); }

  ControlResult set(double value) override {
    if (ControlResult result = allowed(value); !result.ok()) return result;
    return set_milliwatts(value);
  }

  ControlResult restore(const std::string& state) override {
    if (ControlResult result = allowed(); !result.ok()) return result;
    const std::optional<double> watts = setting_value(state);
    if (!watts || *watts <= 0.0) return {ControlCode::refused, info().name + ": '" + state + "' is no setting of it"};
    if (ControlResult result = set_milliwatts(*watts); !result.ok()) return result;
    const std::optional<std::string> now = this->state();
    if (!now || *now == state) return {};
    return {ControlCode::refused, info().name + " = " + state + ": the driver took it, but " + *now + " is in force"};
  }

 private:
  [[nodiscard]] std::optional<double> ask(Result (*call)(Handle, unsigned*)) const {
    unsigned milliwatts = 0;
    if (call == nullptr || call(gpu().handle, &milliwatts) != success) return std::nullopt;
    return milliwatts / milliwatts_per_watt;
  }

  ControlResult set_milliwatts(double watts) {
    const auto milliwatts = static_cast<unsigned>(std::lround(watts * milliwatts_per_watt));
    const auto call = gpu().setters->set_power_limit;
    return answer(call != nullptr ? call(gpu().handle, milliwatts) : error_function_not_found,
                  "= " + base::format_fixed(watts, 3));
  }
};

}  // namespace

std::unique_ptr<Control> make_power_limit(const Gpu& gpu, const Permission& permission) {
  ControlRange range;
  const Result code = bounds(gpu, range);
  const bool settable = controls_forbidden() || gpu.setters->set_power_limit != nullptr;
  return std::make_unique<PowerLimit>(gpu, code, range, settable, permission);
}

}  // namespace wattune::device::nvml
