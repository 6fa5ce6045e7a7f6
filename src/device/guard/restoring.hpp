// Bringing settings back from a journal: by the guard, by its watchdog, by `wattune restore`. Every setting is tried,
// also when one fails, and those that failed are tried again once the others are back (clocks depend on each other).
#pragma once

#include <string>

#include "device/guard/journal.hpp"
#include "wattune/device.hpp"
#include "wattune/guard.hpp"

namespace wattune::device::guard {

/// Restores what was touched, and clocks that drivers moved together with it. Failures are noted in `journal`; what
/// came back is no longer touched.
RestoreReport restore_entries(Device& device, Journal& journal);

/// Removes the journal when all is restored, else writes what is left. Throws Error(storage).
void settle_journal(const std::string& path, const Journal& journal, const RestoreReport& report);

}  // namespace wattune::device::guard
