// Kernels whose behaviour on a device follows from one constant, for tests of the virtual GPU.
#pragma once

#include "wattune/virtual_gpu.hpp"

namespace wattune::testing {

/// Many full blocks of independent fused multiply-adds, nothing else.
inline KernelProfile arithmetic_kernel(const VirtualGpuPreset& gpu, double waves = 64) {
  KernelProfile kernel;
  kernel.threads = 256;
  kernel.blocks = gpu.compute_units * gpu.unit.max_threads / kernel.threads * waves;
  kernel.fp32 = kernel.blocks * kernel.threads * 1e5;
  kernel.registers = 24;
  kernel.instruction_parallelism = 8;
  return kernel;
}

/// A stream: every byte read once and written once, no reuse.
inline KernelProfile copy_kernel(const VirtualGpuPreset& gpu, double bytes = 1e9) {
  KernelProfile kernel;
  kernel.threads = 256;
  kernel.blocks = gpu.compute_units * gpu.unit.max_threads / kernel.threads * 64.0;
  kernel.l1_read_bytes = kernel.l2_read_bytes = kernel.dram_read_bytes = bytes;
  kernel.l1_write_bytes = kernel.l2_write_bytes = kernel.dram_write_bytes = bytes;
  kernel.registers = 24;
  kernel.global_access_bytes = 16;
  kernel.memory_parallelism = 8;
  return kernel;
}

/// The synthetic kernel that Kernel Tuner samples power with: `outer` x `inner` x 4 dependent fused multiply-adds of
/// each of 1024 threads in a grid of `compute_units` x 64 blocks, over numbers that soon stop changing.
inline KernelProfile synthetic_fp32(const VirtualGpuPreset& gpu) {
  KernelProfile kernel;
  kernel.threads = 1024;
  kernel.blocks = gpu.compute_units * 64.0;
  kernel.fp32 = kernel.blocks * kernel.threads * 64 * 1024 * 4;
  kernel.integer = kernel.branch = kernel.fp32 / 64;  // the loop, unrolled
  kernel.data_activity = 0.515;
  return kernel;
}

inline HardwareConfiguration at_core(Hertz clock) {
  HardwareConfiguration hardware;
  hardware.core_clock = clock;
  return hardware;
}

}  // namespace wattune::testing
