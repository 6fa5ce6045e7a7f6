#include "device/nvml/survey.hpp"

namespace wattune::device::nvml {

std::vector<DeviceInfo> survey(const Library& library, const Permission& permission) {
  std::vector<DeviceInfo> devices;
  for (Handle handle : handles(*library.api)) devices.push_back(NvmlDevice(library, handle, permission).info());
  return devices;
}

}  // namespace wattune::device::nvml
