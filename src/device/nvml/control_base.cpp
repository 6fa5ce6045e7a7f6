#include "device/nvml/control_base.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/format.hpp"
#include "device/nvml/polled_sensor.hpp"

namespace wattune::device::nvml {

ControlBase::ControlBase(const Gpu& gpu, std::string name, Result range_code, ControlRange range, bool settable,
                         const Permission& permission)
    : gpu_(&gpu), range_(std::move(range)) {
  info_.name = std::move(name);
  info_.supported = range_code == success && settable;
  info_.permitted = info_.supported && permission.allowed;
  if (range_code != success) {
    info_.why = why_absent(*gpu.api, range_code);
  } else if (!settable) {
    info_.why = "this GPU and driver have no call that sets it";
  } else if (!permission.allowed) {
    info_.why = permission.why;
  }
}

ControlResult ControlBase::allowed() const {
  if (controls_forbidden()) return {ControlCode::forbidden, control_permission(true, false, {}).why};
  if (!info_.supported) return {ControlCode::unsupported, info_.name + ": " + info_.why};
  return {};
}

ControlResult ControlBase::allowed(double value) const {
  if (ControlResult result = allowed(); !result.ok()) return result;
  const std::string what = info_.name + " = " + base::format_fixed(value, value == std::floor(value) ? 0 : 3);
  if (!range_.values.empty()) {
    if (std::find(range_.values.begin(), range_.values.end(), value) != range_.values.end()) return {};
    const auto above = std::lower_bound(range_.values.begin(), range_.values.end(), value);
    const double near = above == range_.values.end()                                              ? range_.values.back()
                        : above == range_.values.begin() || *above - value < value - *(above - 1) ? *above
                                                                                                  : *(above - 1);
    return {ControlCode::refused, what + ": not a supported value; the nearest is " + base::format_fixed(near, 0)};
  }
  if (value >= range_.low && value <= range_.high) return {};
  return {ControlCode::refused,
          what + ": outside " + base::format_fixed(range_.low, 0) + " to " + base::format_fixed(range_.high, 0)};
}

ControlResult ControlBase::answer(Result code, const std::string& what) const {
  const std::string text = info_.name + " " + what + ": " + error_text(*gpu_->api, code);
  if (code == success) return {};
  if (is_lost(code)) return {ControlCode::lost, text};
  if (code == error_no_permission)
    return {ControlCode::denied, text + "; needs root or CAP_SYS_ADMIN: run as root, e.g. with sudo"};
  if (code == error_not_supported || code == error_function_not_found) return {ControlCode::unsupported, text};
  return {ControlCode::refused, text};
}

std::optional<double> setting_value(const std::string& text) {
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace wattune::device::nvml
