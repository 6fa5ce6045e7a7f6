// The power zones that Linux shows under /sys/class/powercap (RAPL of Intel, and of AMD by the same driver).
#pragma once

#include <string>
#include <vector>

namespace wattune::device::rapl {

struct Zone {
  std::string path;    ///< "/sys/class/powercap/intel-rapl:0"
  std::string number;  ///< "0"
  std::string name;    ///< "package-0", "psys"; empty where the kernel does not say
  std::string dram;    ///< path of its part for the memory; empty where it has none
};

/// Package zones, "intel-rapl:0", not their parts, whose energy the package already contains (memory's it does not).
/// `root` precedes /sys, for tests.
std::vector<Zone> zones(const std::string& root = {});

/// First line of a file, "" when it cannot be read.
std::string first_line(const std::string& path);

}  // namespace wattune::device::rapl
