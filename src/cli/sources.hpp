// What a user means by RUN or FILE: a run of the store, or a recording in a file.
#pragma once

#include <string>
#include <vector>

#include "wattune/recorded_space.hpp"
#include "wattune/run.hpp"
#include "wattune/store.hpp"

namespace wattune::cli {

/// The run that a user means by "3" or "last". Throws Error(bad_input).
Run load_run(Store& store, const std::string& which);

/// Whether `which` is the number of a run or "last"; everything else is a file.
bool names_run(const std::string& which);

/// A stored run, or a recording as a run. `store`: as for Store::open; opened for a run only.
Run load_run_or_recording(const std::string& which, const std::string& store);

/// A recording, or a stored run as one.
RecordedSpace load_recording(const std::string& which, const std::string& store);

/// The same for a list in which folders stand for the recordings in them, by name. Throws Error(bad_input) for a folder
/// without any.
std::vector<RecordedSpace> load_recordings(const std::vector<std::string>& which, const std::string& store);

}  // namespace wattune::cli
