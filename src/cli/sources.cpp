#include "cli/sources.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune::cli {
namespace {

/// A word that is no file, where a run may be meant too: say so, instead of "cannot read the file".
void check_file(const std::string& which) {
  std::error_code ignored;
  if (std::filesystem::exists(which, ignored)) return;
  throw Error(ExitCode::bad_input, "'" + which + "' is neither the number of a run nor a file", {},
              "`wattune runs` lists the runs; `last` is the newest");
}

}  // namespace

bool names_run(const std::string& which) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return which == "last" || (!which.empty() && std::ranges::all_of(which, digit));
}

Run load_run(Store& store, const std::string& which) {
  if (which == "last") {
    const std::vector<Store::Listed> runs = store.runs();
    if (runs.empty())
      throw Error(ExitCode::bad_input, "the store has no runs", store.path(),
                  "tune something first: wattune tune SPEC");
    return store.load(runs.front().head.id);
  }
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), id);
  if (error != std::errc() || end != which.data() + which.size()) {
    throw Error(ExitCode::bad_input, "'" + which + "' is not the number of a run", {},
                "`wattune runs` lists them; `last` is the newest");
  }
  return store.load(id);
}

Run load_run_or_recording(const std::string& which, const std::string& store) {
  if (names_run(which)) {
    Store opened = Store::open(store);
    return load_run(opened, which);
  }
  check_file(which);
  return to_run(import_recording(which));
}

RecordedSpace load_recording(const std::string& which, const std::string& store) {
  if (names_run(which)) {
    Store opened = Store::open(store);
    const Run run = load_run(opened, which);
    RecordedSpace recording = to_recording(run);
    recording.source = "run " + std::to_string(run.head.id);
    return recording;
  }
  check_file(which);
  return import_recording(which);
}

std::vector<RecordedSpace> load_recordings(const std::vector<std::string>& which, const std::string& store) {
  std::vector<RecordedSpace> recordings;
  for (const std::string& name : which) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(name, ignored)) {
      recordings.push_back(load_recording(name, store));
      continue;
    }
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(name)) {
      const std::string path = file.path().string();
      const bool recording = std::ranges::any_of(std::array{".csv", ".json", ".json.gz", ".csv.gz", ".bz2"},
                                                 [&](const char* end) { return path.ends_with(end); });
      if (file.is_regular_file() && recording) files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    if (files.empty())
      throw Error(ExitCode::bad_input, "the folder has no recordings (csv, json, gz, bz2)", name, "name a file");
    for (const std::string& file : files) recordings.push_back(import_recording(file));
  }
  return recordings;
}

}  // namespace wattune::cli
