#include "sim/presets/presets.hpp"

#include <array>

namespace wattune {
namespace sim {

std::vector<Hertz> clock_steps(double first_mhz, double last_mhz, double step_mhz) {
  std::vector<Hertz> clocks;
  // Counted, not summed, so that the last clock is exact.
  for (int i = 0; first_mhz + i * step_mhz <= last_mhz + 1e-6; ++i)
    clocks.push_back(megahertz(first_mhz + i * step_mhz));
  return clocks;
}

}  // namespace sim

std::span<const VirtualGpuPreset> virtual_gpu_presets() {
  static const std::array presets = {sim::a100_pcie_40gb(), sim::rtx_a4000(), sim::v100_pcie(), sim::titan_rtx(),
                                     sim::hd7970()};
  return presets;
}

const VirtualGpuPreset* find_virtual_gpu(std::string_view id) {
  if (id == "a100_pcie_40gb") id = "a100";
  for (const VirtualGpuPreset& preset : virtual_gpu_presets()) {
    if (preset.id == id) return &preset;
  }
  return nullptr;
}

}  // namespace wattune
