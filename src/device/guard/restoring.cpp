#include "device/guard/restoring.hpp"

#include <algorithm>

namespace wattune {

bool RestoreReport::complete() const {
  return std::all_of(controls.begin(), controls.end(), [](const RestoredControl& c) { return c.result.ok(); });
}

namespace device::guard {
namespace {

ControlResult bring_back(Device& device, const Entry& entry) {
  Control* const control = device.control(entry.control);
  if (control == nullptr) return {ControlCode::unsupported, entry.control + ": this device has no such setting now"};
  if (!entry.assumed && control->state() == entry.state) return {};
  ControlResult result = control->restore(entry.state);
  if (!result.ok()) return result;
  const std::optional<std::string> now = control->state();
  if (now && *now != entry.state)
    return {ControlCode::refused, entry.control + ": restored to " + entry.state + ", but " + *now + " is in force"};
  return result;
}

bool is_clock(const Entry& entry) {
  return entry.control.ends_with("_clock_mhz");
}

/// Known to be another than it was.
bool differs(const Device& device, const Entry& entry) {
  Control* const control = device.control(entry.control);
  if (entry.assumed || control == nullptr) return false;
  const std::optional<std::string> now = control->state();
  return now && *now != entry.state;
}

/// What was touched, and clocks that a touched clock moved with it (application clocks are set in pairs).
std::vector<Entry*> due_entries(const Device& device, Journal& journal) {
  const bool clock_touched = std::any_of(journal.entries.begin(), journal.entries.end(),
                                         [](const Entry& entry) { return entry.touched && is_clock(entry); });
  std::vector<Entry*> due;
  for (Entry& entry : journal.entries) {
    if (entry.touched || (clock_touched && is_clock(entry) && differs(device, entry))) due.push_back(&entry);
  }
  return due;
}

}  // namespace

RestoreReport restore_entries(Device& device, Journal& journal) {
  RestoreReport report{journal.device, journal.device_name, {}};
  const std::vector<Entry*> due = due_entries(device, journal);
  for (Entry* entry : due)
    report.controls.push_back({entry->control, entry->state, entry->assumed, bring_back(device, *entry)});
  // A second look at everything: a setting that came back first may have been moved by one that came later.
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (!report.controls[i].result.ok() || differs(device, *due[i]))
      report.controls[i].result = bring_back(device, *due[i]);
    due[i]->touched = !report.controls[i].result.ok();
    due[i]->failure = report.controls[i].result.why;
  }
  return report;
}

void settle_journal(const std::string& path, const Journal& journal, const RestoreReport& report) {
  if (report.complete()) {
    remove_journal(path);
  } else {
    write_journal(path, journal);
  }
}

}  // namespace device::guard
}  // namespace wattune
