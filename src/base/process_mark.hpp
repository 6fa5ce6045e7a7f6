// Which process holds something (a run of the store, a device), so that a second one does not take it meanwhile.
// Knows processes of this machine since its last start (Linux's /proc); of any other it says that they have ended, as
// what is held is used from one machine.
#pragma once

#include <string>

namespace wattune::base {

/// This process: boot id, process id and starting time (process ids are used again, all three together are not).
const std::string& this_process();

/// True when `mark` is a process that still runs and is not this one.
bool runs_elsewhere(const std::string& mark);

/// The process id in a mark, "" where there is none.
std::string process_id(const std::string& mark);

}  // namespace wattune::base
