// Where journals and locks of devices lie. One directory is one domain: runs that use different ones do not see each
// other, so accounts that share a machine set WATTUNE_STATE_DIR to a common place.
#pragma once

#include <string>

namespace wattune::device::guard {

/// `chosen`, else $WATTUNE_STATE_DIR, else $XDG_STATE_HOME/wattune, else $HOME/.local/state/wattune; created when
/// missing (0700). Throws Error(storage) when there is no such place.
std::string state_directory(const std::string& chosen);

/// "nvml:GPU-1" -> "nvml_GPU-1": a file name for a device.
std::string file_stem(const std::string& device_id);

std::string journal_path(const std::string& directory, const std::string& device_id);
std::string lock_path(const std::string& directory, const std::string& device_id);

}  // namespace wattune::device::guard
