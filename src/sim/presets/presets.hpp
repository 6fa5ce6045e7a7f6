// The devices that exist as constants, one file each; presets.cpp is the table of them.
// Clocks, counts, sizes and rates are the vendor's figures. Energies per operation and byte, leakage and the voltage
// curve are published by nobody: they are chosen so that measured power curves come out, as each file says.
#pragma once

#include "wattune/virtual_gpu.hpp"

namespace wattune::sim {

VirtualGpuPreset a100_pcie_40gb();
VirtualGpuPreset rtx_a4000();
VirtualGpuPreset v100_pcie();
VirtualGpuPreset titan_rtx();
VirtualGpuPreset hd7970();

/// "first", "first + step", … up to and including "last", MHz.
std::vector<Hertz> clock_steps(double first_mhz, double last_mhz, double step_mhz);

}  // namespace wattune::sim
