#include "device/rapl/survey.hpp"

#include "device/rapl/device.hpp"

namespace wattune::device::rapl {

void survey(DeviceSurvey& found, const std::string& root) {
  const std::vector<Zone> all = zones(root);
  if (all.empty()) {
    found.absent.push_back({"rapl", "no CPU energy counter under " + root + "/sys/class/powercap",
                            "virtual machines rarely have one; else load the intel_rapl_msr module"});
  }
  for (const Zone& zone : all) found.devices.push_back(RaplDevice(zone, root, real_clock()).info());
}

}  // namespace wattune::device::rapl
