// What the program says when a user's input or a machine is at fault: what, where, and what to do next.
// Room `base`. An Error is thrown where the fault is seen and caught once, in the command line (or at a language
// boundary). A configuration that fails to compile or run is NOT an Error: that is data, see status.hpp.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace wattune {

/// Exit codes of the command line (documented in docs/exit-codes.md). Stable: scripts rely on them.
enum class ExitCode {
  ok = 0,
  internal = 1,       ///< a fault of the program itself
  usage = 2,          ///< unknown command or option
  bad_input = 3,      ///< a spec, an expression or a data file cannot be used
  no_device = 4,      ///< no usable device, or its driver is missing
  nothing_valid = 5,  ///< the space is empty, or no configuration succeeded
  storage = 6,        ///< the store or an output file cannot be written or read
  permission = 7,     ///< the user may not do this
  device = 8,         ///< the device failed during the run
  interrupted = 130,  ///< stopped by Ctrl-C; results so far are kept
};

/// One fault: where it is ("gemm.toml:12:3", "argument A", or ""), what is wrong, and what would mend it (may be
/// empty).
struct Problem {
  std::string where;
  std::string message;
  std::string hint;
};

/// One or several faults that end a command. `what()` is all of them, one a line, as "where: message (hint)".
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, std::string message, std::string where = {}, std::string hint = {});
  Error(ExitCode code, std::vector<Problem> problems);

  [[nodiscard]] ExitCode code() const { return code_; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  ExitCode code_;
  std::vector<Problem> problems_;
};

/// "where: message (hint)" without the empty parts.
std::string to_string(const Problem& problem);

}  // namespace wattune
