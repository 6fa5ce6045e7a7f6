// What runs left behind: journals on disk, listed, restored by hand, or forgotten.
#include <algorithm>
#include <filesystem>

#include "base/process_mark.hpp"
#include "device/guard/device_lock.hpp"
#include "device/guard/restoring.hpp"
#include "device/guard/state_directory.hpp"
#include "wattune/error.hpp"
#include "wattune/guard.hpp"

namespace wattune {
namespace {

using namespace device::guard;  // NOLINT(google-build-using-namespace): this file is a part of that room
namespace fs = std::filesystem;

constexpr Seconds watchdog_wait{5.0};

LeftBehind summary(const Journal& journal, bool in_use) {
  LeftBehind left{journal.device, journal.device_name, base::process_id(journal.process), in_use, journal.since, {}};
  for (const Entry& entry : journal.entries) {
    if (!entry.touched) continue;
    const ControlCode code = entry.failure.empty() ? ControlCode::done : ControlCode::refused;
    left.controls.push_back({entry.control, entry.state, entry.assumed, {code, entry.failure}});
  }
  return left;
}

/// The journal of a device, with its lock held.
struct Taken {
  DeviceLock lock;
  std::string path;
  Journal journal;
};

Taken take(const std::string& device, const std::string& chosen) {
  const std::string directory = state_directory(chosen);
  const std::string path = journal_path(directory, device);
  const std::optional<Journal> before = read_journal(path);
  if (!before) {
    throw Error(ExitCode::bad_input, "no settings of " + device + " are to be restored", path,
                "`wattune restore` without --device shows what there is");
  }
  return {DeviceLock(lock_path(directory, device), before->device_name, watchdog_wait, real_clock()), path, *before};
}

}  // namespace

std::vector<LeftBehind> settings_left_behind(const std::string& chosen) {
  const std::string directory = state_directory(chosen);
  std::vector<LeftBehind> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() != ".journal") continue;
    const std::optional<Journal> journal = read_journal(entry.path().string());
    if (journal) found.push_back(summary(*journal, is_held(lock_path(directory, journal->device))));
  }
  std::sort(found.begin(), found.end(), [](const LeftBehind& a, const LeftBehind& b) { return a.device < b.device; });
  return found;
}

RestoreReport restore_left_behind(const std::string& id, const std::string& chosen) {
  Taken taken = take(id, chosen);
  std::optional<Journal> journal = read_journal(taken.path);
  if (!journal) return {id, taken.journal.device_name, {}};  // its watchdog did it while we waited for the lock
  const std::unique_ptr<Device> device = open_device(id);
  if (!device) {
    throw Error(ExitCode::no_device, journal->device_name + " is not there now", id,
                "load its driver; or, after its driver was reloaded, forget the settings: wattune restore --forget");
  }
  RestoreReport report = restore_entries(*device, *journal);
  settle_journal(taken.path, *journal, report);
  taken.lock.release();
  return report;
}

void forget_left_behind(const std::string& id, const std::string& chosen) {
  Taken taken = take(id, chosen);
  remove_journal(taken.path);
  taken.lock.release();
}

}  // namespace wattune
