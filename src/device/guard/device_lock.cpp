#include "device/guard/device_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/process_mark.hpp"
#include "wattune/error.hpp"

namespace wattune::device::guard {
namespace {

constexpr Seconds look_again{0.02};

bool try_lock(int file) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

[[noreturn]] void refuse(const std::string& path, const std::string& device_name, bool living) {
  const std::string mark = holder_of(path);
  const std::string pid = base::process_id(mark);
  std::string holder = pid.empty() ? "another process" : "process " + pid;
  if (!living && !pid.empty()) holder += ", which has ended; what it started still holds it or restores the settings";
  throw Error(ExitCode::no_device, device_name + " is held by another run (" + holder + ")", path,
              living ? "wait for it to end, or choose another device" : "try again in a moment");
}

// The mark only explains; the lock itself does not depend on it, so that a disk that refuses it does no harm.

void clear_mark(int file) {
  if (::ftruncate(file, 0) != 0) return;
}

void write_mark(int file) {
  clear_mark(file);
  const std::string text = base::this_process() + "\n";
  if (::pwrite(file, text.data(), text.size(), 0) < 0) return;
}

}  // namespace

std::string holder_of(const std::string& lock_path) {
  std::ifstream file(lock_path);
  std::string mark;
  std::getline(file, mark);
  return mark;
}

bool is_held(const std::string& lock_path) {
  const int file = ::open(lock_path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool free = try_lock(file);
  ::close(file);
  return !free || base::runs_elsewhere(holder_of(lock_path));
}

DeviceLock::DeviceLock(const std::string& path, const std::string& device_name, Seconds wait, Clock& clock)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0) {
    throw Error(ExitCode::storage, "the lock of the device cannot be made: " + std::string(std::strerror(errno)), path,
                "set WATTUNE_STATE_DIR to a directory where you may write");
  }
  const Seconds end = clock.monotonic() + wait;
  try {
    while (!try_lock(file_)) {
      const std::string mark = holder_of(path);
      const bool living = mark == base::this_process() || base::runs_elsewhere(mark);
      if (living || clock.monotonic() >= end) refuse(path, device_name, living);
      clock.sleep(look_again);
    }
    if (base::runs_elsewhere(holder_of(path))) refuse(path, device_name, true);
  } catch (...) {
    ::close(file_);
    throw;
  }
  write_mark(file_);
}

DeviceLock::~DeviceLock() {
  if (file_ < 0) return;
  if (!adopted_) clear_mark(file_);
  ::close(file_);
}

void DeviceLock::release() {
  if (file_ < 0) return;
  clear_mark(file_);
  ::flock(file_, LOCK_UN);
  ::close(file_);
  file_ = -1;
}

}  // namespace wattune::device::guard
