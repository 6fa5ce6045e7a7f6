#include "device/rapl/survey.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace wattune::device::rapl {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Package zones only: "intel-rapl:0", not its parts "intel-rapl:0:1", whose energy the package already contains.
std::vector<fs::path> packages(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("intel-rapl:") && std::count(name.begin(), name.end(), ':') == 1)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

SensorInfo energy_counter(const fs::path& package) {
  SensorInfo info{"energy_counter", "J", Seconds(0.0), false, {}};
  const fs::path path = package / "energy_uj";
  errno = 0;
  std::ifstream file(path);
  unsigned long long microjoules = 0;
  info.available = static_cast<bool>(file >> microjoules);
  if (!info.available) {
    const int code = errno;
    info.why = path.string() + ": " + (code != 0 ? std::strerror(code) : "no number in it");
    if (code == EACCES) info.why += "; run as root, or let root run: chmod a+r " + path.string();
  }
  return info;
}

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

void survey(DeviceSurvey& found, const std::string& root) {
  const fs::path folder = root + "/sys/class/powercap";
  const std::vector<fs::path> zones = packages(folder);
  if (zones.empty()) {
    found.absent.push_back({"rapl", "no CPU energy counter under " + folder.string(),
                            "virtual machines rarely have one; else load the intel_rapl_msr module"});
    return;
  }
  for (const fs::path& zone : zones) {
    DeviceInfo info;
    const std::string name = first_line(zone / "name");
    info.id = "rapl:" + (name.empty() ? zone.filename().string() : name);
    info.kind = "cpu";
    info.name = cpu_name(root) + (name.empty() ? "" : ", " + name);
    info.sensors.push_back(energy_counter(zone));
    found.devices.push_back(std::move(info));
  }
}

}  // namespace wattune::device::rapl
