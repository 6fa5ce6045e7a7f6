// What every setting of an NVIDIA GPU does before and after it calls the driver: the lock first, then privileges, the
// range, and the driver's answer in words.
#pragma once

#include <functional>
#include <string>

#include "device/control_lock.hpp"
#include "device/nvml/gpu.hpp"
#include "wattune/device.hpp"

namespace wattune::device::nvml {

class ControlBase : public Control {
 public:
  [[nodiscard]] const ControlInfo& info() const override { return info_; }
  [[nodiscard]] const ControlRange& range() const override { return range_; }

 protected:
  /// `range_code`: how asking for the range went; `settable`: the library has the setter.
  ControlBase(const Gpu& gpu, std::string name, Result range_code, ControlRange range, bool settable,
              const Permission& permission);

  /// Why nothing may be set now; done when it may.
  [[nodiscard]] ControlResult allowed() const;
  /// The same, and `value` is one that the device takes.
  [[nodiscard]] ControlResult allowed(double value) const;
  /// The driver's answer to a setter.
  [[nodiscard]] ControlResult answer(Result code, const std::string& what) const;
  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }

 private:
  const Gpu* gpu_;
  ControlInfo info_;
  ControlRange range_;
};

/// A number as settings are written in a journal: "1410", "250.500"; nothing for anything else.
std::optional<double> setting_value(const std::string& text);

}  // namespace wattune::device::nvml
