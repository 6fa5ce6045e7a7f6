#include "wattune/guard.hpp"

#include <unistd.h>

#include "base/process_mark.hpp"
#include "device/control_lock.hpp"
#include "device/guard/device_lock.hpp"
#include "device/guard/restoring.hpp"
#include "device/guard/state_directory.hpp"
#include "device/guard/watchdog.hpp"
#include "wattune/error.hpp"

namespace wattune {

using namespace device::guard;  // NOLINT(google-build-using-namespace): this file is a part of that room

class Guard::Impl {
 public:
  Impl(Device& device, GuardOptions options, Clock& clock)
      : device_(device),
        options_(std::move(options)),
        clock_(clock),
        directory_(state_directory(options_.state_directory)),
        path_(journal_path(directory_, device.info().id)),
        lock_(lock_path(directory_, device.info().id), device.info().name, options_.wait, clock) {
    refuse_left_behind();
    if (device.info().id.starts_with("virtual:")) options_.watchdog = false;
  }

  /// A copy of this process (fork) owns nothing: it neither restores nor says a word.
  [[nodiscard]] bool mine() const { return owner_ == ::getpid(); }

  ControlResult set(std::string_view name, double value) {
    check();
    Control* const control = device_.control(name);
    if (control == nullptr) return {ControlCode::unsupported, std::string(name) + ": " + why_missing(name)};
    if (device::controls_forbidden()) return {ControlCode::forbidden, device::control_permission().why};
    if (!control->info().permitted) return {ControlCode::denied, std::string(name) + ": " + control->info().why};
    if (journal_.entries.empty()) remember();
    Entry* const entry = journal_.find(name);
    if (entry == nullptr) {
      return {ControlCode::unsupported,
              std::string(name) + ": the driver does not tell what it is now, so it could not be brought back"};
    }
    const bool first = !entry->touched;
    if (first) touch(*entry);
    ControlResult result = control->set(value);
    if (first && !result.ok() && unchanged(*control, *entry, result.code)) forgive(*entry);
    return result;
  }

  RestoreReport restore() {
    RestoreReport report = restore_entries(device_, journal_);
    report.device = device_.info().id;
    report.device_name = device_.info().name;
    if (!report.controls.empty() || journalled_) settle_journal(path_, journal_, report);
    if (!report.complete()) return report;
    journal_ = {};
    journalled_ = false;
    if (watchdog_) watchdog_->dismiss();
    watchdog_.reset();
    return report;
  }

  void check() {
    if (!watchdog_) return;
    const std::string failure = watchdog_->failure();
    if (failure.empty()) return;
    const RestoreReport report = restore();
    throw Error(ExitCode::device,
                "the watchdog cannot be kept alive (" + failure + "); " +
                    (report.complete() ? "the settings found are restored" : "not every setting could be restored"),
                device_.info().name,
                report.complete() ? "nothing is set on a device without a watchdog" : "run `wattune restore`");
  }

  /// The end: restores; what fails is left to the watchdog and the journal.
  void end() {
    const RestoreReport report = restore();
    for (const RestoredControl& control : report.controls) {
      if (!control.result.ok() && options_.notice)
        options_.notice("not restored: " + control.result.why + "; `wattune restore` tries again");
    }
    if (report.complete()) lock_.release();
  }

  [[nodiscard]] int watchdog_pid() const { return watchdog_ ? watchdog_->pid() : 0; }

 private:
  void refuse_left_behind() {
    const std::optional<Journal> journal = read_journal(path_);
    if (!journal) return;
    lock_.release();
    std::string settings;
    for (const Entry& entry : journal->entries) {
      if (entry.touched) settings += (settings.empty() ? "" : ", ") + entry.control + " was " + entry.state;
    }
    throw Error(ExitCode::device,
                "an earlier run (process " + base::process_id(journal->process) + ") left settings changed on " +
                    journal->device_name + ": " + settings,
                path_, "run `wattune restore --device " + journal->device + "`");
  }

  [[nodiscard]] std::string why_missing(std::string_view name) const {
    for (const ControlInfo& info : device_.info().controls) {
      if (info.name == name) return info.why;
    }
    return "this device has no such setting";
  }

  /// What is in force now, for every control that could be brought back.
  void remember() {
    journal_ = {device_.info().id, device_.info().name, base::this_process(), clock_.system(), {}};
    for (const std::unique_ptr<Control>& control : device_.controls()) {
      const ControlInfo& info = control->info();
      if (!info.supported) continue;
      const auto given = options_.found.find(info.name);
      const std::optional<std::string> state = given != options_.found.end() ? given->second : control->state();
      const std::string fallback = state ? *state : control->released();
      if (!fallback.empty()) journal_.entries.push_back({info.name, fallback, !state.has_value(), false, {}});
    }
  }

  /// The watchdog stands by before the journal says that there is something to do, and the journal is on disk before
  /// anything is set: a death at any moment between leaves nothing undone.
  void touch(Entry& entry) {
    if (options_.watchdog && !watchdog_) {
      watchdog_ = std::make_unique<Watchdog>(
          WatchdogOrder{find_program(options_.program), device_.info().id, directory_, lock_.descriptor()},
          options_.notice);
    }
    entry.touched = true;
    try {
      write_journal(path_, journal_);
      journalled_ = true;
    } catch (...) {
      entry.touched = false;
      throw;
    }
  }

  /// A set that failed at once: is the setting certainly as it was?
  static bool unchanged(Control& control, const Entry& entry, ControlCode code) {
    if (const std::optional<std::string> now = control.state(); now && !entry.assumed) return *now == entry.state;
    return code == ControlCode::denied || code == ControlCode::unsupported || code == ControlCode::forbidden;
  }

  void forgive(Entry& entry) {
    entry.touched = false;
    bool any = false;
    for (const Entry& other : journal_.entries) any = any || other.touched;
    if (any) {
      write_journal(path_, journal_);
    } else {
      remove_journal(path_);
      journalled_ = false;
    }
  }

  Device& device_;
  GuardOptions options_;
  Clock& clock_;
  std::string directory_;
  std::string path_;
  DeviceLock lock_;
  Journal journal_;
  bool journalled_ = false;  ///< there is a file
  std::unique_ptr<Watchdog> watchdog_;
  int owner_ = ::getpid();
};

Guard::Guard(Device& device, GuardOptions options, Clock& clock)
    : impl_(std::make_unique<Impl>(device, std::move(options), clock)) {}

Guard::~Guard() {
  if (!impl_->mine()) {
    impl_.release();  // NOLINT(bugprone-unused-return-value): a fork's copy of threads and descriptors is not ours to
                      // end
    return;
  }
  try {
    impl_->end();
  } catch (const std::exception&) {
    // The journal is on disk and the watchdog, let go, restores from it.
  }
}

ControlResult Guard::set(std::string_view control, double value) {
  return impl_->set(control, value);
}

RestoreReport Guard::restore() {
  return impl_->restore();
}

void Guard::check() {
  impl_->check();
}

int Guard::watchdog_pid() const {
  return impl_->watchdog_pid();
}

}  // namespace wattune
