// NVIDIA Tesla V100-PCIE-16GB (GV100, 12 nm, HBM2).
// Counts, rates, sizes: NVIDIA Tesla V100 GPU Architecture whitepaper (2017), CUDA C++ Programming Guide (compute
// capability 7.0). Latencies: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018).
// Clocks 135..1380 MHz (the driver's steps of 7 and 8 are taken as 7.5), memory 877, limit 100..250 W: driver,
// datasheet. Way to DRAM: vectorAdd slows down below about 930 MHz (NV-DVFS-Benchmark). Power: no curve of a single
// kernel is at hand; ridge near 70 % of the maximum and about 240 W for a GEMM at 1380 MHz are plausible for the part
// (Schoonhoven et al., PMBS 2022), not measured. Sensor: Yang, Adamek, Armour, SC'24 (10 of 20 ms).
#include "sim/presets/presets.hpp"

namespace wattune::sim {

VirtualGpuPreset v100_pcie() {
  VirtualGpuPreset gpu;
  gpu.id = "v100";
  gpu.name = "Tesla V100-PCIE-16GB";
  gpu.vendor = "NVIDIA";
  gpu.architecture = "sm_70";
  gpu.compute_units = 80;
  gpu.unit = {.lanes = 32,
              .max_blocks = 32,
              .max_threads = 2048,
              .max_block_threads = 1024,
              .registers = 65536,
              .max_registers = 255,
              .register_granule = 256,
              .local_bytes = 98304,
              .max_local_bytes = 98304,
              .reserved_local_bytes = 0,
              .local_granule = 256,
              .issue = 128,
              .fp64 = 32,
              .fp32 = 64,
              .fp16 = 128,
              .integer = 64,
              .special = 16,
              .tensor = 512,
              .load_store = 32,
              .shared_bytes = 128,
              .l1_bytes = 128,
              .l2_bytes = 64,
              .l1_capacity = 131072,
              .unified_l1 = true,
              .alu_latency = 4,
              .shared_latency = 19,
              .l1_latency = 28};
  gpu.memory = {.l2_capacity = 6.0 * 1048576,
                .l2_bytes_per_cycle = 2048,
                .l2_latency = 165,
                .dram_bytes_per_cycle = 1026,
                .dram_efficiency = 0.90,
                .dram_path_bytes_per_cycle = 860,
                .dram_latency = Seconds(170e-9),
                .atomic_cycles = 4,
                .atomic_retry = 0.01,
                .bytes = 17179869184ULL};
  gpu.core_clock = {clock_steps(135, 1380, 7.5), megahertz(135), megahertz(1245)};
  gpu.memory_clock = {{megahertz(877)}, megahertz(877), megahertz(877)};
  gpu.voltage = {.ridge = megahertz(960), .slope = 0.40, .curve = 0.70, .volts = 0.76};
  gpu.energy = {.board = Watts(14.0),
                .leakage = Watts(14.0),
                .leakage_celsius = 50.0,
                .leakage_per_kelvin = 0.01,
                .memory_watts_per_hertz = 8e-9,
                .uncore_watts_per_hertz = 8e-9,
                .units_watts_per_hertz = 22e-9,
                .stalled_share = 0.5,
                .idle_share = 0.2,
                .fp64 = 26e-12,
                .fp32 = 12e-12,
                .fp16 = 7e-12,
                .integer = 6e-12,
                .special = 20e-12,
                .tensor = 1.6e-12,
                .load_store = 5e-12,
                .branch = 5e-12,
                .shared_byte = 5e-12,
                .l1_byte = 4e-12,
                .l2_byte = 13e-12,
                .dram_byte = 48e-12};
  gpu.thermal = {
      .ambient_celsius = 25.0, .kelvin_per_watt = 0.15, .time_constant = Seconds(12.0), .slowdown_celsius = 87.0};
  gpu.power_limit = {Watts(250.0), Watts(100.0), Watts(250.0)};
  gpu.sensors = {.instant = {milliseconds(20.0), milliseconds(10.0)},
                 .average = {},
                 .samples = {},
                 .counter_period = milliseconds(20.0),
                 .counter_resolution = Joules(1e-3),
                 .clock_settle = milliseconds(25.0),
                 .control_call = milliseconds(15.0)};
  gpu.launch_overhead = microseconds(3.0);
  return gpu;
}

}  // namespace wattune::sim
