// `wattune devices`: what kernels can run on, what can be read and how often it changes, what may be set and if not
// why.
#include <algorithm>
#include <iostream>
#include <map>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "device/update_period.hpp"
#include "wattune/device.hpp"
#include "wattune/engine.hpp"

namespace wattune::cli {
namespace {

constexpr Seconds look_limit{2.5};  // a sensor that updates every 100 ms shows 25 new values

/// What was found by looking, by device id and sensor name.
using Measured = std::map<std::string, std::map<std::string, device::UpdatePeriod>>;

/// Looks at the sensors of power and energy, one after the other. Clocks and temperatures stand still on an idle
/// device.
Measured measure_periods(const std::vector<DeviceInfo>& infos, Console& console) {
  Measured measured;
  for (const DeviceInfo& info : infos) {
    const std::unique_ptr<Device> opened = open_device(info.id);
    if (!opened) continue;
    for (const auto& sensor : opened->sensors()) {
      const SensorInfo& about = sensor->info();
      if (!about.available || (about.unit != "W" && about.unit != "J")) continue;
      console.progress("Looking at " + about.name + " of " + info.name);
      measured[info.id][about.name] = device::measure_update_period(*sensor, look_limit, real_clock());
    }
  }
  console.clear();
  return measured;
}

const device::UpdatePeriod* period_of(const Measured& measured, const std::string& id, const std::string& sensor) {
  const auto of_device = measured.find(id);
  if (of_device == measured.end()) return nullptr;
  const auto found = of_device->second.find(sensor);
  return found == of_device->second.end() ? nullptr : &found->second;
}

Json seconds_json(Seconds value) {
  return value.value() > 0.0 ? Json(value.value()) : Json(nullptr);
}

Json sensors_json(const DeviceInfo& info, const Measured& measured) {
  Json list = Json::array();
  for (const SensorInfo& sensor : info.sensors) {
    const device::UpdatePeriod* const seen = period_of(measured, info.id, sensor.name);
    const Seconds period = seen != nullptr && seen->period ? *seen->period : sensor.update_period;
    Json entry{{"name", sensor.name},
               {"unit", sensor.unit},
               {"update_period_s", seconds_json(period)},
               {"available", sensor.available},
               {"why", sensor.why}};
    if (seen != nullptr) {
      entry["measured_update_period_s"] = seconds_json(seen->period.value_or(Seconds(0.0)));
      entry["read_cost_s"] = seen->read_cost.value();
      entry["updates_seen"] = seen->updates;
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

/// The sensors of the device that an engine drives, found by UUID or PCI bus, never by index.
const DeviceInfo* measured_by(const std::vector<DeviceInfo>& infos, const DeviceDescription& device) {
  const auto same = [&](const DeviceInfo& info) {
    return (!device.uuid.empty() && info.uuid == device.uuid) ||
           (!device.pci_bus.empty() && info.pci_bus == device.pci_bus);
  };
  const auto found = std::ranges::find_if(infos, same);
  return found == infos.end() ? nullptr : &*found;
}

Json engine_json(const DeviceDescription& device, const DeviceInfo* info, const Measured& measured) {
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

Json info_json(const DeviceInfo& info, const Measured& measured) {
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

std::string period_text(const SensorInfo& sensor, const device::UpdatePeriod* seen) {
  if (seen != nullptr && seen->period)
    return ", updates every " + base::format_seconds(*seen->period) + " (measured over " +
           base::format_count(seen->updates) + " updates)";
  if (seen != nullptr) return ", update period not seen: " + seen->why;
  if (sensor.update_period.value() > 0.0) return ", updates about every " + base::format_seconds(sensor.update_period);
  return {};
}

void print_info(const DeviceInfo& info, const Measured& measured, std::ostream& out) {
  for (const SensorInfo& sensor : info.sensors) {
    out << "    reads " << sensor.name << " (" << sensor.unit << ")";
    out << (sensor.available ? period_text(sensor, period_of(measured, info.id, sensor.name)) : ": no, " + sensor.why);
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

}  // namespace

ExitCode run_command(const DevicesCommand& command, bool json, Console& console) {
  EngineListing listing = list_engines();
  const DeviceSurvey survey = survey_devices();
  const std::vector<DeviceInfo>& infos = survey.devices;
  listing.absent.insert(listing.absent.end(), survey.absent.begin(), survey.absent.end());
  const Measured measured = command.measure ? measure_periods(infos, console) : Measured{};
  std::vector<const DeviceInfo*> unmatched;
  for (const DeviceInfo& info : infos) {
    const bool matched = std::ranges::any_of(
        listing.devices, [&](const DeviceDescription& device) { return measured_by(infos, device) == &info; });
    if (!matched) unmatched.push_back(&info);
  }
  if (json) {
    Json devices = Json::array();
    for (const DeviceDescription& device : listing.devices)
      devices.push_back(engine_json(device, measured_by(infos, device), measured));
    for (const DeviceInfo* info : unmatched) devices.push_back(info_json(*info, measured));
    console.out() << Json{{"devices", devices}, {"absent", problems_json(listing.absent)}}.dump(2) << '\n';
    return ExitCode::ok;
  }
  for (const DeviceDescription& device : listing.devices) {
    print_engine(device, console.out());
    if (const DeviceInfo* info = measured_by(infos, device)) print_info(*info, measured, console.out());
  }
  for (const DeviceInfo* info : unmatched) {
    console.out() << info->id << "  " << info->name << '\n';
    print_info(*info, measured, console.out());
  }
  if (listing.devices.empty()) console.out() << "No device that runs kernels.\n";
  for (const Problem& problem : listing.absent) console.out() << "not there: " << to_string(problem) << '\n';
  return ExitCode::ok;
}

}  // namespace wattune::cli
