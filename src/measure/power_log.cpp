#include "measure/power_log.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"

namespace wattune::measure {
namespace {

constexpr Seconds fetch_period{0.5};  // an H200's driver keeps 2.4 s
constexpr Seconds peak_window{0.5};   // of a counter: shorter differences show its steps, not the power
constexpr std::size_t enough_steps = 10;
constexpr double worth_a_warning = 5.0;  // per cent

constexpr std::array gauges = {"power_samples", "power_instant", "power_average"};

Sensor* gauge_of(const Device& device) {
  for (const char* name : gauges) {
    if (Sensor* sensor = device.sensor(name)) return sensor;
  }
  return nullptr;
}

std::optional<Watts> highest(const Stretch& readings) {
  const auto found = std::max_element(readings.begin(), readings.end(),
                                      [](const Reading& a, const Reading& b) { return a.value < b.value; });
  return found == readings.end() ? std::nullopt : std::optional(Watts(found->value));
}

/// The steepest rise of a counter over at least `peak_window`.
std::optional<Watts> steepest(const Stretch& readings) {
  std::optional<Watts> peak;
  std::size_t first = 0;
  for (std::size_t last = 0; last < readings.size(); ++last) {
    while (first + 1 < last && readings[last].at - readings[first + 1].at >= peak_window) ++first;
    const Seconds time = readings[last].at - readings[first].at;
    if (time < peak_window) continue;
    const Watts power = Joules(readings[last].value - readings[first].value) / time;
    if (!peak || power > *peak) peak = power;
  }
  return peak;
}

std::size_t new_values(const Stretch& readings) {
  std::size_t count = readings.empty() ? 0 : 1;
  for (std::size_t i = 1; i < readings.size(); ++i) count += readings[i].value != readings[i - 1].value ? 1 : 0;
  return count;
}

void add_warning(PowerSummary& summary, const std::string& sentence) {
  summary.warning += (summary.warning.empty() ? "" : "; ") + sentence;
}

}  // namespace

bool PowerLog::can_log(const Device& device) {
  return gauge_of(device) != nullptr || device.sensor("energy_counter") != nullptr;
}

PowerLog::PowerLog(Device& device, Clock& clock) : clock_(clock) {
  const auto channel = [&](Sensor* sensor) -> std::optional<Channel> {
    if (sensor == nullptr) return std::nullopt;
    Channel made;
    made.sensor = sensor;
    if (!sensor->traits().buffered) made.sampler = std::make_unique<device::Sampler>(*sensor, clock, tick);
    return made;
  };
  gauge_ = channel(gauge_of(device));
  counter_ = channel(device.sensor("energy_counter"));
}

void PowerLog::start() {
  begin_monotonic_ = clock_.monotonic();
  begin_ = end_ = clock_.system();
  for (std::optional<Channel>* channel : {&gauge_, &counter_}) {
    if (!*channel) continue;
    (*channel)->next_fetch = begin_monotonic_ + fetch_period;
    if ((*channel)->sampler) look(**channel, false);
  }
}

void PowerLog::look(Channel& channel, bool last) {
  if (channel.lost) return;
  if (channel.sampler) {
    channel.lost = !channel.sampler->poll();
    channel.why = channel.sampler->window().why;
    return;
  }
  if (!last && clock_.monotonic() < channel.next_fetch) return;
  channel.next_fetch = clock_.monotonic() + fetch_period;
  const Seconds from = channel.readings.empty() ? begin_ : channel.readings.back().at;
  for (const Reading& reading : channel.sensor->samples(from, clock_.system())) {
    if (channel.readings.empty() || reading.at > channel.readings.back().at) channel.readings.push_back(reading);
  }
  if (channel.readings.empty() || clock_.system() - channel.readings.back().at > fetch_period * 2.0) {
    const ReadResult answer = channel.sensor->read();
    channel.lost = answer.lost;
    channel.why = answer.why;
  }
}

void PowerLog::collect() {
  if (gauge_) look(*gauge_, false);
  if (counter_) look(*counter_, false);
}

Stretch PowerLog::stretch_of(const Channel& channel) {
  return channel.sampler ? channel.sampler->window().readings : channel.readings;
}

/// Of a time too short for two readings: the last one, perhaps of a moment before.
std::optional<Watts> PowerLog::rough_power(const Stretch& gauge) {
  if (!gauge.empty()) return Watts(gauge.back().value);
  if (!gauge_ || gauge_->lost) return std::nullopt;
  const ReadResult answer = gauge_->sensor->read();
  return answer.reading ? std::optional(Watts(answer.reading->value)) : std::nullopt;
}

PowerSummary PowerLog::stop() {
  PowerSummary summary;
  summary.time = clock_.monotonic() - begin_monotonic_;
  if (gauge_) look(*gauge_, true);
  if (counter_) look(*counter_, true);
  const Stretch gauge = gauge_ ? stretch_of(*gauge_) : Stretch{};
  const Stretch counter = counter_ ? stretch_of(*counter_) : Stretch{};
  std::size_t backwards = 0;
  const std::optional<Interval> by_gauge = mean_power({&gauge, 1}, EnergyMethod::trapezoid);
  const std::optional<Interval> by_counter = counter_power({&counter, 1}, backwards);
  const std::size_t steps = new_values(counter);
  // The driver's own record of power has its own time-stamps; a counter is dated by when its steps were seen.
  const bool recorded = by_gauge && !gauge_->sampler && gauge.back().at - gauge.front().at >= 0.8 * summary.time;
  const bool counts = by_counter && !recorded && (steps > enough_steps || !by_gauge);
  if (counts || by_gauge) {
    summary.method = counts ? EnergyMethod::counter : EnergyMethod::trapezoid;
    summary.sensor = (counts ? counter_ : gauge_)->sensor->info().name;
    summary.readings = counts ? steps : gauge_->sampler ? new_values(gauge) : gauge.size();
    summary.average = Watts((counts ? by_counter : by_gauge)->value);
    summary.energy = *summary.average * summary.time;
  } else if (const std::optional<Watts> power = rough_power(gauge)) {
    summary.method = EnergyMethod::median_power;
    summary.sensor = gauge_->sensor->info().name;
    summary.readings = std::max<std::size_t>(1, gauge.size());
    summary.average = *power;
    summary.energy = *power * summary.time;
    add_warning(summary, "too short for two readings of this sensor: the energy is rough");
  } else if (counter.size() > 1 && counter.back().value > counter.front().value) {
    // A command shorter than a few steps: the plain difference, off by up to one step at each end.
    summary.method = EnergyMethod::counter;
    summary.sensor = counter_->sensor->info().name;
    summary.readings = steps;
    summary.energy = Joules(counter.back().value - counter.front().value);
    summary.average = *summary.energy / summary.time;
    add_warning(summary, "shorter than a few updates of the counter: the energy is rough");
  } else {
    add_warning(summary, "too short for the sensors of this device");
  }
  summary.peak = gauge.empty() ? steepest(counter) : highest(gauge);
  if (by_gauge && by_counter && steps > enough_steps)
    summary.cross_difference_percent = 100.0 * (by_gauge->value - by_counter->value) / by_counter->value;
  if (summary.cross_difference_percent && std::abs(*summary.cross_difference_percent) > worth_a_warning)
    add_warning(summary, "power readings and energy counter differ by " +
                             base::format_percent(std::abs(*summary.cross_difference_percent)));
  if (backwards > 0) add_warning(summary, "the energy counter went backwards: what it lost is left out");
  summary.lost = (gauge_ && gauge_->lost) || (counter_ && counter_->lost);
  if (summary.lost) add_warning(summary, "the device stopped answering: the energy is that of the time before");
  return summary;
}

}  // namespace wattune::measure
