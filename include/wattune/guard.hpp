// Settings of a device changed for a while, and brought back whatever happens.
// Room `device`. Before the first change the settings found are written to a journal on disk and a watchdog process
// stands by; they are restored when the Guard goes (scope exit, exception), and by the watchdog when the process dies
// (any signal, SIGKILL included). What is restored is what was found, not the factory's default. One holder a device.
// Installs no signal handler: a process that a signal ends is one that died.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/device.hpp"

namespace wattune {

struct GuardOptions {
  /// Where journals and locks lie; "": $WATTUNE_STATE_DIR, else $XDG_STATE_HOME/wattune, else ~/.local/state/wattune.
  std::string state_directory;
  /// The `wattune` program, which the watchdog runs; "": $WATTUNE_PROGRAM, else this program, one beside it, or PATH.
  std::string program;
  /// False only for devices whose settings end with this process (ids "virtual:…" never have one).
  bool watchdog = true;
  /// Settings in force that the driver cannot tell (a lock made by hand before): control name -> state to come back to.
  std::map<std::string, std::string> found;
  /// A dead holder's watchdog may still be restoring: wait so long for it.
  Seconds wait{5.0};
  /// What a user should know ("the watchdog died and was started again"). Called from any thread; default: dropped.
  std::function<void(const std::string&)> notice;
};

/// One setting brought back, or why not.
struct RestoredControl {
  std::string control;
  std::string state;     ///< what was found
  bool assumed = false;  ///< the driver could not tell what it was: given back to the driver
  ControlResult result;
};

struct RestoreReport {
  std::string device;       ///< "nvml:GPU-…"
  std::string device_name;  ///< "NVIDIA H200"
  std::vector<RestoredControl> controls;
  [[nodiscard]] bool complete() const;
};

/// Holds one device. Not thread-safe.
class Guard {
 public:
  /// Takes the device. Throws Error(no_device) when another run holds it (with its process id), Error(device) when an
  /// earlier run left settings behind (`wattune restore` mends that), Error(storage) when there is no place for
  /// journals. `device` and `clock` must outlive the guard. Changes nothing yet.
  explicit Guard(Device& device, GuardOptions options = {}, Clock& clock = real_clock());
  /// Restores. What fails stays in the journal, and the watchdog tries once more.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Journals what was found, starts the watchdog (both once), then sets. Throws Error(device) when the watchdog cannot
  /// be kept alive, after restoring; Error(storage) when the journal cannot be written, before anything is set.
  ControlResult set(std::string_view control, double value);
  /// Restores now, every setting even when one fails, and verifies; afterwards set() begins anew.
  RestoreReport restore();
  /// Throws as set() does when the watchdog died for good; for long times without a set().
  void check();

  /// Process id of the watchdog, 0 while there is none.
  [[nodiscard]] int watchdog_pid() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A journal on disk: settings of a run that has not (yet) restored them.
struct LeftBehind {
  std::string device;
  std::string device_name;
  std::string process;                    ///< id of the process that made it
  bool in_use = false;                    ///< that process, or its watchdog, still holds the device
  Seconds since;                          ///< system time of its first change
  std::vector<RestoredControl> controls;  ///< what would be restored; `result` says why it failed before
};

/// Every journal in the directory ("" as above). Throws Error(storage) for one that cannot be read.
std::vector<LeftBehind> settings_left_behind(const std::string& state_directory = {});

/// Restores by hand from the journal of a device (its id). The journal goes when all is restored. Throws
/// Error(no_device) when the device is held or not there, Error(bad_input) when it has no journal.
RestoreReport restore_left_behind(const std::string& device, const std::string& state_directory = {});

/// Drops the journal of a device without restoring anything. Throws as restore_left_behind.
void forget_left_behind(const std::string& device, const std::string& state_directory = {});

/// Runs this process as a watchdog when its arguments are those that a guard starts one with, and gives its exit code;
/// nothing otherwise. `wattune` calls it first of all; another program that does so may be its own watchdog
/// (GuardOptions::program).
std::optional<int> run_watchdog(int argc, const char* const* argv);

}  // namespace wattune
