#include "device/amdsmi/setters.hpp"

#include "device/control_lock.hpp"

namespace wattune::device::amdsmi {
namespace {

Setters load() {
  Setters setters;
  if (controls_forbidden()) return setters;
  const base::Library library = open_library();
  library.load(setters.set_clock_limit, "amdsmi_set_gpu_clk_limit");
  library.load(setters.set_power_cap, "amdsmi_set_power_cap");
  return setters;
}

}  // namespace

const Setters& load_setters() {
  static const Setters setters = load();
  return setters;
}

}  // namespace wattune::device::amdsmi
