// What a kernel asks of a GPU, as numbers for one launch: the input of the virtual GPU. Nothing here depends on clocks,
// and nothing that follows from the device (occupancy, tail, time, power) may be written by hand.
// Room `sim`. In a spec the section [profile] holds an expression for each of these names (docs/virtual-gpu.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wattune {

/// Totals over all threads of one launch unless stated. An operation is one instruction of one thread: a fused
/// multiply-add counts one, an access to a vector of four floats counts one.
struct KernelProfile {
  // Shape and resources of a block.
  double blocks = 0.0;     ///< 0: of the launch
  double threads = 0.0;    ///< a block; 0: of the launch
  double registers = 32;   ///< a thread
  double local_bytes = 0;  ///< shared (OpenCL: local) memory of a block

  // Operations by class.
  double fp64 = 0, fp32 = 0, fp16 = 0;
  double integer = 0;  ///< index arithmetic included
  double special = 0;  ///< reciprocal, root, sine, exponential
  double tensor = 0;   ///< multiply-adds done by matrix units
  double branch = 0;

  // Bytes that threads ask of shared memory and L1, that L1 asks of L2, and that L2 must ask of DRAM even when it holds
  // all that is used again.
  double shared_read_bytes = 0, shared_write_bytes = 0;
  double l1_read_bytes = 0, l1_write_bytes = 0;
  double l2_read_bytes = 0, l2_write_bytes = 0;
  double dram_read_bytes = 0, dram_write_bytes = 0;
  double shared_access_bytes = 4;  ///< bytes of one access of one thread
  double global_access_bytes = 4;
  /// Bytes that a running block needs again soon. What does not fit beside that of the other running blocks is fetched
  /// again: L2 traffic rises towards that of L1, DRAM traffic towards that of L2. 0: nothing is used again.
  double l1_footprint_bytes = 0, l2_footprint_bytes = 0;

  // How the work hangs together.
  double instruction_parallelism = 2;  ///< independent operations of a thread in flight, on average
  double memory_parallelism = 2;       ///< independent loads of a thread in flight, on average
  double block_waits = 0;        ///< times that a block waits as a whole for global memory (loads, then a barrier)
  double divergence = 0;         ///< share of lanes idle in an issued instruction, [0, 1)
  double conflict_factor = 1;    ///< passes a shared-memory access needs (bank conflicts), >= 1
  double contended_atomics = 0;  ///< atomic operations that queue up at one address
  double serial_cycles = 0;      ///< core cycles during which one thread works alone
  double serial_seconds = 0;     ///< time that no clock of the device changes (waiting for the host)
  double data_activity = 1;  ///< switching of the data relative to random numbers; constant numbers come to about half
};

/// One number of a profile: its name in specs, where it lives, and what values make sense.
struct ProfileField {
  std::string_view name;
  double KernelProfile::*member;
  double low;   ///< smallest sensible value
  double high;  ///< largest
  std::string_view meaning;
};
/// All of them, in the order of the struct.
std::span<const ProfileField> profile_fields();

/// The first value outside its range, as "divergence = 1.2: outside 0..0.99"; empty when all are sensible.
std::string profile_fault(const KernelProfile& profile);

/// What profilers count, in vendor-neutral names: totals per launch with the unit in the name; ratios 0..1.
struct KernelCounters {
  double inst_fp64 = 0, inst_fp32 = 0, inst_fp16 = 0, inst_int = 0, inst_special = 0, inst_tensor = 0;
  double inst_load = 0, inst_store = 0, inst_branch = 0;
  double shared_read_bytes = 0, shared_write_bytes = 0, l1_read_bytes = 0, l1_write_bytes = 0;
  double l2_read_bytes = 0, l2_write_bytes = 0, dram_read_bytes = 0, dram_write_bytes = 0;
  double cycles_elapsed = 0;      ///< core cycles of the launch
  double cycles_active_mean = 0;  ///< core cycles with work, mean over the compute units in use
  double warps_active_mean = 0;   ///< resident warps, mean over the cycles with work
  double occupancy = 0;           ///< the latter as a share of what fits
  double l1_hit = 0, l2_hit = 0;
  double stall_memory = 0;  ///< share of active cycles in which nothing issues for want of data
};

struct CounterField {
  std::string_view name;
  double KernelCounters::*member;
};
std::span<const CounterField> counter_fields();

}  // namespace wattune
