#include "base/process.hpp"

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

/// Reads until the other end is closed; false when that takes too long.
bool read_all(int from, Seconds limit, std::string& text) {
  const Seconds end = real_clock().monotonic() + limit;
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

int spawn(const std::vector<std::string>& command, int out, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: POSIX's type
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int fault = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

}  // namespace

ProcessOutput run_process(const std::vector<std::string>& command, Seconds limit) {
  ProcessOutput result;
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    result.why = std::strerror(errno);
    return result;
  }
  pid_t child = 0;
  const int fault = spawn(command, pipe_ends[1], child);
  close(pipe_ends[1]);
  if (fault != 0) {
    close(pipe_ends[0]);
    result.why = command[0] + ": " + std::strerror(fault);
    return result;
  }
  const bool ended = read_all(pipe_ends[0], limit, result.output);
  close(pipe_ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended && WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else {
    result.why = command[0] + (ended ? ": ended by a signal" : ": took too long");
  }
  return result;
}

}  // namespace wattune::base
