#include "device/nvml/polled_sensor.hpp"

#include <cmath>
#include <utility>

#include "base/format.hpp"

namespace wattune::device::nvml {
namespace {

constexpr double farthest_stamp = 10.0;  // s; a stamp farther from now is another clock, not this reading's time

}  // namespace

std::string why_absent(const Api& api, Result code) {
  return code == error_function_not_found ? "this driver's NVML does not have the function" : error_text(api, code);
}

PolledSensor::PolledSensor(const Gpu& gpu, std::string name, std::string unit, SensorTraits traits, Probe probe)
    : gpu_(&gpu),
      info_{std::move(name), std::move(unit), traits.update_period, false, {}},
      traits_(std::move(traits)),
      probe_(std::move(probe)) {
  const Probed first = probe_(gpu);
  info_.available = first.code == success;
  if (!info_.available) info_.why = why_absent(*gpu.api, first.code);
}

ReadResult PolledSensor::read() {
  ReadResult result;
  const Seconds before = gpu_->clock->system();
  const Probed probed = probe_(*gpu_);
  const Seconds after = gpu_->clock->system();
  if (probed.code != success) {
    result.lost = is_lost(probed.code);
    result.why = info_.name + ": " + why_absent(*gpu_->api, probed.code);
    return result;
  }
  if (traits_.counter) {
    const std::optional<double> last = std::exchange(last_count_, probed.value);
    if (last && probed.value < *last) {
      result.why = info_.name + " went backwards, from " + base::format_fixed(*last, 3) + " to " +
                   base::format_fixed(probed.value, 3) + " " + info_.unit +
                   ": the driver was reloaded or the device reset";
      return result;
    }
  }
  const Seconds stamp = microseconds(static_cast<double>(probed.stamp_us));
  const bool stamped = probed.stamp_us > 0 && std::abs((stamp - after).value()) < farthest_stamp;
  result.reading = Reading{stamped ? stamp : (before + after) * 0.5, probed.value};
  return result;
}

}  // namespace wattune::device::nvml
