// What the user gets to see of a compiler's log, and what it means for the outcome.
#pragma once

#include <string>
#include <string_view>

namespace wattune::engine {

/// At most 12 lines of a build log, from the first line that names an error; the whole start when none does.
std::string log_excerpt(std::string_view log);

/// True when the log says that the kernel is right but wants more registers or shared memory than the device has:
/// Status runtime rather than compile.
bool exhausts_resources(std::string_view log);

/// Greatest CPU cache in bytes as Linux reports it under `root`/sys, 0 when unknown.
unsigned long long last_level_cpu_cache(const std::string& root = {});

}  // namespace wattune::engine
