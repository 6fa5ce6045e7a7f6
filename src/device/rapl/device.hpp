// A CPU package with its energy counters. Reads only: its power limits are not this program's to set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/rapl/zone.hpp"
#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::rapl {

class RaplDevice final : public Device {
 public:
  RaplDevice(const Zone& zone, const std::string& root, Clock& clock);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] std::span<const std::unique_ptr<Sensor>> sensors() const override { return sensors_; }
  [[nodiscard]] std::span<const std::unique_ptr<Control>> controls() const override { return {}; }

 private:
  DeviceInfo info_;
  std::vector<std::unique_ptr<Sensor>> sensors_;
};

/// "rapl:package-0" or "rapl:0"; null for any other name.
std::unique_ptr<Device> open(const std::string& name, const std::string& root = {}, Clock& clock = real_clock());

}  // namespace wattune::device::rapl
