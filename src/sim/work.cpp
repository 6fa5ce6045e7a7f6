#include "sim/work.hpp"

#include <algorithm>
#include <cmath>

#include "sim/overlap.hpp"

namespace wattune::sim {
namespace {

/// Share of repeated accesses that miss when running blocks want `footprint` bytes of `capacity`: nearly none at half
/// of the capacity, half when both are equal, nearly all at twice. A smooth stand-in for the step of an LRU cache.
double miss_share(double footprint, double capacity) {
  if (footprint <= 0.0) return 0.0;
  const double ratio = footprint / std::max(capacity, 1.0);
  const double square = ratio * ratio;
  return square * square / (1.0 + square * square);
}

Traffic traffic_of(const VirtualGpuPreset& preset, const KernelProfile& profile, double resident, double running) {
  double l1_capacity = preset.unit.l1_capacity;
  if (preset.unit.unified_l1) l1_capacity -= resident * (profile.local_bytes + preset.unit.reserved_local_bytes);
  const double l1_miss = miss_share(resident * profile.l1_footprint_bytes, l1_capacity);
  const double l2_miss = miss_share(running * profile.l2_footprint_bytes, preset.memory.l2_capacity);
  Traffic traffic;
  traffic.l2_read = profile.l2_read_bytes + l1_miss * std::max(0.0, profile.l1_read_bytes - profile.l2_read_bytes);
  traffic.l2_write = profile.l2_write_bytes;
  traffic.dram_read = profile.dram_read_bytes + l2_miss * std::max(0.0, traffic.l2_read - profile.dram_read_bytes);
  traffic.dram_write = profile.dram_write_bytes;
  return traffic;
}

/// Cycles that a unit needs for the whole launch, were it alone. Its parts work side by side: the busiest decides, and
/// others that come close cost some more. Issue slots and arithmetic are one part: an operation takes its slot in both.
double unit_cycles(const ComputeUnit& unit, const KernelProfile& p, const Work& work) {
  const double memory = work.loads + work.stores;
  const double issue = (work.operations + memory) / unit.issue;
  const double arithmetic = std::max({p.fp64 / unit.fp64, p.fp32 / unit.fp32, p.fp16 / unit.fp16,
                                      p.integer / unit.integer, p.special / unit.special, p.tensor / unit.tensor});
  const double lanes = 1.0 / (1.0 - p.divergence);
  const double shared = (p.shared_read_bytes + p.shared_write_bytes) * p.conflict_factor / unit.shared_bytes;
  const double l1 = (p.l1_read_bytes + p.l1_write_bytes) / unit.l1_bytes;
  const double ports = std::max(unit.unified_l1 ? shared + l1 : std::max(shared, l1), memory / unit.load_store * lanes);
  return overlap(std::max(issue, arithmetic) * lanes, ports, work.traffic.l2() / unit.l2_bytes);
}

/// The way of one block from its first to its last instruction, when nothing else is in its way.
void set_chain(const VirtualGpuPreset& preset, const KernelProfile& p, double all_threads, Work& work) {
  const ComputeUnit& unit = preset.unit;
  const double arithmetic = (work.operations - p.tensor + p.tensor / 64.0) / all_threads;
  const double shared = p.shared_read_bytes / p.shared_access_bytes / all_threads;
  const double global = p.l1_read_bytes / p.global_access_bytes / all_threads;
  const double l1_miss = p.l1_read_bytes > 0.0 ? std::min(1.0, work.traffic.l2_read / p.l1_read_bytes) : 0.0;
  const double l2_miss =
      work.traffic.l2_read > 0.0 ? std::min(1.0, work.traffic.dram_read / work.traffic.l2_read) : 0.0;
  const double trips = global / p.memory_parallelism;
  work.chain_cycles = arithmetic * std::max(1.0, unit.alu_latency / p.instruction_parallelism) +
                      shared * unit.shared_latency * p.conflict_factor / (p.memory_parallelism * 2.0) +
                      trips * (unit.l1_latency + l1_miss * preset.memory.l2_latency);
  work.chain_dram = trips * l1_miss * l2_miss;
  // A barrier waits for the slowest of many loads, so that few misses are enough: the root stands in for that.
  const double any_miss = std::sqrt(l1_miss * l2_miss);
  work.wait_cycles = p.block_waits * (unit.l1_latency + std::sqrt(l1_miss) * preset.memory.l2_latency);
  work.wait_dram = p.block_waits * any_miss;
}

void set_energy(const EnergyCosts& cost, const KernelProfile& p, Work& work) {
  work.core_joules =
      p.data_activity * (p.fp64 * cost.fp64 + p.fp32 * cost.fp32 + p.fp16 * cost.fp16 + p.integer * cost.integer +
                         p.special * cost.special + p.tensor * cost.tensor +
                         (p.shared_read_bytes + p.shared_write_bytes) * cost.shared_byte +
                         (p.l1_read_bytes + p.l1_write_bytes) * cost.l1_byte + work.traffic.l2() * cost.l2_byte) +
      p.branch * cost.branch + (work.loads + work.stores) * cost.load_store;
  work.dram_joules = work.traffic.dram() * cost.dram_byte;
}

}  // namespace

Work plan_work(const VirtualGpuPreset& preset, const KernelProfile& p, std::uint32_t compute_units) {
  Work work;
  if (compute_units > preset.compute_units) {
    work.limit = LaunchLimit::compute_units;
    return work;
  }
  const Occupancy held = occupancy(preset, p);
  work.limit = held.limit;
  if (held.limit != LaunchLimit::none) return work;
  work.units = compute_units == 0 ? preset.compute_units : compute_units;
  work.occupancy = held.share;
  work.warps_per_block = held.warps_per_block;
  work.resident_blocks = held.blocks;

  const double slots = work.units * held.blocks;
  work.full_waves = std::floor(p.blocks / slots);
  work.tail_blocks = std::ceil((p.blocks - work.full_waves * slots) / work.units);
  work.busy_share = p.blocks / (work.units * (work.full_waves * held.blocks + work.tail_blocks));

  work.loads = p.shared_read_bytes / p.shared_access_bytes + p.l1_read_bytes / p.global_access_bytes;
  work.stores = p.shared_write_bytes / p.shared_access_bytes + p.l1_write_bytes / p.global_access_bytes;
  work.operations = p.fp64 + p.fp32 + p.fp16 + p.integer + p.special + p.branch + p.tensor / 64.0;
  work.traffic = traffic_of(preset, p, held.blocks, std::min(p.blocks, slots));

  work.block_cycles = unit_cycles(preset.unit, p, work) / p.blocks;
  set_chain(preset, p, p.blocks * p.threads, work);
  work.l2_cycles = work.traffic.l2() / preset.memory.l2_bytes_per_cycle;
  work.atomic_cycles =
      p.contended_atomics * preset.memory.atomic_cycles * (1.0 + preset.memory.atomic_retry * work.units);
  work.serial_cycles = p.serial_cycles;
  work.serial_seconds = p.serial_seconds;
  set_energy(preset.energy, p, work);
  return work;
}

}  // namespace wattune::sim
