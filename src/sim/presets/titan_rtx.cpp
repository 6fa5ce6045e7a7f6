// NVIDIA TITAN RTX (TU102, 12 nm, GDDR6).
// Counts, rates, sizes: NVIDIA Turing GPU Architecture whitepaper (2018), CUDA C++ Programming Guide (compute
// capability 7.5). Latencies: Jia et al., "Dissecting the NVidia Turing T4 GPU via Microbenchmarking" (2019). Clocks
// 300..2100 MHz in steps of 15 (Schoonhoven et al., PMBS 2022), base 1350, limit 100..320 W, factory 280 W: driver and
// product page. Power: no curve of a single kernel is at hand; the constants are plausible for the part, not measured.
// Sensor: Yang, Adamek, Armour, SC'24 (100 of 100 ms).
#include "sim/presets/presets.hpp"

namespace wattune::sim {

VirtualGpuPreset titan_rtx() {
  VirtualGpuPreset gpu;
  gpu.id = "titan_rtx";
  gpu.name = "NVIDIA TITAN RTX";
  gpu.vendor = "NVIDIA";
  gpu.architecture = "sm_75";
  gpu.compute_units = 72;
  gpu.unit = {.lanes = 32,
              .max_blocks = 16,
              .max_threads = 1024,
              .max_block_threads = 1024,
              .registers = 65536,
              .max_registers = 255,
              .register_granule = 256,
              .local_bytes = 65536,
              .max_local_bytes = 65536,
              .reserved_local_bytes = 0,
              .local_granule = 256,
              .issue = 128,
              .fp64 = 2,
              .fp32 = 64,
              .fp16 = 128,
              .integer = 64,
              .special = 16,
              .tensor = 512,
              .load_store = 32,
              .shared_bytes = 128,
              .l1_bytes = 64,
              .l2_bytes = 64,
              .l1_capacity = 98304,
              .unified_l1 = true,
              .alu_latency = 4,
              .shared_latency = 19,
              .l1_latency = 32};
  gpu.memory = {.l2_capacity = 6.0 * 1048576,
                .l2_bytes_per_cycle = 1536,
                .l2_latency = 156,
                .dram_bytes_per_cycle = 96,
                .dram_efficiency = 0.90,
                .dram_path_bytes_per_cycle = 1000,
                .dram_latency = Seconds(180e-9),
                .atomic_cycles = 4,
                .atomic_retry = 0.01,
                .bytes = 25769803776ULL};
  gpu.core_clock = {clock_steps(300, 2100, 15), megahertz(300), megahertz(1350)};
  gpu.memory_clock = {{megahertz(405), megahertz(810), megahertz(5001), megahertz(6501), megahertz(7001)},
                      megahertz(405),
                      megahertz(7001)};
  gpu.voltage = {.ridge = megahertz(1320), .slope = 0.45, .curve = 0.20, .volts = 0.72};
  gpu.energy = {.board = Watts(16.0),
                .leakage = Watts(18.0),
                .leakage_celsius = 50.0,
                .leakage_per_kelvin = 0.01,
                .memory_watts_per_hertz = 1.6e-9,
                .uncore_watts_per_hertz = 9e-9,
                .units_watts_per_hertz = 22e-9,
                .stalled_share = 0.5,
                .idle_share = 0.2,
                .fp64 = 30e-12,
                .fp32 = 12e-12,
                .fp16 = 7e-12,
                .integer = 6e-12,
                .special = 20e-12,
                .tensor = 1.6e-12,
                .load_store = 5e-12,
                .branch = 5e-12,
                .shared_byte = 5e-12,
                .l1_byte = 4e-12,
                .l2_byte = 11e-12,
                .dram_byte = 65e-12};
  gpu.thermal = {
      .ambient_celsius = 27.0, .kelvin_per_watt = 0.18, .time_constant = Seconds(18.0), .slowdown_celsius = 92.0};
  gpu.power_limit = {Watts(280.0), Watts(100.0), Watts(320.0)};
  gpu.sensors = {.instant = {milliseconds(100.0), milliseconds(100.0)},
                 .average = {},
                 .samples = {milliseconds(20.0), milliseconds(20.0)},
                 .counter_period = milliseconds(100.0),
                 .counter_resolution = Joules(1e-3),
                 .clock_settle = milliseconds(40.0),
                 .control_call = milliseconds(15.0)};
  gpu.launch_overhead = microseconds(3.0);
  return gpu;
}

}  // namespace wattune::sim
