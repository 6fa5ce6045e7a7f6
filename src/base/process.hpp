// Another program, started and listened to. For small questions with small answers; nothing is piped in.
#pragma once

#include <string>
#include <vector>

#include "wattune/units.hpp"

namespace wattune::base {

/// `exit_code` is -1 when the program could not be started, died of a signal or was ended for taking too long.
struct ProcessOutput {
  int exit_code = -1;
  std::string output;  ///< what it wrote to stdout (at most 1 MiB)
  std::string why;     ///< when exit_code is -1
};

/// Starts `command[0]` (found through PATH), waits for its end, and kills it after `limit`. stderr is dropped.
ProcessOutput run_process(const std::vector<std::string>& command, Seconds limit);

}  // namespace wattune::base
