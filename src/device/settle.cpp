// What happens between asking for a setting and believing it.
#include <cmath>

#include "base/format.hpp"
#include "wattune/device.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

std::string reasons_now(const Device& device) {
  Sensor* const sensor = device.sensor("clock_event_reasons");
  if (sensor == nullptr) return {};
  const ReadResult read = sensor->read();
  return read.reading ? event_reasons_text(read.reading->value) : std::string();
}

}  // namespace

Status control_status(const ControlResult& result) {
  switch (result.code) {
    case ControlCode::done:
      return Status::correct;
    case ControlCode::refused:
      return Status::clock_refused;
    case ControlCode::lost:
      throw Error(ExitCode::device, result.why, {}, "the device is gone: look at dmesg; it may need a reset or reboot");
    case ControlCode::forbidden:
    case ControlCode::denied:
      throw Error(ExitCode::permission, result.why);
    case ControlCode::unsupported:
      break;
  }
  throw Error(ExitCode::permission, result.why, {}, "take this parameter out of the spec, or tune on another device");
}

ControlResult settle(const Device& device, Control& control, double value, Clock& clock, const SettleOptions& options) {
  std::optional<double> measured = control.measured();
  if (!measured) return {};
  const Seconds end = clock.monotonic() + options.limit;
  std::uint32_t agreements = 0;
  while (true) {
    const bool agrees = measured && std::abs(*measured - value) <= options.tolerance * std::abs(value);
    agreements = agrees ? agreements + 1 : 0;
    if (agreements >= options.agreements) return {};
    if (clock.monotonic() >= end) break;
    clock.sleep(options.interval);
    measured = control.measured();
  }
  const std::string reasons = reasons_now(device);
  return {ControlCode::refused, control.info().name + " = " + base::format_si(value, "") + " was taken, but after " +
                                    base::format_seconds(options.limit) + " the device measures " +
                                    (measured ? base::format_si(*measured, "") : "nothing") +
                                    (reasons.empty() ? "" : " (" + reasons + ")")};
}

}  // namespace wattune
