// Names, ranges and meaning of a profile's numbers, and the names of counters.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "wattune/kernel_profile.hpp"

namespace wattune {
namespace {

constexpr double any = std::numeric_limits<double>::max();
using P = KernelProfile;

constexpr std::array fields = {
    ProfileField{"blocks", &P::blocks, 0, any, "blocks of the grid; default: of the launch"},
    ProfileField{"threads", &P::threads, 0, any, "threads a block; default: of the launch"},
    ProfileField{"registers", &P::registers, 1, any, "32-bit registers a thread"},
    ProfileField{"local_bytes", &P::local_bytes, 0, any, "shared (local) memory a block, bytes"},
    ProfileField{"fp64", &P::fp64, 0, any, "double-precision operations"},
    ProfileField{"fp32", &P::fp32, 0, any, "single-precision operations; a fused multiply-add is one"},
    ProfileField{"fp16", &P::fp16, 0, any, "half-precision operations outside matrix units"},
    ProfileField{"int", &P::integer, 0, any, "integer operations, index arithmetic included"},
    ProfileField{"special", &P::special, 0, any, "reciprocals, roots, sines, exponentials"},
    ProfileField{"tensor", &P::tensor, 0, any, "multiply-adds in matrix units"},
    ProfileField{"branch", &P::branch, 0, any, "branches"},
    ProfileField{"shared_read_bytes", &P::shared_read_bytes, 0, any, "bytes read from shared memory"},
    ProfileField{"shared_write_bytes", &P::shared_write_bytes, 0, any, "bytes written to shared memory"},
    ProfileField{"l1_read_bytes", &P::l1_read_bytes, 0, any, "bytes of global memory that threads read"},
    ProfileField{"l1_write_bytes", &P::l1_write_bytes, 0, any, "bytes of global memory that threads write"},
    ProfileField{"l2_read_bytes", &P::l2_read_bytes, 0, any, "bytes that L1 must read from L2"},
    ProfileField{"l2_write_bytes", &P::l2_write_bytes, 0, any, "bytes written to L2"},
    ProfileField{"dram_read_bytes", &P::dram_read_bytes, 0, any, "bytes that L2 must read from DRAM"},
    ProfileField{"dram_write_bytes", &P::dram_write_bytes, 0, any, "bytes written to DRAM"},
    ProfileField{"shared_access_bytes", &P::shared_access_bytes, 1, 64,
                 "bytes a thread accesses at once, shared memory"},
    ProfileField{"global_access_bytes", &P::global_access_bytes, 1, 64,
                 "bytes a thread accesses at once, global memory"},
    ProfileField{"l1_footprint_bytes", &P::l1_footprint_bytes, 0, any, "bytes that a block uses again, in L1"},
    ProfileField{"l2_footprint_bytes", &P::l2_footprint_bytes, 0, any, "bytes that a block uses again, in L2"},
    ProfileField{"instruction_parallelism", &P::instruction_parallelism, 0.1, 64,
                 "independent operations of a thread in flight"},
    ProfileField{"memory_parallelism", &P::memory_parallelism, 0.1, 64, "independent loads of a thread in flight"},
    ProfileField{"block_waits", &P::block_waits, 0, any, "times that a whole block waits for global memory"},
    ProfileField{"divergence", &P::divergence, 0, 0.99, "share of lanes idle in an issued instruction"},
    ProfileField{"conflict_factor", &P::conflict_factor, 1, 64, "passes a shared-memory access needs (bank conflicts)"},
    ProfileField{"contended_atomics", &P::contended_atomics, 0, any, "atomic operations that queue up at one address"},
    ProfileField{"serial_cycles", &P::serial_cycles, 0, any, "core cycles in which one thread works alone"},
    ProfileField{"serial_seconds", &P::serial_seconds, 0, any, "time that follows no clock of the device, s"},
    ProfileField{"data_activity", &P::data_activity, 0, 4, "switching of the data relative to random numbers"},
};

using C = KernelCounters;
constexpr std::array counters = {
    CounterField{"inst_fp64", &C::inst_fp64},
    CounterField{"inst_fp32", &C::inst_fp32},
    CounterField{"inst_fp16", &C::inst_fp16},
    CounterField{"inst_int", &C::inst_int},
    CounterField{"inst_special", &C::inst_special},
    CounterField{"inst_tensor", &C::inst_tensor},
    CounterField{"inst_load", &C::inst_load},
    CounterField{"inst_store", &C::inst_store},
    CounterField{"inst_branch", &C::inst_branch},
    CounterField{"shared_read_bytes", &C::shared_read_bytes},
    CounterField{"shared_write_bytes", &C::shared_write_bytes},
    CounterField{"l1_read_bytes", &C::l1_read_bytes},
    CounterField{"l1_write_bytes", &C::l1_write_bytes},
    CounterField{"l2_read_bytes", &C::l2_read_bytes},
    CounterField{"l2_write_bytes", &C::l2_write_bytes},
    CounterField{"dram_read_bytes", &C::dram_read_bytes},
    CounterField{"dram_write_bytes", &C::dram_write_bytes},
    CounterField{"cycles_elapsed", &C::cycles_elapsed},
    CounterField{"cycles_active_mean", &C::cycles_active_mean},
    CounterField{"warps_active_mean", &C::warps_active_mean},
    CounterField{"occupancy", &C::occupancy},
    CounterField{"l1_hit", &C::l1_hit},
    CounterField{"l2_hit", &C::l2_hit},
    CounterField{"stall_memory", &C::stall_memory},
};

}  // namespace

std::span<const ProfileField> profile_fields() {
  return fields;
}

std::span<const CounterField> counter_fields() {
  return counters;
}

std::string profile_fault(const KernelProfile& profile) {
  for (const ProfileField& field : fields) {
    const double value = profile.*field.member;
    if (value >= field.low && value <= field.high) continue;
    if (field.high == any) return fmt::format("{} = {}: must be at least {}", field.name, value, field.low);
    return fmt::format("{} = {}: outside {}..{}", field.name, value, field.low, field.high);
  }
  return "";
}

}  // namespace wattune
