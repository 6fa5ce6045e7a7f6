// How many blocks of a kernel a compute unit holds at once, as vendors' occupancy calculators have it: the scarcest of
// block slots, warp slots, registers and local memory decides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "wattune/virtual_gpu.hpp"

namespace wattune {
namespace {

double rounded_up(double value, double granule) {
  return std::ceil(value / granule) * granule;
}

}  // namespace

Occupancy occupancy(const VirtualGpuPreset& preset, const KernelProfile& profile) {
  const ComputeUnit& unit = preset.unit;
  Occupancy result;
  const auto refuse = [&](LaunchLimit limit) {
    result.limit = limit;
    return result;
  };
  if (!(profile.blocks >= 1.0 && profile.threads >= 1.0)) return refuse(LaunchLimit::no_threads);
  if (profile.threads > unit.max_block_threads) return refuse(LaunchLimit::block_threads);
  if (profile.registers > unit.max_registers) return refuse(LaunchLimit::registers);
  if (profile.local_bytes > unit.max_local_bytes) return refuse(LaunchLimit::local_memory);

  result.warps_per_block = std::ceil(profile.threads / unit.lanes);
  const double warp_registers = rounded_up(std::max(1.0, profile.registers) * unit.lanes, unit.register_granule);
  // A warp lives in one of the register files, so that what is left over in each is lost.
  const double register_warps = unit.register_files * std::floor(unit.registers / unit.register_files / warp_registers);
  if (register_warps < result.warps_per_block) return refuse(LaunchLimit::register_file);
  const double warp_slots = std::floor(unit.max_threads / unit.lanes);
  double blocks = std::min(unit.max_blocks, std::floor(warp_slots / result.warps_per_block));
  blocks = std::min(blocks, std::floor(register_warps / result.warps_per_block));
  if (profile.local_bytes > 0.0) {
    const double block_local = rounded_up(profile.local_bytes + unit.reserved_local_bytes, unit.local_granule);
    blocks = std::min(blocks, std::floor(unit.local_bytes / block_local));
  }
  if (blocks < 1.0) return refuse(LaunchLimit::local_memory);
  result.blocks = blocks;
  result.share = result.blocks * result.warps_per_block / warp_slots;
  return result;
}

std::string describe(LaunchLimit limit, const VirtualGpuPreset& preset, const KernelProfile& profile) {
  const ComputeUnit& unit = preset.unit;
  switch (limit) {
    case LaunchLimit::none:
      return "";
    case LaunchLimit::no_threads:
      return "an empty grid or block";
    case LaunchLimit::block_threads:
      return fmt::format("{} threads a block, at most {}", profile.threads, unit.max_block_threads);
    case LaunchLimit::registers:
      return fmt::format("{} registers a thread, at most {}", profile.registers, unit.max_registers);
    case LaunchLimit::register_file:
      return fmt::format("too many resources: a block of {} threads with {} registers each exceeds the {} of a unit",
                         profile.threads, profile.registers, unit.registers);
    case LaunchLimit::local_memory:
      return fmt::format("{} bytes of local memory a block, at most {}", profile.local_bytes, unit.max_local_bytes);
    case LaunchLimit::compute_units:
      return fmt::format("more compute units than the {} that there are", preset.compute_units);
    case LaunchLimit::clock_range:
      return "a clock outside the supported range";
  }
  return "";
}

}  // namespace wattune
