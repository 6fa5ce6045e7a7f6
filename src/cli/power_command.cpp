// `wattune power -- COMMAND`: runs a command and tells the time, energy and power of the devices meanwhile. The command
// keeps its terminal, its signals and its exit code.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "measure/power_log.hpp"
#include "wattune/device.hpp"

extern char** environ;

namespace wattune::cli {
namespace {

constexpr int not_found = 127;  // as shells and env(1) have it
constexpr int not_started = 126;

volatile std::sig_atomic_t child_process = 0;

void pass_on(int signal) {
  if (child_process > 0) ::kill(child_process, signal);
}

std::vector<std::unique_ptr<Device>> devices_for(const std::string& name) {
  std::vector<std::unique_ptr<Device>> devices;
  if (!name.empty()) {
    std::unique_ptr<Device> device = open_device(name);
    if (!device)
      throw Error(ExitCode::no_device, "no such device", name, "`wattune devices` lists them with their ids");
    if (!measure::PowerLog::can_log(*device))
      throw Error(ExitCode::no_device, "neither its power nor its energy can be read", device->info().id,
                  "`wattune devices` says why");
    devices.push_back(std::move(device));
    return devices;
  }
  const DeviceSurvey found = survey_devices();
  for (const DeviceInfo& info : found.devices) {
    std::unique_ptr<Device> device = open_device(info.id);
    if (device && measure::PowerLog::can_log(*device)) devices.push_back(std::move(device));
  }
  if (!devices.empty()) return devices;
  std::vector<Problem> problems = {{"", "there is no device whose power can be read", "`wattune devices` says why"}};
  problems.insert(problems.end(), found.absent.begin(), found.absent.end());
  throw Error(ExitCode::no_device, problems);
}

/// Starts the command with this process's standard streams; stdout becomes stderr when it is needed for the document.
pid_t start(const std::vector<std::string>& command, bool stdout_is_taken) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: POSIX's type
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (stdout_is_taken) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) {
    throw Error(static_cast<ExitCode>(fault == ENOENT ? not_found : not_started),
                "the command cannot be started: " + std::string(std::strerror(fault)), command[0]);
  }
  return child;
}

/// Looks at the sensors until the command ends; gives its exit code, 128 + N for a signal.
int attend(pid_t child, std::vector<measure::PowerLog>& logs) {
#ifdef SYS_pidfd_open
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
#else
  const int ended = -1;
#endif
  constexpr int tick_ms = static_cast<int>(measure::PowerLog::tick.value() * 1e3);
  int status = 0;
  while (true) {
    const pid_t got = ::waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) break;
    for (measure::PowerLog& log : logs) log.collect();
    pollfd waiting{ended, POLLIN, 0};
    ::poll(&waiting, ended >= 0 ? 1 : 0, tick_ms);
  }
  if (ended >= 0) ::close(ended);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

template <class Unit>
Json number_or_null(const std::optional<Unit>& value) {
  return value ? Json(value->value()) : Json(nullptr);
}

Json summary_json(const DeviceInfo& info, const measure::PowerSummary& summary) {
  return Json{{"id", info.id},
              {"name", info.name},
              {"energy_j", number_or_null(summary.energy)},
              {"average_power_w", number_or_null(summary.average)},
              {"peak_power_w", number_or_null(summary.peak)},
              {"method", summary.energy ? to_string(summary.method) : ""},
              {"sensor", summary.sensor},
              {"readings", summary.readings},
              {"cross_difference_percent",
               summary.cross_difference_percent ? Json(*summary.cross_difference_percent) : Json(nullptr)},
              {"warning", summary.warning}};
}

void print_summary(const DeviceInfo& info, const measure::PowerSummary& summary, std::ostream& out) {
  const auto text = [](const auto& value, const char* unit) {
    return value ? base::format_si(value->value(), unit) : "-";
  };
  out << info.id << "  " << info.name << "\n    energy " << text(summary.energy, "J") << ", average power "
      << text(summary.average, "W") << ", peak power " << text(summary.peak, "W");
  if (summary.energy)
    out << " (" << to_string(summary.method) << " of " << summary.sensor << ", " << base::format_count(summary.readings)
        << " readings)";
  out << '\n';
  if (!summary.warning.empty()) out << "    note: " << summary.warning << '\n';
}

}  // namespace

ExitCode run_command(const PowerCommand& command, bool json, Console& console) {
  const std::vector<std::unique_ptr<Device>> devices = devices_for(command.device);
  std::vector<measure::PowerLog> logs;
  for (const auto& device : devices) logs.emplace_back(*device, real_clock());
  for (const int signal : {SIGINT, SIGQUIT}) std::signal(signal, SIG_IGN);  // a terminal sends them to the command, too
  for (const int signal : {SIGTERM, SIGHUP}) std::signal(signal, pass_on);
  for (measure::PowerLog& log : logs) log.start();
  const pid_t child = start(command.command, json);
  child_process = child;
  const int code = attend(child, logs);
  child_process = 0;
  std::vector<measure::PowerSummary> summaries;
  for (measure::PowerLog& log : logs) summaries.push_back(log.stop());
  const Seconds time = summaries.front().time;
  if (json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < devices.size(); ++i) list.push_back(summary_json(devices[i]->info(), summaries[i]));
    Json document{{"command", command.command}, {"exit_code", code}, {"time_s", time.value()}, {"devices", list}};
    console.out() << document.dump(2) << '\n';
  } else {
    console.out() << "time " << base::format_seconds(time) << ", exit code " << code << '\n';
    for (std::size_t i = 0; i < devices.size(); ++i) print_summary(devices[i]->info(), summaries[i], console.out());
  }
  return static_cast<ExitCode>(code);
}

}  // namespace wattune::cli
