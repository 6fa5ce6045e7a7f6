#include "measure/power_source.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "wattune/error.hpp"

namespace wattune::measure {
namespace {

constexpr Seconds poll_interval{2e-3};  // a step of a counter is then dated to a fiftieth of its period
constexpr Seconds unknown_period{0.1};
constexpr Seconds device_rise{0.08};    // an H200 reaches its power 60 ms after a load begins
constexpr Seconds average_window{1.0};  // NVML's average power, where the driver does not say

struct Choice {
  const char* sensor;
  EnergyMethod method;
};
constexpr std::array gauges = {Choice{"power_samples", EnergyMethod::trapezoid},
                               Choice{"power_instant", EnergyMethod::trapezoid},
                               Choice{"power_average", EnergyMethod::median_power}};
constexpr Choice counter{"energy_counter", EnergyMethod::counter};

std::vector<Choice> choices(EnergyMethod method) {
  if (method == EnergyMethod::counter) return {counter};
  std::vector<Choice> list;
  for (Choice choice : gauges) {
    if (method != EnergyMethod::automatic) choice.method = method;
    list.push_back(choice);
  }
  if (method == EnergyMethod::automatic) list.insert(list.begin() + 1, counter);
  return list;
}

}  // namespace

PowerSource::PowerSource(Sensor& sensor, EnergyMethod method, Clock& clock) : sensor_(sensor), method_(method) {
  if (!sensor.traits().buffered) sampler_ = std::make_unique<device::Sampler>(sensor, clock, poll_interval);
}

Seconds PowerSource::update_period() const {
  const Seconds told = std::max(sensor_.traits().update_period, sensor_.info().update_period);
  return told.value() > 0.0 ? told : unknown_period;
}

Seconds PowerSource::rise_time() const {
  if (sensor_.traits().counter) return update_period();
  Seconds window = sensor_.traits().averaging_window;
  if (window.value() <= 0.0 && sensor_.info().name == "power_average") window = average_window;
  return std::max(device_rise, window + update_period());
}

void PowerSource::start() {
  if (sampler_) sampler_->start();
}

void PowerSource::stop() {
  if (sampler_) sampler_->stop();
}

Stretch PowerSource::readings(Seconds begin, Seconds end) {
  return sampler_ ? sampler_->samples(begin, end) : sensor_.samples(begin, end);
}

std::optional<Interval> PowerSource::power(std::span<const Stretch> stretches, std::size_t& backwards) const {
  if (method_ == EnergyMethod::counter) return counter_power(stretches, backwards);
  backwards = 0;
  return mean_power(stretches, method_);
}

PowerSource choose_source(Device& device, EnergyMethod method, Clock& clock) {
  std::string absent;
  for (const Choice& choice : choices(method)) {
    if (Sensor* sensor = device.sensor(choice.sensor)) return {*sensor, choice.method, clock};
    absent += (absent.empty() ? "" : ", ") + std::string(choice.sensor);
    for (const SensorInfo& info : device.info().sensors) {
      if (info.name == choice.sensor && !info.why.empty()) absent += " (" + info.why + ")";
    }
  }
  throw Error(ExitCode::device,
              "energy cannot be measured by method '" + std::string(to_string(method)) + "': no " + absent,
              device.info().name, "`wattune devices` shows what the device can read");
}

std::optional<PowerSource> choose_cross_check(Device& device, EnergyMethod primary, Clock& clock) {
  if (primary != EnergyMethod::counter) {
    Sensor* sensor = device.sensor(counter.sensor);
    return sensor != nullptr ? std::optional<PowerSource>(std::in_place, *sensor, counter.method, clock) : std::nullopt;
  }
  for (const Choice& choice : gauges) {
    if (Sensor* sensor = device.sensor(choice.sensor)) {
      return std::optional<PowerSource>(std::in_place, *sensor, choice.method, clock);
    }
  }
  return std::nullopt;
}

}  // namespace wattune::measure
