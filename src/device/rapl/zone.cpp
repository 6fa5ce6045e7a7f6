#include "device/rapl/zone.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wattune::device::rapl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "intel-rapl:";

/// "intel-rapl:0:2" for a part of "intel-rapl:0".
bool is_part_of(const std::string& name, const std::string& zone) {
  return name.size() > zone.size() + 1 && name.starts_with(zone) && name[zone.size()] == ':';
}

}  // namespace

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<Zone> zones(const std::string& root) {
  const fs::path folder = root + "/sys/class/powercap";
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  std::vector<Zone> found;
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(prefix) || std::count(name.begin(), name.end(), ':') != 1) continue;
    Zone zone{entry.string(), name.substr(prefix.size()), first_line((entry / "name").string()), {}};
    for (const fs::path& part : entries) {
      if (is_part_of(part.filename().string(), name) && first_line((part / "name").string()) == "dram")
        zone.dram = part.string();
    }
    found.push_back(std::move(zone));
  }
  return found;
}

}  // namespace wattune::device::rapl
