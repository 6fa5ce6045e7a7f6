// A shell command that runs beside this program and is listened to until it is ended.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/process.hpp"
#include "wattune/units.hpp"

namespace wattune::base {

class BackgroundProcess {
 public:
  /// Starts `sh -c command` with further environment variables. A failure to start is told by finish().
  BackgroundProcess(const std::string& command, const std::vector<std::pair<std::string, std::string>>& variables);
  /// Kills it when it still runs.
  ~BackgroundProcess();
  BackgroundProcess(const BackgroundProcess&) = delete;
  BackgroundProcess& operator=(const BackgroundProcess&) = delete;

  /// Waits up to `limit` for its end, then sends SIGKILL. With `terminate`, SIGTERM comes first: an end by that signal
  /// counts as exit code 0, since it is how such a command ends. Output as of run_process.
  ProcessOutput finish(bool terminate, Seconds limit);

 private:
  pid_t child_ = -1;
  int from_ = -1;
  std::string fault_;
};

}  // namespace wattune::base
