#include "device/rapl/device.hpp"

#include <fstream>

#include "device/rapl/energy_counter.hpp"

namespace wattune::device::rapl {
namespace {

/// "model name : …" of the first CPU.
std::string cpu_name(const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

}  // namespace

RaplDevice::RaplDevice(const Zone& zone, const std::string& root, Clock& clock) {
  info_.id = "rapl:" + (zone.name.empty() ? zone.number : zone.name);
  info_.kind = "cpu";
  info_.name = cpu_name(root) + (zone.name.empty() ? "" : ", " + zone.name);
  const std::string scope = zone.name == "psys" ? "platform" : "package";
  sensors_.push_back(std::make_unique<EnergyCounter>("energy_counter", zone.path, scope, clock));
  if (!zone.dram.empty())
    sensors_.push_back(std::make_unique<EnergyCounter>("dram_energy_counter", zone.dram, "memory", clock));
  for (const auto& sensor : sensors_) info_.sensors.push_back(sensor->info());
}

std::unique_ptr<Device> open(const std::string& name, const std::string& root, Clock& clock) {
  if (!name.starts_with("rapl:")) return nullptr;
  const std::string wanted = name.substr(5);
  for (const Zone& zone : zones(root)) {
    if (wanted == zone.name || wanted == zone.number) return std::make_unique<RaplDevice>(zone, root, clock);
  }
  return nullptr;
}

}  // namespace wattune::device::rapl
