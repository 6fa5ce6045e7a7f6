#include "base/background_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "wattune/clock.hpp"

extern char** environ;

namespace wattune::base {
namespace {

constexpr std::size_t most_output = std::size_t{1} << 20U;

/// The environment with further variables, as texts and as the array that spawn wants.
struct Environment {
  std::vector<std::string> texts;
  std::vector<char*> pointers;
};

Environment extended(const std::vector<std::pair<std::string, std::string>>& variables) {
  Environment result;
  for (const auto& [name, value] : variables) result.texts.push_back(name + "=" + value);
  for (char** item = environ; item != nullptr && *item != nullptr; ++item) result.pointers.push_back(*item);
  for (std::string& text : result.texts) result.pointers.push_back(text.data());
  result.pointers.push_back(nullptr);
  return result;
}

/// Reads until the other end closes or `end` has come; false in the second case.
bool read_until(int from, Seconds end, std::string& text) {
  std::array<char, 4096> block{};
  while (true) {
    const double left = (end - real_clock().monotonic()).value();
    if (left <= 0.0) return false;
    pollfd waiting{from, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left * 1e3) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    const ssize_t got = read(from, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    if (text.size() < most_output) text.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

BackgroundProcess::BackgroundProcess(const std::string& command,
                                     const std::vector<std::pair<std::string, std::string>>& variables) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    fault_ = std::strerror(errno);
    return;
  }
  std::array<std::string, 3> words = {"sh", "-c", command};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  Environment environment = extended(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  // A group of its own: a signal reaches the command behind the shell, too.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int fault =
      posix_spawn(&child_, "/bin/sh", &actions, &attributes, arguments.data(), environment.pointers.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  from_ = pipe_ends[0];
  if (fault != 0) {
    child_ = -1;
    fault_ = std::strerror(fault);
  }
}

BackgroundProcess::~BackgroundProcess() {
  if (child_ > 0) finish(true, Seconds(0.5));
  if (from_ >= 0) close(from_);
}

ProcessOutput BackgroundProcess::finish(bool terminate, Seconds limit) {
  ProcessOutput result;
  if (child_ <= 0) {
    result.why = fault_.empty() ? "it has ended before" : fault_;
    return result;
  }
  if (terminate) kill(-child_, SIGTERM);
  const bool ended = read_until(from_, real_clock().monotonic() + limit, result.output);
  if (!ended) kill(-child_, SIGKILL);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
    // A shell tells of a child that SIGTERM ended by 128 + 15.
    if (terminate && result.exit_code == 128 + SIGTERM) result.exit_code = 0;
  } else if (terminate && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) {
    result.exit_code = 0;
  } else {
    result.why = ended ? "it was ended by a signal" : "it did not end in time";
  }
  return result;
}

}  // namespace wattune::base
