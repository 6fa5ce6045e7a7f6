#include "device/nvml/setters.hpp"

#include "device/control_lock.hpp"

namespace wattune::device::nvml {
namespace {

Setters load() {
  Setters setters;
  if (controls_forbidden()) return setters;
  const base::Library library = open_library();
  library.load(setters.set_gpu_locked_clocks, "nvmlDeviceSetGpuLockedClocks");
  library.load(setters.reset_gpu_locked_clocks, "nvmlDeviceResetGpuLockedClocks");
  library.load(setters.set_memory_locked_clocks, "nvmlDeviceSetMemoryLockedClocks");
  library.load(setters.reset_memory_locked_clocks, "nvmlDeviceResetMemoryLockedClocks");
  library.load(setters.set_applications_clocks, "nvmlDeviceSetApplicationsClocks");
  library.load(setters.set_power_limit, "nvmlDeviceSetPowerManagementLimit");
  return setters;
}

}  // namespace

const Setters& load_setters() {
  static const Setters setters = load();
  return setters;
}

}  // namespace wattune::device::nvml
