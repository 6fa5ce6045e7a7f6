// How the power sensors of a virtual GPU see its power: means over a window at every multiple of a period, with noise,
// and a counter that sums what the instantaneous sensor sees.
#include <algorithm>
#include <cmath>

#include "sim/virtual_gpu.hpp"

namespace wattune::sim {
namespace {

constexpr double rounding = 1e-9;  // s; a step that arithmetic moved a hair beyond `now` counts

/// Nearly uniform bits from a counter (Steele, Lea, Flood 2014, SplitMix64), to seed one draw of noise.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

}  // namespace

const SensorModel& VirtualGpu::model(Channel channel) const {
  const SensorModels& sensors = preset_.sensors;
  switch (channel) {
    case Channel::samples:
      return sensors.samples;
    case Channel::instant:
      return sensors.instant;
    case Channel::average:
      return sensors.average;
    case Channel::counter:
      break;
  }
  return counter_model_;
}

/// The same for the same step, however often it is read; three standard deviations at most.
double VirtualGpu::noise(Channel channel, double step) const {
  if (options_.power_noise <= 0.0) return 1.0;
  const auto index = static_cast<std::uint64_t>(step);
  Random random(mixed(mixed(options_.seed) ^ mixed(index * 8 + static_cast<std::uint64_t>(channel))));
  return 1.0 + options_.power_noise * std::clamp(random.normal(), -3.0, 3.0);
}

void VirtualGpu::append_steps() {
  const double period = counter_model_.period.value();
  if (period <= 0.0) return;
  const double window = std::min(period, std::max(counter_model_.window.value(), 1e-3));
  if (counter_.empty()) counter_.push_back(0.0);
  while (static_cast<double>(counter_.size()) * period <= trace_.end() + rounding) {
    const auto step = static_cast<double>(counter_.size());
    const double seen = trace_.mean(step * period - window, step * period) * noise(Channel::instant, step);
    counter_.push_back(counter_.back() + seen * period);
  }
}

double VirtualGpu::counter_at(std::size_t step) const {
  double joules = counter_[step] - (step >= counter_from_ && counter_from_ > 0 ? counter_[counter_from_ - 1] : 0.0);
  if (options_.faults.counter_wraps_at) joules = std::fmod(joules, options_.faults.counter_wraps_at->value());
  const double resolution = preset_.sensors.counter_resolution.value();
  return std::floor(joules / resolution) * resolution;
}

double VirtualGpu::value_at(Channel channel, double step) const {
  if (channel == Channel::counter) return counter_at(static_cast<std::size_t>(step));
  const SensorModel& sensor = model(channel);
  const double time = step * sensor.period.value();
  return trace_.mean(time - sensor.window.value(), time) * noise(channel, step);
}

std::optional<Sample> VirtualGpu::newest(Channel channel) {
  catch_up();
  const double period = model(channel).period.value();
  if (period <= 0.0) return std::nullopt;
  const double step = std::floor((now() + rounding) / period);
  if (step < 1.0) return std::nullopt;
  return Sample{origin_ + Seconds(step * period), value_at(channel, step)};
}

std::vector<Sample> VirtualGpu::samples(Channel channel, Seconds begin, Seconds end) {
  catch_up();
  std::vector<Sample> found;
  const double period = model(channel).period.value();
  if (period <= 0.0) return found;
  double last = std::min((end - origin_).value(), now());
  for (const auto& lost : {options_.faults.sensors_lost, options_.faults.unplugged}) {
    if (lost) last = std::min(last, lost->value());
  }
  const double first = std::max(
      {1.0, std::ceil(((begin - origin_).value() - rounding) / period), std::ceil((now() - kept_seconds) / period)});
  for (double step = first; step * period <= last + rounding; step += 1.0)
    found.push_back({origin_ + Seconds(step * period), value_at(channel, step)});
  return found;
}

}  // namespace wattune::sim
