#include "sim/timing.hpp"

#include <algorithm>

#include "sim/overlap.hpp"

namespace wattune::sim {
namespace {

/// Part of the DRAM latency that follows the memory clock; the rest is wires and queues.
constexpr double clocked_latency = 0.4;

}  // namespace

Timing time_of(const VirtualGpuPreset& preset, const Work& work, const Clocks& clocks) {
  const MemorySystem& memory = preset.memory;
  const double cycle = 1.0 / clocks.core;
  const double slower_memory = preset.memory_clock.supported.back().value() / clocks.memory;
  const double dram_latency = memory.dram_latency.value() * (1.0 - clocked_latency + clocked_latency * slower_memory);

  const double block = work.block_cycles * cycle;
  const double chain = work.chain_cycles * cycle + work.chain_dram * dram_latency;
  const double wait = work.wait_cycles * cycle + work.wait_dram * dram_latency;
  // A wave lasts as long as its unit's busiest part, or as one block that waits for its own results. While a whole
  // block waits at a barrier for its loads, only the other blocks of the unit can fill the time.
  const auto wave = [&](double blocks) {
    const double others = (blocks - 1.0) * block;
    return hide(blocks * block, chain) + overlap(others, wait) - others;
  };
  double units = work.full_waves > 0.0 ? work.full_waves * wave(work.resident_blocks) : 0.0;
  if (work.tail_blocks > 0.0) units += wave(work.tail_blocks);

  const double dram =
      slower(work.traffic.dram() / (memory.dram_bytes_per_cycle * memory.dram_efficiency * clocks.memory),
             work.traffic.dram() / memory.dram_path_bytes_per_cycle * cycle);
  Timing timing;
  timing.running = overlap(units, work.l2_cycles * cycle, dram, work.atomic_cycles * cycle);
  timing.total = preset.launch_overhead.value() + work.serial_seconds + work.serial_cycles * cycle + timing.running;
  timing.unit_active = timing.running * work.busy_share;
  const double waves = work.full_waves * work.resident_blocks + work.tail_blocks;
  timing.unit_issue = std::min(timing.unit_active, waves * work.busy_share * block);
  return timing;
}

}  // namespace wattune::sim
