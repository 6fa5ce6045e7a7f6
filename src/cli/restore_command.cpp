// `wattune restore`: brings back settings that a run left changed, because it was killed together with its watchdog or
// because the driver refused. Works from the journals on disk; does nothing when there are none.
#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/guard.hpp"

namespace wattune::cli {
namespace {

Json control_json(const RestoredControl& control) {
  return Json{{"control", control.control},
              {"state", control.state},
              {"assumed", control.assumed},
              {"restored", control.result.ok()},
              {"why", control.result.why}};
}

void print_control(const RestoredControl& control, std::ostream& out) {
  out << "    " << control.control << " = " << control.state;
  if (control.assumed) out << " (the driver does not tell what it was before: given back to it)";
  if (!control.result.ok()) out << ": not restored, " << control.result.why;
  out << '\n';
}

/// The worst of what happened.
ExitCode code_of(const RestoreReport& report, ExitCode code) {
  for (const RestoredControl& control : report.controls) {
    if (control.result.ok()) continue;
    const bool may_not = control.result.code == ControlCode::denied || control.result.code == ControlCode::forbidden;
    code = may_not ? ExitCode::permission : ExitCode::device;
  }
  return code;
}

}  // namespace

ExitCode run_command(const RestoreCommand& command, bool json, Console& console) {
  ExitCode code = ExitCode::ok;
  Json reports = Json::array();
  Json in_use = Json::array();
  const auto restore = [&](const std::string& device) {
    if (command.forget) {
      forget_left_behind(device);
      console.notice("The settings found on " + device + " are forgotten; nothing was restored.");
      return;
    }
    const RestoreReport report = restore_left_behind(device);
    code = code_of(report, code);
    Json controls = Json::array();
    for (const RestoredControl& control : report.controls) controls.push_back(control_json(control));
    reports.push_back(Json{{"device", device}, {"name", report.device_name}, {"controls", controls}});
    if (json) return;
    console.out() << device << "  " << report.device_name
                  << (report.complete() ? ": restored\n" : ": partly restored\n");
    for (const RestoredControl& control : report.controls) print_control(control, console.out());
  };
  if (!command.device.empty()) {
    restore(command.device);
  } else {
    for (const LeftBehind& left : settings_left_behind()) {
      if (!left.in_use) {
        restore(left.device);
        continue;
      }
      in_use.push_back(Json{{"device", left.device}, {"name", left.device_name}, {"process", left.process}});
      console.notice(left.device + " is in use by process " + left.process + ", which restores it when it ends");
    }
    if (!json && reports.empty() && in_use.empty() && !command.forget) console.out() << "No settings to restore.\n";
  }
  if (json) console.out() << Json{{"restored", reports}, {"in_use", in_use}}.dump(2) << '\n';
  return code;
}

}  // namespace wattune::cli
