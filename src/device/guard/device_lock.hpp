// One holder a device. The lock is flock() on a file, so that it ends with its holder whatever happens; the watchdog
// inherits it and holds it until the settings are restored. The file says who holds it. Where flock() is not shared
// (some network file systems), the mark of a living process in the file refuses just the same.
#pragma once

#include <memory>
#include <string>

#include "wattune/clock.hpp"

namespace wattune::device::guard {

class DeviceLock {
 public:
  /// Takes the lock. Waits up to `wait` when the holder named in the file has died (its watchdog is at work). Throws
  /// Error(no_device) naming the holder, Error(storage) when the file cannot be made.
  DeviceLock(const std::string& path, const std::string& device_name, Seconds wait, Clock& clock);
  /// Takes over an open descriptor that holds the lock already.
  explicit DeviceLock(int descriptor) : file_(descriptor), adopted_(true) {}
  /// Closes and says that this process holds it no more; the lock stays with processes that inherited it.
  ~DeviceLock();
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;

  /// Ends the lock, also for whoever inherited it.
  void release();
  [[nodiscard]] int descriptor() const { return file_; }

 private:
  int file_ = -1;
  bool adopted_ = false;  ///< the mark in the file is another process's
};

/// Mark of the process that holds the device, or holds it no more: "" without one.
std::string holder_of(const std::string& lock_path);
/// Somebody holds the lock now.
bool is_held(const std::string& lock_path);

}  // namespace wattune::device::guard
