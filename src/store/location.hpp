// Where the store lies when no path is given.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace wattune::store {

/// A variable of the environment, "" when it is not set.
using Environment = std::function<std::string(const char* name)>;

/// $WATTUNE_STORE, else $XDG_DATA_HOME/wattune/runs.db, else $HOME/.local/share/wattune/runs.db; the folder of the last
/// two is created. A relative $XDG_DATA_HOME is ignored, as its specification asks. Throws Error(storage) when there is
/// no such place.
std::string default_location(const Environment& environment);

}  // namespace wattune::store
