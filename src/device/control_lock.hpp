// May this process change settings of a device (clocks, power limit)? Asked before anything is set, never assumed.
// WATTUNE_NO_CONTROL=1 in the environment is a lock that nothing overrides: on a machine that is not yours, set it.
#pragma once

#include <string>

namespace wattune::device {

/// True when WATTUNE_NO_CONTROL is set to anything but "" or "0".
bool controls_forbidden();

/// What the process may do. `why` says what stands in the way and how to allow it; empty when `allowed`.
struct Permission {
  bool allowed = false;
  std::string why;
};

/// The lock first, then privileges: vendors demand root or CAP_SYS_ADMIN (in containers, too).
Permission control_permission();

/// The same from given facts, for tests. `status` is the text of /proc/self/status.
Permission control_permission(bool forbidden, bool is_root, const std::string& status);

}  // namespace wattune::device
