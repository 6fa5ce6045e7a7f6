// Which process works on a run, so that a second one does not resume a run that is still under way.
// Knows processes of this machine since its last start (Linux's /proc); of any other it says that they have ended, as
// a store is used from one machine.
#pragma once

#include <string>

namespace wattune::store {

/// This process: boot id, process id and starting time (process ids are used again, all three together are not).
const std::string& this_process();

/// True when `mark` is a process that still runs and is not this one.
bool runs_elsewhere(const std::string& mark);

}  // namespace wattune::store
