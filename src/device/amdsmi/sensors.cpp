#include "device/amdsmi/sensors.hpp"

#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "base/format.hpp"

namespace wattune::device::amdsmi {
namespace {

constexpr double joules_per_microjoule = 1e-6;
constexpr double volts_per_millivolt = 1e-3;
constexpr double hertz_per_megahertz = 1e6;
constexpr Seconds firmware_period{0.001};  // MI300's firmware renews its power every millisecond (FinGraV 2024)

/// NVML's clock event reasons for the bits of indep_throttle_status (linux: kgd_pp_interface.h).
constexpr unsigned power_cap = 0x4;
constexpr unsigned hardware_slowdown = 0x8;
constexpr unsigned thermal_slowdown = 0x20;
constexpr std::uint64_t power_bits = 0x00000000ffffffffULL;    // PPT, FPPT, SPPT, and currents (TDC, EDC)
constexpr std::uint64_t thermal_bits = 0x00000fff00000000ULL;  // edge, hotspot, memory, regulators
constexpr std::uint64_t other_bits = 0xfffff00000000000ULL;    // PROCHOT, PPM, fit

struct Probed {
  Result code = error_function_not_found;
  double value = 0.0;
};
using Probe = std::function<Probed(const Gpu&)>;

class PolledSensor final : public Sensor {
 public:
  PolledSensor(const Gpu& gpu, std::string name, std::string unit, SensorTraits traits, Probe probe)
      : gpu_(&gpu),
        info_{std::move(name), std::move(unit), traits.update_period, false, {}},
        traits_(std::move(traits)),
        probe_(std::move(probe)) {
    const Probed first = probe_(gpu);
    info_.available = first.code == success;
    if (!info_.available) info_.why = error_text(*gpu.api, first.code);
  }
  [[nodiscard]] const SensorInfo& info() const override { return info_; }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  std::vector<Reading> samples(Seconds, Seconds) override { return {}; }

  ReadResult read() override {
    ReadResult result;
    const Seconds before = gpu_->clock->system();
    const Probed probed = probe_(*gpu_);
    const Seconds after = gpu_->clock->system();
    if (probed.code != success) {
      result.lost = is_lost(probed.code);
      result.why = info_.name + ": " + error_text(*gpu_->api, probed.code);
      return result;
    }
    const std::optional<double> last = traits_.counter ? std::exchange(last_, probed.value) : std::nullopt;
    if (last && probed.value < *last) {
      result.why = info_.name + " went backwards, from " + base::format_fixed(*last, 3) + " to " +
                   base::format_fixed(probed.value, 3) + " " + info_.unit +
                   ": the driver was reloaded or the device reset";
      return result;
    }
    // The driver's own stamps count from the machine's start, not in system time: the middle of the call it is.
    result.reading = Reading{(before + after) * 0.5, probed.value};
    return result;
  }

 private:
  const Gpu* gpu_;
  SensorInfo info_;
  SensorTraits traits_;
  Probe probe_;
  std::optional<double> last_;
};

Probed energy(const Gpu& gpu) {
  std::uint64_t count = 0;
  std::uint64_t stamp = 0;
  float microjoules = 0.0F;
  const Result code = call(gpu.api->get_energy, gpu.handle, &count, &microjoules, &stamp);
  return {code, static_cast<double>(count) * static_cast<double>(microjoules) * joules_per_microjoule};
}

Result read_metrics(const Gpu& gpu, Metrics& metrics) {
  const auto room = std::make_unique<Room>();
  const Result code = call(gpu.api->get_metrics, gpu.handle, static_cast<void*>(room->bytes.data()));
  std::memcpy(&metrics, room->bytes.data(), sizeof metrics);
  return code;
}

/// A member of the metrics; one with all bits set is what this GPU does not tell.
template <class Member>
Probe metric(Member Metrics::*member, double scale) {
  return [member, scale](const Gpu& gpu) -> Probed {
    Metrics metrics;
    if (const Result code = read_metrics(gpu, metrics); code != success) return {code};
    const Member value = metrics.*member;
    if (value == std::numeric_limits<Member>::max()) return {error_not_supported};
    return {success, scale * static_cast<double>(value)};
  };
}

Probed throttle_reasons(const Gpu& gpu) {
  Metrics metrics;
  if (const Result code = read_metrics(gpu, metrics); code != success) return {code};
  const std::uint64_t bits = metrics.throttle;
  if (bits == std::numeric_limits<std::uint64_t>::max()) return {error_not_supported};
  const unsigned reasons = ((bits & power_bits) != 0 ? power_cap : 0U) |
                           ((bits & thermal_bits) != 0 ? thermal_slowdown : 0U) |
                           ((bits & other_bits) != 0 ? hardware_slowdown : 0U);
  return {success, static_cast<double>(reasons)};
}

Probe clock_probe(int type) {
  return [type](const Gpu& gpu) -> Probed {
    ClockInfo clock;
    const Result code = call(gpu.api->get_clock, gpu.handle, type, &clock);
    return {code, hertz_per_megahertz * clock.now};
  };
}

}  // namespace

std::vector<std::unique_ptr<Sensor>> make_sensors(const Gpu& gpu) {
  std::vector<std::unique_ptr<Sensor>> sensors;
  const auto add = [&](const char* name, const char* unit, SensorTraits traits, Probe probe) {
    sensors.push_back(std::make_unique<PolledSensor>(gpu, name, unit, std::move(traits), std::move(probe)));
  };
  SensorTraits counter;
  counter.counter = true;
  counter.update_period = firmware_period;
  add("power_instant", "W", {}, metric(&Metrics::current_power, 1.0));
  add("power_average", "W", {}, metric(&Metrics::average_power, 1.0));
  add("energy_counter", "J", counter, energy);
  add("core_clock", "Hz", {}, clock_probe(clock_core));
  add("memory_clock", "Hz", {}, clock_probe(clock_memory));
  add("temperature", "°C", {}, metric(&Metrics::temperature_hotspot, 1.0));
  add("memory_temperature", "°C", {}, metric(&Metrics::temperature_memory, 1.0));
  add("clock_event_reasons", "bits", {}, throttle_reasons);
  add("voltage", "V", {}, metric(&Metrics::voltage_core, volts_per_millivolt));
  return sensors;
}

}  // namespace wattune::device::amdsmi
