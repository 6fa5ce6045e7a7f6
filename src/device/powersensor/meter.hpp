// A PowerSensor3 that is being read: a thread of its own takes the frames in and keeps power, one mean a millisecond
// for the last minute, and the energy since the beginning.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "device/powersensor/protocol.hpp"
#include "device/powersensor/serial_port.hpp"
#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune::device::powersensor {

class Meter {
 public:
  static constexpr Seconds period{0.001};

  /// Stops a stream that may be running, reads the configuration and starts the stream. Throws Error(no_device) when
  /// nothing answers within `limit` or what answers is no such meter.
  Meter(const std::string& path, Clock& clock, Seconds limit = Seconds(1.0));
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  [[nodiscard]] const std::array<Configuration, sensors>& configuration() const { return configuration_; }
  /// Names of the pairs in use.
  [[nodiscard]] std::vector<std::string> pair_names() const;

  /// The newest mean (W), or the energy so far (J). Waits for the first one at most `limit`.
  ReadResult power();
  ReadResult energy();
  std::vector<Reading> samples(Seconds begin, Seconds end);

 private:
  void read_exactly(std::span<unsigned char> bytes);
  void stop_stream();
  void read_configuration();
  void run();
  void take(const Frame& frame, Seconds arrival);
  ReadResult newest(bool energy);

  SerialPort port_;
  Clock& clock_;
  Seconds limit_;
  std::array<Configuration, sensors> configuration_;

  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Reading> readings_;
  double joules_ = 0.0;
  bool lost_ = false;

  // Of the thread alone.
  Seconds device_time_;            ///< since the first frame, by the device's stamps
  std::optional<Seconds> offset_;  ///< of system time to it
  Seconds block_time_;             ///< the current mean covers this much
  Joules block_energy_;

  int wake_read_ = -1, wake_ = -1;
  std::thread thread_;
};

}  // namespace wattune::device::powersensor
