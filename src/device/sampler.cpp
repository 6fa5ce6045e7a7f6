#include "device/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace wattune::device {

Sampler::Sampler(Sensor& sensor, Clock& clock, Seconds interval)
    : sensor_(sensor), clock_(clock), interval_(interval), traits_(sensor.traits()) {
  if (traits_.buffered) throw std::invalid_argument("a buffered sensor needs no sampler");
  traits_.buffered = true;
}

Sampler::~Sampler() {
  stop();
}

void Sampler::start() {
  stop();
  stopping_ = false;
  repeated_ = false;
  window_ = {};
  window_.monotonic_begin = window_.monotonic_end = clock_.monotonic();
  window_.system_begin = window_.system_end = clock_.system();
  thread_ = std::thread([this] { run(); });
}

void Sampler::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (!window_.lost) poll();
}

void Sampler::run() {
  while (poll()) {
    // The wait is real time: a thread that slept on an injected clock would race with whoever moves it.
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, std::chrono::duration<double>(interval_.value()), [this] { return stopping_; })) return;
  }
}

bool Sampler::poll() {
  const ReadResult result = sensor_.read();
  const std::lock_guard lock(mutex_);
  window_.monotonic_end = clock_.monotonic();
  window_.system_end = clock_.system();
  ++window_.polls;
  add(result);
  return !result.lost;
}

void Sampler::add(const ReadResult& result) {
  if (!result.reading) {
    ++window_.failures;
    window_.lost = window_.lost || result.lost;
    window_.why = result.why;
    return;
  }
  std::vector<Reading>& readings = window_.readings;
  const Reading& now = *result.reading;
  if (!readings.empty() && now.at <= readings.back().at) return;  // the device's stamp says: nothing new
  const bool repeats = !readings.empty() && now.value == readings.back().value;
  if (repeats && repeated_) {
    readings.back().at = now.at;
    return;
  }
  repeated_ = repeats;
  readings.push_back(now);
}

ReadResult Sampler::read() {
  if (!thread_.joinable()) return sensor_.read();
  const std::lock_guard lock(mutex_);
  ReadResult result;
  result.lost = window_.lost;
  if (!window_.readings.empty() && !window_.lost) result.reading = window_.readings.back();
  if (!result.reading) result.why = window_.why.empty() ? "nothing was read yet" : window_.why;
  return result;
}

std::vector<Reading> Sampler::samples(Seconds begin, Seconds end) {
  const std::lock_guard lock(mutex_);
  std::vector<Reading> found;
  std::copy_if(window_.readings.begin(), window_.readings.end(), std::back_inserter(found),
               [&](const Reading& reading) { return reading.at >= begin && reading.at <= end; });
  return found;
}

SampledWindow Sampler::window() const {
  const std::lock_guard lock(mutex_);
  return window_;
}

}  // namespace wattune::device
