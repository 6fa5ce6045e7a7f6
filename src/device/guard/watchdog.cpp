#include "device/guard/watchdog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/text.hpp"
#include "wattune/error.hpp"

extern char** environ;

namespace wattune::device::guard {
namespace {

namespace fs = std::filesystem;

constexpr int socket_descriptor = 3;
constexpr int lock_descriptor = 4;
constexpr int start_limit_ms = 30000;  // a driver without persistence takes seconds to load
constexpr int end_limit_ms = 10000;
constexpr int most_restarts = 3;

bool executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// Descriptors 3 and 4 of the new process. Both are first moved out of the way, as each may be where the other goes.
int spawn(const WatchdogOrder& order, int socket, pid_t& child) {
  const std::string parent = std::to_string(::getpid());
  std::array<std::string, 8> words = {order.program,         "watchdog",  "--device", order.device, "--state-dir",
                                      order.state_directory, "--process", parent};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  constexpr int aside = 200;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, socket, aside);
  posix_spawn_file_actions_adddup2(&actions, order.lock, aside + 1);
  posix_spawn_file_actions_adddup2(&actions, aside, socket_descriptor);
  posix_spawn_file_actions_adddup2(&actions, aside + 1, lock_descriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  const int fault = posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

bool readable(int descriptor, int limit_ms) {
  pollfd waiting{descriptor, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&waiting, 1, limit_ms)) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

/// What the process says first: "r" for ready, or why it cannot stand by.
std::string first_word(int socket) {
  std::string text;
  std::array<char, 512> block{};
  while (readable(socket, start_limit_ms)) {
    const ssize_t got = ::read(socket, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text.empty() ? "it ended at once" : text.substr(1);
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.front() == 'r') return {};
  }
  return "it does not answer";
}

void reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

std::string find_program(const std::string& chosen) {
  const char* variable = std::getenv("WATTUNE_PROGRAM");
  for (const std::string& given : {chosen, std::string(variable != nullptr ? variable : "")}) {
    if (given.empty()) continue;
    if (executable(given)) return given;
    throw Error(ExitCode::device, "the watchdog cannot be started: no program", given,
                "it is the `wattune` program: check the path");
  }
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  if (self.filename() == "wattune") return self.string();
  if (const fs::path beside = self.parent_path() / "wattune"; executable(beside)) return beside.string();
  const char* path = std::getenv("PATH");
  for (const std::string& folder : base::split(path != nullptr ? path : "", ':')) {
    if (!folder.empty() && executable(fs::path(folder) / "wattune")) return (fs::path(folder) / "wattune").string();
  }
  throw Error(ExitCode::device, "the watchdog cannot be started: no `wattune` program is found", {},
              "set WATTUNE_PROGRAM to it; nothing is set on a device without a watchdog");
}

Watchdog::Watchdog(WatchdogOrder order, std::function<void(const std::string&)> notice)
    : order_(std::move(order)), notice_(std::move(notice)) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(ExitCode::device, "the watchdog cannot be started: " + std::string(std::strerror(errno)));
  wake_read_ = ends[0];
  wake_ = ends[1];
  try {
    start_process();
  } catch (...) {
    ::close(wake_read_);
    ::close(wake_);
    throw;
  }
  thread_ = std::thread([this] { watch(); });
}

void Watchdog::start_process() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(ExitCode::device, "the watchdog cannot be started: " + std::string(std::strerror(errno)));
  pid_t child = 0;
  const int fault = spawn(order_, ends[1], child);
  ::close(ends[1]);
  std::string why = fault != 0 ? std::strerror(fault) : first_word(ends[0]);
  if (!why.empty()) {
    ::close(ends[0]);
    if (fault == 0) {
      ::kill(child, SIGKILL);
      reap(child);
    }
    throw Error(ExitCode::device, "the watchdog does not stand by: " + why, order_.program,
                "nothing is set on a device without a watchdog");
  }
  socket_ = ends[0];
  pid_ = child;
}

/// Waits for the end of the process or of the guard; a process that ended is replaced.
void Watchdog::watch() {
  int restarts = 0;
  while (true) {
    std::array<pollfd, 2> waiting = {pollfd{socket_, POLLIN, 0}, pollfd{wake_read_, POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) continue;
    if (waiting[1].revents != 0) return;
    ::close(socket_);
    socket_ = -1;
    reap(pid_);
    pid_ = 0;
    std::string why = "it died " + std::to_string(restarts + 1) + " times";
    if (++restarts <= most_restarts) {
      try {
        start_process();
        if (notice_) notice_("the watchdog died and was started again");
        continue;
      } catch (const Error& error) {
        why = error.problems().front().message;
      }
    }
    const std::lock_guard lock(mutex_);
    failure_ = why;
    return;
  }
}

std::string Watchdog::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Watchdog::end_process(bool dismissed) {
  if (!thread_.joinable()) return;
  while (::write(wake_, "e", 1) < 0 && errno == EINTR) {
  }
  thread_.join();
  if (socket_ >= 0) {
    while (::send(socket_, dismissed ? "d" : "l", 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    if (dismissed) {
      if (!readable(socket_, end_limit_ms)) ::kill(pid_, SIGKILL);  // stopped or stuck; its task is done
      reap(pid_);
    }
    ::close(socket_);  // let go: it restores now, and init reaps it should this process end first
  }
  ::close(wake_);
  ::close(wake_read_);
  socket_ = wake_ = wake_read_ = -1;
  pid_ = 0;
}

void Watchdog::dismiss() {
  end_process(true);
}

Watchdog::~Watchdog() {
  end_process(false);
}

}  // namespace wattune::device::guard
