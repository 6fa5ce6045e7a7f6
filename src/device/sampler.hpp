// A sensor that must be polled, behind the same port as one that the driver buffers: a thread reads it between start()
// and stop(), and samples() answers afterwards. Repeated readings are dropped. A buffered sensor needs none of this
// and is refused.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device {

/// What was read between start() and stop(), in both of the machine's times.
struct SampledWindow {
  Seconds monotonic_begin, monotonic_end;
  Seconds system_begin, system_end;
  std::vector<Reading> readings;  ///< oldest first
  std::size_t polls = 0;          ///< looks at the sensor
  std::size_t failures = 0;       ///< looks that gave no reading
  bool lost = false;              ///< the sensor stopped answering for good; the thread ended then
  std::string why;                ///< of the last failure
};

class Sampler final : public Sensor {
 public:
  /// Looks at the sensor every `interval`. The sensor and the clock must outlive the sampler. Throws
  /// std::invalid_argument for a buffered sensor.
  Sampler(Sensor& sensor, Clock& clock, Seconds interval);
  ~Sampler() override;

  /// Begins a window (the readings of the one before are forgotten) and its thread.
  void start();
  /// Ends the thread with a last look. Nothing when it was not started.
  void stop();
  /// One look, as the thread makes them; false when the sensor is lost. For callers that own the time.
  bool poll();

  [[nodiscard]] const SensorInfo& info() const override { return sensor_.info(); }
  [[nodiscard]] const SensorTraits& traits() const override { return traits_; }
  /// While sampling: the newest reading so far, else a look at the sensor.
  ReadResult read() override;
  std::vector<Reading> samples(Seconds begin, Seconds end) override;
  /// The window so far; complete after stop().
  [[nodiscard]] SampledWindow window() const;

 private:
  void run();
  void add(const ReadResult& result);

  Sensor& sensor_;
  Clock& clock_;
  Seconds interval_;
  SensorTraits traits_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  bool repeated_ = false;  ///< the last reading is a repeat of the one before, kept to mark how long that one held
  SampledWindow window_;
};

}  // namespace wattune::device
