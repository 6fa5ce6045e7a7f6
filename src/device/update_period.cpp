#include "device/update_period.hpp"

#include <algorithm>
#include <vector>

#include "base/format.hpp"

namespace wattune::device {
namespace {

constexpr std::size_t enough_updates = 32;
constexpr Seconds pause{0.0005};  // a sensor that answers at once is not asked more than 2000 times a second
constexpr Seconds whole_buffer{1e9};

Seconds median_of(std::vector<Seconds> values) {
  if (values.empty()) return Seconds(0.0);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Seconds> gaps_of(const std::vector<Seconds>& moments) {
  std::vector<Seconds> gaps;
  for (std::size_t i = 1; i < moments.size(); ++i) gaps.push_back(moments[i] - moments[i - 1]);
  return gaps;
}

UpdatePeriod of_buffer(Sensor& sensor, Clock& clock) {
  UpdatePeriod found;
  const Seconds before = clock.monotonic();
  const ReadResult newest = sensor.read();
  found.read_cost = clock.monotonic() - before;
  if (!newest.reading) {
    found.why = newest.why;
    return found;
  }
  // The buffer is asked for half of what a driver is known to keep, so that it surely reaches back.
  std::vector<Seconds> moments;
  for (Seconds back(1.0); moments.size() < 3 && back.value() > 0.01; back = back * 0.5) {
    moments.clear();
    for (const Reading& reading : sensor.samples(newest.reading->at - back, newest.reading->at + whole_buffer))
      moments.push_back(reading.at);
  }
  found.updates = moments.size();
  if (moments.size() < 3) {
    found.why = "the buffer holds too few readings";
  } else {
    found.period = median_of(gaps_of(moments));
  }
  return found;
}

}  // namespace

UpdatePeriod measure_update_period(Sensor& sensor, Seconds limit, Clock& clock) {
  if (sensor.traits().buffered) return of_buffer(sensor, clock);
  UpdatePeriod found;
  std::vector<Seconds> moments;
  std::vector<Seconds> costs;
  std::optional<double> last;
  const Seconds end = clock.monotonic() + limit;
  while (clock.monotonic() < end && moments.size() <= enough_updates) {
    const Seconds before = clock.monotonic();
    const ReadResult result = sensor.read();
    const Seconds now = clock.monotonic();
    costs.push_back(now - before);
    if (!result.reading) {
      found.why = result.why;
      if (result.lost) break;
    } else if (!last || result.reading->value != *last) {
      if (last) moments.push_back(now);
      last = result.reading->value;
    }
    clock.sleep(pause);
  }
  found.updates = moments.size();
  found.read_cost = median_of(costs);
  if (moments.size() >= 3) {
    found.period = median_of(gaps_of(moments));
    found.why.clear();
  } else if (found.why.empty()) {
    found.why = "its value changed " + std::to_string(moments.size()) + " times in " + base::format_seconds(limit);
  }
  return found;
}

}  // namespace wattune::device
