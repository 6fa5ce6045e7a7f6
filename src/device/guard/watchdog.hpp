// The process that restores settings when the guarded process dies: started, listened to, and started again when it
// dies itself. It is the `wattune` program by exec, not a bare fork: vendor libraries do not survive a fork, and it
// must be able to open the device by itself. It leads a session of its own, so that Ctrl-C in a terminal spares it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "wattune/units.hpp"

namespace wattune::device::guard {

/// What the watchdog process is started with.
struct WatchdogOrder {
  std::string program;          ///< the `wattune` program
  std::string device;           ///< id
  std::string state_directory;  ///< where the journal will lie
  int lock = -1;                ///< descriptor of the device's lock, inherited
};

class Watchdog {
 public:
  /// Starts the process and waits until it stands by (it has opened the device). Throws Error(device) when it does not.
  /// `notice` is told, from another thread, when it died and was started again.
  Watchdog(WatchdogOrder order, std::function<void(const std::string&)> notice);
  /// Lets the process go: it restores what the journal still holds.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Everything is restored: ends the process.
  void dismiss();
  /// Why it could not be kept alive; "" while it is.
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  void start_process();
  void watch();
  void end_process(bool dismissed);

  WatchdogOrder order_;
  std::function<void(const std::string&)> notice_;
  std::atomic<pid_t> pid_{0};
  int socket_ = -1;                 ///< to the process; its end is the process's end
  int wake_read_ = -1, wake_ = -1;  ///< a pipe that tells the thread to end
  std::thread thread_;
  mutable std::mutex mutex_;
  std::string failure_;
};

/// The `wattune` program: `chosen`, $WATTUNE_PROGRAM, this program if it is it, one beside it, PATH. Throws
/// Error(device) when there is none.
std::string find_program(const std::string& chosen);

}  // namespace wattune::device::guard
