// Points a second of the noise-free physics: what exhaustive truths over configurations and clocks cost.
#include <benchmark/benchmark.h>

#include <cstddef>

#include "wattune/virtual_gpu.hpp"

namespace {

using namespace wattune;

/// A tiled kernel, memory and arithmetic of about equal weight; every clock in turn. `hot` runs into the power limit,
/// where the clock must be searched.
KernelProfile kernel(bool hot) {
  KernelProfile profile;
  profile.blocks = 4096;
  profile.threads = 256;
  profile.registers = 64;
  profile.local_bytes = 16384;
  profile.fp32 = 7e10;
  profile.integer = 3e9;
  profile.shared_read_bytes = 7e10;
  profile.shared_write_bytes = 4e9;
  profile.l1_read_bytes = profile.l2_read_bytes = 4e9;
  profile.dram_read_bytes = 2e8;
  profile.l2_footprint_bytes = 65536;
  profile.block_waits = 128;
  profile.data_activity = hot ? 2.0 : 1.0;
  return profile;
}

void evaluate_points(benchmark::State& state) {
  const VirtualGpuPreset& gpu = *find_virtual_gpu("a100");
  KernelProfile profile = kernel(state.range(0) == 1);
  std::size_t i = 0;
  double sum = 0.0;
  for ([[maybe_unused]] auto _ : state) {
    HardwareConfiguration hardware;
    hardware.core_clock = gpu.core_clock.supported[i++ % gpu.core_clock.supported.size()];
    sum += evaluate_exact(gpu, profile, hardware).energy.value();
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(evaluate_points)->ArgName("hot")->Arg(0)->Arg(1);

}  // namespace
