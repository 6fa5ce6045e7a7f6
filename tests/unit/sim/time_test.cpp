// Time on the virtual GPU against what follows from one constant of the device at a time.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace wattune {
namespace {

using testing::arithmetic_kernel;
using testing::at_core;
using testing::copy_kernel;

class EveryPreset : public ::testing::TestWithParam<const char*> {
 protected:
  const VirtualGpuPreset& gpu_ = *find_virtual_gpu(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset, ::testing::Values("a100", "rtx_a4000", "v100", "titan_rtx", "hd7970"),
                         [](const auto& info) { return std::string(info.param); });

/// 3 %: waves that fill and drain, launch overhead, latency that is not quite hidden.
constexpr double nearly = 0.03;

TEST_P(EveryPreset, ArithmeticTakesItsOperationsOverTheRate) {
  const KernelProfile kernel = arithmetic_kernel(gpu_);
  const Hertz clock = gpu_.core_clock.supported.front();  // far from the power limit
  const double rate = gpu_.compute_units * gpu_.unit.fp32 * clock.value();
  EXPECT_NEAR(evaluate_exact(gpu_, kernel, at_core(clock)).time.value(), kernel.fp32 / rate,
              nearly * kernel.fp32 / rate);
}

TEST_P(EveryPreset, AStreamTakesItsBytesOverTheBandwidth) {
  const KernelProfile kernel = copy_kernel(gpu_);
  const double bandwidth =
      gpu_.memory.dram_bytes_per_cycle * gpu_.memory.dram_efficiency * gpu_.memory_clock.supported.back().value();
  // Twice the tolerance: L2 and units work beside it, and on some devices not much faster.
  EXPECT_NEAR(evaluate_exact(gpu_, kernel).time.value(), 2e9 / bandwidth, 4 * nearly * 2e9 / bandwidth);
}

TEST_P(EveryPreset, HalfTheUnitsTakeTwiceTheTimeOfArithmetic) {
  const KernelProfile kernel = arithmetic_kernel(gpu_);
  HardwareConfiguration hardware = at_core(gpu_.core_clock.supported.front());
  const double all = evaluate_exact(gpu_, kernel, hardware).time.value();
  hardware.compute_units = gpu_.compute_units / 2;
  EXPECT_NEAR(evaluate_exact(gpu_, kernel, hardware).time / Seconds(all), 2.0, 2.0 * nearly);
}

TEST(VirtualGpuTime, ArithmeticFollowsTheCoreClockAndAStreamDoesNot) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const auto slowdown = [&](const KernelProfile& kernel) {
    return evaluate_exact(gpu, kernel, at_core(megahertz(1005))).time /
           evaluate_exact(gpu, kernel, at_core(megahertz(1410))).time;
  };
  EXPECT_NEAR(slowdown(arithmetic_kernel(gpu)), 1410.0 / 1005.0, 0.01);
  EXPECT_LT(slowdown(copy_kernel(gpu)), 1.05);
}

TEST(VirtualGpuTime, AStreamFollowsTheMemoryClock) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("hd7970");
  const KernelProfile kernel = copy_kernel(gpu);
  HardwareConfiguration slow;
  slow.memory_clock = megahertz(687.5);
  EXPECT_NEAR(evaluate_exact(gpu, kernel, slow).time / evaluate_exact(gpu, kernel).time, 2.0, 0.1);
}

/// Tail effect: one block more than a full wave takes about another wave of the units that got nothing more to do.
TEST(VirtualGpuTime, OneBlockMoreThanAWaveCostsATail) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const auto time = [&](double blocks) {
    KernelProfile kernel;
    kernel.threads = 1024;
    kernel.registers = 64;  // one block a unit
    kernel.blocks = blocks;
    kernel.fp32 = blocks * 1024 * 1e6;
    kernel.instruction_parallelism = 8;
    return evaluate_exact(gpu, kernel, at_core(megahertz(1005))).time.value();
  };
  EXPECT_NEAR(time(109) / time(108), 2.0, 0.01);
  EXPECT_NEAR(time(216) / time(108), 2.0, 0.01);
  EXPECT_NEAR(time(108) / time(1), 1.0, 0.01);
}

TEST(VirtualGpuTime, AChainOfDependentOperationsTakesTheirLatency) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  KernelProfile kernel;
  kernel.threads = kernel.blocks = 1;
  kernel.fp32 = 1e6;
  kernel.instruction_parallelism = 1;
  const double expected = 1e6 * gpu.unit.alu_latency / 1005e6;
  EXPECT_NEAR(evaluate_exact(gpu, kernel, at_core(megahertz(1005))).time.value(), expected, nearly * expected);
}

TEST(VirtualGpuTime, SerialPartsAndContendedAtomicsAddUp) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const HardwareConfiguration hardware = at_core(megahertz(1005));
  KernelProfile kernel = arithmetic_kernel(gpu, 1);
  const Seconds alone = evaluate_exact(gpu, kernel, hardware).time;
  kernel.serial_seconds = 1e-3;
  kernel.serial_cycles = 1005e3;
  EXPECT_NEAR((evaluate_exact(gpu, kernel, hardware).time - alone).value(), 2e-3, 1e-9);

  KernelProfile atomics;
  atomics.threads = 256;
  atomics.blocks = 10000;
  atomics.integer = atomics.blocks * 256;
  atomics.contended_atomics = 1e7;
  // Contention grows with the units that take part: fewer units are faster.
  HardwareConfiguration few = hardware;
  few.compute_units = 12;
  EXPECT_LT(evaluate_exact(gpu, atomics, few).time, evaluate_exact(gpu, atomics, hardware).time);
  EXPECT_GT(evaluate_exact(gpu, atomics, hardware).time.value(), 1e7 * gpu.memory.atomic_cycles / 1005e6);
}

TEST(VirtualGpuTime, WhatSlowsAUnitSlowsAKernelByItsFactor) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  const HardwareConfiguration hardware = at_core(megahertz(1005));
  KernelProfile kernel = arithmetic_kernel(gpu);
  const Seconds straight = evaluate_exact(gpu, kernel, hardware).time;
  kernel.divergence = 0.5;
  EXPECT_NEAR(evaluate_exact(gpu, kernel, hardware).time / straight, 2.0, 0.02);

  KernelProfile shared;
  shared.threads = 256;
  shared.blocks = gpu.compute_units * 8.0 * 64.0;
  shared.shared_read_bytes = shared.blocks * 256 * 4 * 1e3;
  const Seconds free = evaluate_exact(gpu, shared, hardware).time;
  shared.conflict_factor = 8;
  EXPECT_NEAR(evaluate_exact(gpu, shared, hardware).time / free, 8.0, 0.6);
}

/// What running blocks use again no longer fits when there are more of them: traffic to the next level rises.
TEST(VirtualGpuTime, CachesThrashWhenTooManyBlocksShareThem) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("hd7970");
  KernelProfile kernel;
  kernel.threads = 256;
  kernel.blocks = 3200;
  kernel.registers = 128;
  kernel.l1_read_bytes = kernel.l2_read_bytes = 4e9;
  kernel.dram_read_bytes = 1e7;
  kernel.l2_footprint_bytes = 20e3;
  kernel.memory_parallelism = 16;
  HardwareConfiguration few;
  few.compute_units = 12;
  EXPECT_GT(evaluate_counters(gpu, kernel, few).l2_hit, 0.8);
  EXPECT_LT(evaluate_counters(gpu, kernel).l2_hit, 0.3);
  EXPECT_GT(evaluate_exact(gpu, kernel).time, evaluate_exact(gpu, kernel, few).time);
}

TEST(VirtualGpuTime, IsTheSameEveryTime) {
  for (const VirtualGpuPreset& gpu : virtual_gpu_presets()) {
    const KernelProfile kernel = copy_kernel(gpu);
    const ExactResult first = evaluate_exact(gpu, kernel), second = evaluate_exact(gpu, kernel);
    EXPECT_EQ(first.time, second.time);
    EXPECT_EQ(first.power, second.power);
  }
}

TEST(VirtualGpuCounters, AreTheProfilesTotalsAndRatiosInRange) {
  for (const VirtualGpuPreset& gpu : virtual_gpu_presets()) {
    for (const KernelProfile& kernel : {arithmetic_kernel(gpu), copy_kernel(gpu)}) {
      const KernelCounters counters = evaluate_counters(gpu, kernel);
      EXPECT_EQ(counters.inst_fp32, kernel.fp32);
      EXPECT_EQ(counters.dram_read_bytes, kernel.dram_read_bytes);
      const ExactResult exact = evaluate_exact(gpu, kernel);
      EXPECT_NEAR(counters.cycles_elapsed, exact.time.value() * exact.core_clock.value(), 1.0);
      EXPECT_LE(counters.cycles_active_mean, counters.cycles_elapsed);
      EXPECT_NEAR(counters.occupancy, 1.0, 1e-9);
      for (const double ratio : {counters.l1_hit, counters.l2_hit, counters.stall_memory}) {
        EXPECT_GE(ratio, 0.0);
        EXPECT_LE(ratio, 1.0);
      }
    }
    EXPECT_GT(evaluate_counters(gpu, copy_kernel(gpu)).stall_memory, 0.3) << gpu.id;
    EXPECT_LT(evaluate_counters(gpu, arithmetic_kernel(gpu)).stall_memory, 0.05) << gpu.id;
  }
}

TEST(KernelProfileFields, NameWhatIsOutOfRange) {
  KernelProfile kernel;
  EXPECT_EQ(profile_fault(kernel), "");
  kernel.divergence = 1.2;
  EXPECT_EQ(profile_fault(kernel), "divergence = 1.2: outside 0..0.99");
  kernel = {};
  kernel.fp32 = -1;
  EXPECT_EQ(profile_fault(kernel), "fp32 = -1: must be at least 0");
}

}  // namespace
}  // namespace wattune
