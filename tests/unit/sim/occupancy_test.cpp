// Resident blocks against the rules of the vendors' occupancy calculators.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace wattune {
namespace {

struct Case {
  const char* gpu;
  double threads, registers, local_bytes;
  double blocks;  ///< by the calculator
  double share;
};

/// Worked by the published rules (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and
/// the occupancy calculator: registers go to a warp in units of 256, from the four register files of a multiprocessor;
/// local memory in units of 128 or 256 bytes, after 1 KiB a block for the driver from capability 8.0 on). HD 7970: AMD
/// OpenCL Optimization Guide, tables of wavefronts over vector registers and local memory.
constexpr Case cases[] = {
    {"a100", 256, 32, 0, 8, 1.0},             // 64 warps of 64
    {"a100", 256, 64, 0, 4, 0.5},             // 8 warps of each file's 16384 / 2048
    {"a100", 256, 255, 0, 1, 0.125},          // 8160 registers a warp, rounded to 8192: 2 warps a file
    {"a100", 1024, 33, 0, 1, 0.5},            // 1056 -> 1280 a warp: 48 warps, one block of 32
    {"a100", 96, 40, 0, 16, 0.75},            // 12 warps a file, not 12.8: 48 warps, 16 blocks of 3
    {"a100", 32, 16, 0, 32, 0.5},             // block slots
    {"a100", 128, 32, 48 * 1024, 3, 0.1875},  // 49 KiB each of 164
    {"a100", 128, 32, 162 * 1024, 1, 0.0625},
    {"rtx_a4000", 256, 32, 0, 6, 1.0},  // 48 warps
    {"rtx_a4000", 1024, 32, 0, 1, 2.0 / 3},
    {"rtx_a4000", 64, 32, 8 * 1024, 11, 22.0 / 48},  // 9 KiB each of 100
    {"titan_rtx", 256, 32, 0, 4, 1.0},               // 32 warps
    {"titan_rtx", 128, 96, 0, 5, 0.625},             // 3072 a warp: 5 a file, 20 warps
    {"v100", 256, 64, 0, 4, 0.5},
    {"v100", 128, 32, 48 * 1024, 2, 0.125},
    {"hd7970", 256, 24, 0, 10, 1.0},       // 10 wavefronts a SIMD up to 24 registers
    {"hd7970", 256, 32, 0, 8, 0.8},        // 8
    {"hd7970", 256, 64, 0, 4, 0.4},        // 4
    {"hd7970", 256, 128, 0, 2, 0.2},       // 2
    {"hd7970", 64, 24, 8 * 1024, 8, 0.2},  // 64 KiB of local memory
    {"hd7970", 64, 24, 0, 16, 0.4},        // work-group slots
};

TEST(Occupancy, IsThatOfTheCalculators) {
  for (const Case& c : cases) {
    const VirtualGpuPreset* gpu = find_virtual_gpu(c.gpu);
    ASSERT_NE(gpu, nullptr) << c.gpu;
    KernelProfile kernel;
    kernel.blocks = 1000;
    kernel.threads = c.threads;
    kernel.registers = c.registers;
    kernel.local_bytes = c.local_bytes;
    const Occupancy held = occupancy(*gpu, kernel);
    EXPECT_EQ(held.limit, LaunchLimit::none);
    EXPECT_EQ(held.blocks, c.blocks) << c.gpu << ' ' << c.threads << ' ' << c.registers << ' ' << c.local_bytes;
    EXPECT_NEAR(held.share, c.share, 1e-12) << c.gpu << ' ' << c.threads << ' ' << c.registers;
  }
}

TEST(Occupancy, SaysWhatStopsAKernel) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const auto limit = [&](double threads, double registers, double local_bytes, double blocks = 100) {
    KernelProfile kernel;
    kernel.blocks = blocks;
    kernel.threads = threads;
    kernel.registers = registers;
    kernel.local_bytes = local_bytes;
    const LaunchLimit found = occupancy(gpu, kernel).limit;
    EXPECT_EQ(evaluate_exact(gpu, kernel).limit, found);
    EXPECT_EQ(describe(found, gpu, kernel).empty(), found == LaunchLimit::none);
    return found;
  };
  EXPECT_EQ(limit(1024, 64, 0), LaunchLimit::none);
  EXPECT_EQ(limit(1024, 65, 0), LaunchLimit::register_file);
  EXPECT_EQ(limit(1025, 16, 0), LaunchLimit::block_threads);
  EXPECT_EQ(limit(32, 256, 0), LaunchLimit::registers);
  EXPECT_EQ(limit(32, 32, 163.0 * 1024), LaunchLimit::none);
  EXPECT_EQ(limit(32, 32, 163.0 * 1024 + 1), LaunchLimit::local_memory);
  EXPECT_EQ(limit(0, 32, 0), LaunchLimit::no_threads);
  EXPECT_EQ(limit(32, 32, 0, 0), LaunchLimit::no_threads);
}

TEST(Occupancy, RefusesWhatADeviceHasNot) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const KernelProfile kernel = testing::arithmetic_kernel(gpu);
  HardwareConfiguration hardware;
  hardware.compute_units = gpu.compute_units + 1;
  EXPECT_EQ(evaluate_exact(gpu, kernel, hardware).limit, LaunchLimit::compute_units);
  EXPECT_EQ(evaluate_exact(gpu, kernel, testing::at_core(megahertz(1425))).limit, LaunchLimit::clock_range);
  EXPECT_EQ(evaluate_exact(gpu, kernel, testing::at_core(megahertz(195))).limit, LaunchLimit::clock_range);
  EXPECT_EQ(evaluate_counters(gpu, kernel, hardware).cycles_elapsed, 0.0);
}

}  // namespace
}  // namespace wattune
