// What a launch comes to on a device before any clock is known: residency, waves of blocks, cycles, traffic after the
// caches, joules at the lowest voltage.
// The refusal to run (too many registers, …) is part of it; nothing here allocates or throws.
#pragma once

#include "wattune/virtual_gpu.hpp"

namespace wattune::sim {

/// Bytes that really move, caches considered.
struct Traffic {
  double l2_read = 0, l2_write = 0, dram_read = 0, dram_write = 0;
  [[nodiscard]] double l2() const { return l2_read + l2_write; }
  [[nodiscard]] double dram() const { return dram_read + dram_write; }
};

struct Work {
  LaunchLimit limit = LaunchLimit::none;
  double units = 0;      ///< compute units in use
  double occupancy = 0;  ///< while there are enough blocks
  double warps_per_block = 0;
  double full_waves = 0, resident_blocks = 0;  ///< waves in which every unit holds `resident_blocks`
  double tail_blocks = 0;                      ///< of the fullest unit in the last, incomplete wave
  double busy_share = 0;                       ///< of the units' block slots that the waves fill, 0..1
  double loads = 0, stores = 0, operations = 0;

  // Core cycles.
  double block_cycles = 0;  ///< a block needs of its unit's busiest part
  double chain_cycles = 0;  ///< from a block's first to its last instruction when it runs alone, without DRAM
  double chain_dram = 0;    ///< trips to DRAM on that way
  double wait_cycles = 0, wait_dram = 0;  ///< the same of the waits in which the whole block stands still
  double l2_cycles = 0;                   ///< of the whole launch, at L2's full rate
  double atomic_cycles = 0;               ///< of the whole launch
  double serial_cycles = 0;

  double serial_seconds = 0;
  Traffic traffic;
  double core_joules = 0;  ///< switching energy of a launch below the ridge
  double dram_joules = 0;
};

/// `compute_units`: 0 = all.
Work plan_work(const VirtualGpuPreset& preset, const KernelProfile& profile, std::uint32_t compute_units);

}  // namespace wattune::sim
