// `wattune devices`: what kernels can run on, what can be read and what may be set.
#include <algorithm>
#include <iostream>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/engine.hpp"
#include "wattune/sensor.hpp"

namespace wattune::cli {
namespace {

Json sensors_json(const std::vector<SensorInfo>& sensors) {
  Json list = Json::array();
  for (const SensorInfo& sensor : sensors) {
    list.push_back(Json{
        {"name", sensor.name},
        {"unit", sensor.unit},
        {"update_period_s", sensor.update_period.value() > 0.0 ? Json(sensor.update_period.value()) : Json(nullptr)},
        {"available", sensor.available},
        {"why", sensor.why}});
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

Json engine_json(const DeviceDescription& device, const DeviceInfo* info) {
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
              {"sensors", sensors_json(info != nullptr ? info->sensors : std::vector<SensorInfo>{})},
              {"controls", controls_json(info != nullptr ? info->controls : std::vector<ControlInfo>{})}};
}

Json info_json(const DeviceInfo& info) {
  return Json{{"id", info.id},
              {"kind", info.kind},
              {"interface", ""},
              {"name", info.name},
              {"uuid", info.uuid},
              {"pci_bus", info.pci_bus},
              {"driver", info.driver},
              {"sensors", sensors_json(info.sensors)},
              {"controls", controls_json(info.controls)}};
}

void print_info(const DeviceInfo& info, std::ostream& out) {
  for (const SensorInfo& sensor : info.sensors) {
    out << "    reads " << sensor.name << " (" << sensor.unit << ")";
    if (!sensor.available) out << ": no, " << sensor.why;
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

ExitCode run_command(const DevicesCommand&, bool json, Console& console) {
  const EngineListing listing = list_engines();
  const std::vector<DeviceInfo> infos = list_devices();
  std::vector<const DeviceInfo*> unmatched;
  for (const DeviceInfo& info : infos) {
    const bool matched = std::ranges::any_of(
        listing.devices, [&](const DeviceDescription& device) { return measured_by(infos, device) == &info; });
    if (!matched) unmatched.push_back(&info);
  }
  if (json) {
    Json devices = Json::array();
    for (const DeviceDescription& device : listing.devices)
      devices.push_back(engine_json(device, measured_by(infos, device)));
    for (const DeviceInfo* info : unmatched) devices.push_back(info_json(*info));
    console.out() << Json{{"devices", devices}, {"absent", problems_json(listing.absent)}}.dump(2) << '\n';
    return ExitCode::ok;
  }
  for (const DeviceDescription& device : listing.devices) {
    print_engine(device, console.out());
    if (const DeviceInfo* info = measured_by(infos, device)) print_info(*info, console.out());
  }
  for (const DeviceInfo* info : unmatched) {
    console.out() << info->id << "  " << info->name << '\n';
    print_info(*info, console.out());
  }
  if (listing.devices.empty()) console.out() << "No device that runs kernels.\n";
  for (const Problem& problem : listing.absent) console.out() << "not there: " << to_string(problem) << '\n';
  return ExitCode::ok;
}

}  // namespace wattune::cli
