// The noise-free truth about a kernel on a preset.
#include <algorithm>

#include "sim/throttle.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune {
namespace {

/// Clocks of a configuration; nothing when one lies outside the device's range. Clocks between two supported ones are
/// taken as they are: the truth is smooth, and only the virtual device's controls insist on the list.
std::optional<sim::Clocks> clocks_of(const VirtualGpuPreset& preset, const HardwareConfiguration& hardware) {
  const auto pick = [](Hertz asked, const ClockList& list) {
    return asked.value() > 0.0 ? asked.value() : list.supported.back().value();
  };
  const auto outside = [](double clock, const ClockList& list) {
    return clock < list.supported.front().value() || clock > list.supported.back().value();
  };
  const sim::Clocks clocks{pick(hardware.core_clock, preset.core_clock),
                           pick(hardware.memory_clock, preset.memory_clock)};
  if (outside(clocks.core, preset.core_clock) || outside(clocks.memory, preset.memory_clock)) return std::nullopt;
  return clocks;
}

/// The limit in force, or the power that holds the slowdown temperature when that is less.
sim::PowerRule rule_of(const VirtualGpuPreset& preset, const HardwareConfiguration& hardware) {
  const double limit =
      hardware.power_limit.value() > 0.0 ? hardware.power_limit.value() : preset.power_limit.factory.value();
  const ThermalModel& thermal = preset.thermal;
  return {std::min(limit, (thermal.slowdown_celsius - thermal.ambient_celsius) / thermal.kelvin_per_watt), {}};
}

}  // namespace

ExactResult evaluate_exact(const VirtualGpuPreset& preset, const KernelProfile& profile,
                           const HardwareConfiguration& hardware) {
  ExactResult result;
  const sim::Work work = sim::plan_work(preset, profile, hardware.compute_units);
  const std::optional<sim::Clocks> clocks = clocks_of(preset, hardware);
  result.limit = work.limit != LaunchLimit::none ? work.limit : clocks ? LaunchLimit::none : LaunchLimit::clock_range;
  if (result.limit != LaunchLimit::none) return result;
  const sim::Operation operation = sim::operate(preset, work, *clocks, rule_of(preset, hardware));
  result.time = Seconds(operation.timing.total);
  result.power = Watts(operation.watts);
  result.energy = result.power * result.time;
  result.core_clock = Hertz(operation.clocks.core);
  result.throttled = operation.throttled;
  result.celsius = sim::steady_celsius(preset.thermal, operation.watts);
  result.occupancy = work.occupancy;
  return result;
}

KernelCounters evaluate_counters(const VirtualGpuPreset& preset, const KernelProfile& p,
                                 const HardwareConfiguration& hardware) {
  KernelCounters counters;
  const sim::Work work = sim::plan_work(preset, p, hardware.compute_units);
  const std::optional<sim::Clocks> clocks = clocks_of(preset, hardware);
  if (work.limit != LaunchLimit::none || !clocks) return counters;
  const sim::Operation operation = sim::operate(preset, work, *clocks, rule_of(preset, hardware));

  counters.inst_fp64 = p.fp64, counters.inst_fp32 = p.fp32, counters.inst_fp16 = p.fp16;
  counters.inst_int = p.integer, counters.inst_special = p.special, counters.inst_tensor = p.tensor;
  counters.inst_load = work.loads, counters.inst_store = work.stores, counters.inst_branch = p.branch;
  counters.shared_read_bytes = p.shared_read_bytes, counters.shared_write_bytes = p.shared_write_bytes;
  counters.l1_read_bytes = p.l1_read_bytes, counters.l1_write_bytes = p.l1_write_bytes;
  counters.l2_read_bytes = work.traffic.l2_read, counters.l2_write_bytes = work.traffic.l2_write;
  counters.dram_read_bytes = work.traffic.dram_read, counters.dram_write_bytes = work.traffic.dram_write;

  const double hertz = operation.clocks.core;
  counters.cycles_elapsed = operation.timing.total * hertz;
  counters.cycles_active_mean = operation.timing.unit_active * hertz;
  const double held = std::min(work.resident_blocks, p.blocks / work.units);
  counters.warps_active_mean = held * work.warps_per_block;
  counters.occupancy = work.occupancy * held / work.resident_blocks;
  const auto hit = [](double asked, double missed) {
    return asked > 0.0 ? std::clamp(1.0 - missed / asked, 0.0, 1.0) : 0.0;
  };
  counters.l1_hit = hit(p.l1_read_bytes, work.traffic.l2_read);
  counters.l2_hit = hit(work.traffic.l2_read, work.traffic.dram_read);
  counters.stall_memory = hit(operation.timing.unit_active, operation.timing.unit_issue);
  return counters;
}

}  // namespace wattune
