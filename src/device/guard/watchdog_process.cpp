// The watchdog's own side: stands by until the guarded process says that all is restored, or ends without saying so.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "device/guard/device_lock.hpp"
#include "device/guard/restoring.hpp"
#include "device/guard/state_directory.hpp"
#include "wattune/error.hpp"
#include "wattune/guard.hpp"

namespace wattune {
namespace {

using namespace device::guard;  // NOLINT(google-build-using-namespace): this file is a part of that room

constexpr int socket_descriptor = 3;
constexpr int lock_descriptor = 4;
constexpr int death_limit_ms = 5000;
constexpr int attempts = 3;
constexpr Seconds between_attempts{0.5};

void say(const std::string& text) {
  // Who listens may have died: then there is nobody to tell.
  if (::write(socket_descriptor, text.data(), text.size()) < 0) return;
}

/// Nothing of the guarded process may be held open but the socket and the lock: pipes of a terminal would never end.
void close_inherited() {
  const long most = ::sysconf(_SC_OPEN_MAX);
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, lock_descriptor + 1, ~0U, 0) == 0) return;
#endif
  for (int descriptor = lock_descriptor + 1; descriptor < most; ++descriptor) ::close(descriptor);
}

/// A descriptor that becomes readable when the process has ended with all its threads; -1 on kernels before 5.3.
int process_end(int process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
#else
  return -1;
#endif
}

/// True when the guarded process dismissed this one, false when it ended or let go.
bool dismissed(int process) {
  const int ended = process_end(process);
  std::array<pollfd, 2> waiting = {pollfd{socket_descriptor, POLLIN, 0}, pollfd{ended, POLLIN, 0}};
  while (true) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    char word = '\0';
    const ssize_t got = ::recv(socket_descriptor, &word, 1, MSG_DONTWAIT);
    if (got == 1 && word == 'd') return true;
    if (got == 1) return false;  // let go by a guard that could not restore everything: its process may live on
    if (got < 0 && (errno == EAGAIN || errno == EINTR) && waiting[1].revents == 0) continue;
    // The socket closes while the process dies, a call into the driver perhaps still under way: let it end first.
    if (ended >= 0 && waiting[1].revents == 0) {
      pollfd end{ended, POLLIN, 0};
      while (::poll(&end, 1, death_limit_ms) < 0 && errno == EINTR) {
      }
    }
    return false;
  }
}

int restore_now(std::unique_ptr<Device> device, const std::string& id, const std::string& path) {
  for (int attempt = 1;; ++attempt) {
    std::optional<Journal> journal = read_journal(path);
    if (!journal) return 0;
    if (attempt > 1) device = open_device(id);  // the driver may have been reloaded
    if (device) {
      const RestoreReport report = restore_entries(*device, *journal);
      settle_journal(path, *journal, report);
      if (report.complete()) return 0;
    }
    if (attempt == attempts) return static_cast<int>(ExitCode::device);
    real_clock().sleep(between_attempts);
  }
}

/// Descriptor 3 is the socket to the guard, 4 the lock of the device.
int stand_by(const std::string& device_id, const std::string& directory, int guarded_process) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  close_inherited();
  ::fcntl(socket_descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(lock_descriptor, F_SETFD, FD_CLOEXEC);
  const DeviceLock lock(lock_descriptor);
  try {
    std::unique_ptr<Device> device = open_device(device_id);
    if (!device) {
      say("xit cannot open " + device_id);
      return static_cast<int>(ExitCode::no_device);
    }
    say("r");
    if (dismissed(guarded_process)) return 0;
    return restore_now(std::move(device), device_id, journal_path(directory, device_id));
  } catch (const std::exception& error) {
    say(std::string("x") + error.what());  // after the death of the guarded process the journal stays, and tells it
    return static_cast<int>(ExitCode::device);
  }
}

}  // namespace

std::optional<int> run_watchdog(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.size() != 7 || words[0] != "watchdog" || words[1] != "--device" || words[3] != "--state-dir" ||
      words[5] != "--process")
    return std::nullopt;
  return stand_by(words[2], words[4], std::atoi(words[6].c_str()));
}

}  // namespace wattune
