// `wattune devices`: what kernels can run on, what can be read and how often it changes, what may be set and if not
// why.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/device_measuring.hpp"
#include "cli/json.hpp"
#include "device/virtual/device.hpp"
#include "engine/virtual/virtual_engine.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune::cli {
namespace {

Json seconds_json(Seconds value) {
  return value.value() > 0.0 ? Json(value.value()) : Json(nullptr);
}

Json sensors_json(const DeviceInfo& info, const MeasuredSensors& measured) {
  Json list = Json::array();
  for (const SensorInfo& sensor : info.sensors) {
    const MeasuredSensor* const seen = measured_of(measured, info.id, sensor.name);
    const Seconds period = seen != nullptr && seen->period.period ? *seen->period.period : sensor.update_period;
    Json entry{{"name", sensor.name},
               {"unit", sensor.unit},
               {"update_period_s", seconds_json(period)},
               {"available", sensor.available},
               {"why", sensor.why}};
    if (seen != nullptr) {
      entry["measured_update_period_s"] = seconds_json(seen->period.period.value_or(Seconds(0.0)));
      entry["read_cost_s"] = seen->period.read_cost.value();
      entry["updates_seen"] = seen->period.updates;
      if (seen->settling) entry["settling_s"] = seconds_json(seen->settling->time.value_or(Seconds(0.0)));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json controls_json(const std::vector<ControlInfo>& controls) {
  Json list = Json::array();
  for (const ControlInfo& control : controls) {
    list.push_back(Json{{"name", control.name},
                        {"supported", control.supported},
                        {"permitted", control.permitted},
                        {"why", control.why}});
  }
  return list;
}

Json engine_json(const DeviceDescription& device, const DeviceInfo* info, const MeasuredSensors& measured) {
  return Json{{"id", device.id},
              {"kind", device.kind},
              {"interface", device.interface_name},
              {"name", device.name},
              {"uuid", device.uuid},
              {"pci_bus", device.pci_bus},
              {"driver", device.driver},
              {"architecture", device.architecture},
              {"compute_units", device.compute_units},
              {"max_block_threads", device.max_block_threads},
              {"local_memory_bytes", device.local_memory_bytes},
              {"last_level_cache_bytes", device.last_level_cache_bytes},
              {"global_memory_bytes", device.global_memory_bytes},
              {"sensors", info != nullptr ? sensors_json(*info, measured) : Json::array()},
              {"controls", controls_json(info != nullptr ? info->controls : std::vector<ControlInfo>{})}};
}

Json info_json(const DeviceInfo& info, const MeasuredSensors& measured) {
  return Json{{"id", info.id},
              {"kind", info.kind},
              {"interface", ""},
              {"name", info.name},
              {"uuid", info.uuid},
              {"pci_bus", info.pci_bus},
              {"driver", info.driver},
              {"sensors", sensors_json(info, measured)},
              {"controls", controls_json(info.controls)}};
}

std::string period_text(const SensorInfo& sensor, const MeasuredSensor* seen) {
  if (seen == nullptr && sensor.update_period.value() > 0.0)
    return ", updates about every " + base::format_seconds(sensor.update_period);
  if (seen == nullptr) return {};
  const device::UpdatePeriod& period = seen->period;
  std::string text = ", update period not seen: " + period.why;
  if (period.period) {
    text = ", updates every " + base::format_seconds(*period.period) + " (measured over " +
           base::format_count(period.updates) + " updates)";
  }
  if (seen->settling && seen->settling->time) text += ", settles within " + base::format_seconds(*seen->settling->time);
  return text;
}

void print_info(const DeviceInfo& info, const MeasuredSensors& measured, std::ostream& out) {
  for (const SensorInfo& sensor : info.sensors) {
    out << "    reads " << sensor.name << " (" << sensor.unit << ")";
    out << (sensor.available ? period_text(sensor, measured_of(measured, info.id, sensor.name))
                             : ": no, " + sensor.why);
    out << '\n';
  }
  for (const ControlInfo& control : info.controls) {
    out << "    sets " << control.name << ": " << (control.supported && control.permitted ? "yes" : "no")
        << (control.why.empty() ? "" : ", " + control.why) << '\n';
  }
}

void print_engine(const DeviceDescription& device, std::ostream& out) {
  out << device.id << "  " << device.name << "\n    " << device.kind << " through " << device.interface_name
      << ", driver " << device.driver;
  if (!device.architecture.empty()) out << ", " << device.architecture;
  out << ", " << device.compute_units << " compute units, " << base::format_bytes(device.global_memory_bytes)
      << " memory, " << base::format_bytes(device.local_memory_bytes) << " local memory, at most "
      << device.max_block_threads << " threads a block\n";
}

/// A line each: they are the same on every machine, and nothing chooses them by itself.
void print_simulated(std::ostream& out) {
  out << "only simulated, used when named (--device virtual:a100):\n";
  for (const VirtualGpuPreset& preset : virtual_gpu_presets())
    out << "    virtual:" << preset.id << "  " << preset.name << ", " << preset.compute_units << " compute units, "
        << std::lround(in_megahertz(preset.core_clock.supported.front())) << " to "
        << std::lround(in_megahertz(preset.core_clock.supported.back())) << " MHz\n";
}

}  // namespace

ExitCode run_command(const DevicesCommand& command, bool json, Console& console) {
  EngineListing listing = list_engines();
  const DeviceSurvey survey = survey_devices();
  const std::vector<DeviceInfo>& infos = survey.devices;
  listing.absent.insert(listing.absent.end(), survey.absent.begin(), survey.absent.end());
  const MeasuredSensors measured =
      command.measure ? measure_sensors(infos, listing.devices, console) : MeasuredSensors{};
  std::vector<const DeviceInfo*> unmatched;
  for (const DeviceInfo& info : infos) {
    const bool matched = std::ranges::any_of(
        listing.devices, [&](const DeviceDescription& device) { return sensors_of(infos, device) == &info; });
    if (!matched) unmatched.push_back(&info);
  }
  if (json) {
    Json devices = Json::array();
    for (const DeviceDescription& device : listing.devices)
      devices.push_back(engine_json(device, sensors_of(infos, device), measured));
    for (const DeviceInfo* info : unmatched) devices.push_back(info_json(*info, measured));
    for (const DeviceInfo& info : device::simulated::survey())
      devices.push_back(engine_json(engine::simulated::describe(info.id), &info, measured));
    console.out() << Json{{"devices", devices}, {"absent", problems_json(listing.absent)}}.dump(2) << '\n';
    return ExitCode::ok;
  }
  for (const DeviceDescription& device : listing.devices) {
    print_engine(device, console.out());
    if (const DeviceInfo* info = sensors_of(infos, device)) print_info(*info, measured, console.out());
  }
  for (const DeviceInfo* info : unmatched) {
    console.out() << info->id << "  " << info->name << '\n';
    print_info(*info, measured, console.out());
  }
  if (listing.devices.empty()) console.out() << "No device that runs kernels.\n";
  for (const Problem& problem : listing.absent) console.out() << "not there: " << to_string(problem) << '\n';
  print_simulated(console.out());
  return ExitCode::ok;
}

}  // namespace wattune::cli
