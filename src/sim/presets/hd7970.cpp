// AMD Radeon HD 7970 (Tahiti, 28 nm, GDDR5): the device of Wu et al., HPCA 2015, with its ranges of 4..32 compute
// units, 300..1000 MHz core and 475..1375 MHz memory. Counts, rates, sizes: AMD Graphics Cores Next whitepaper (2012),
// AMD OpenCL Optimization Guide (Southern Islands): 64 KiB registers a SIMD, 64 KiB LDS, 16 KiB L1 at 64 bytes a cycle,
// 768 KiB L2 at 64 bytes a cycle and channel (12), 264 GB/s at 1375 MHz. Latencies: the guide and Mei and Chu's style
// of pointer chase (about 500 cycles to DRAM). Power: 250 W board power at 1000 MHz; voltage about 0.95 V up to 500 MHz
// and 1.17 V at 1000 MHz (BIOS tables). No curve of a single kernel is at hand. Sensor: the card has none that software
// reads; this one acts as an external power meter.
#include "sim/presets/presets.hpp"

namespace wattune::sim {

VirtualGpuPreset hd7970() {
  VirtualGpuPreset gpu;
  gpu.id = "hd7970";
  gpu.name = "AMD Radeon HD 7970";
  gpu.vendor = "AMD";
  gpu.architecture = "tahiti";
  gpu.compute_units = 32;
  gpu.unit = {.lanes = 64,
              .max_blocks = 16,
              .max_threads = 2560,
              .max_block_threads = 256,
              .registers = 65536,
              .max_registers = 256,
              .register_granule = 256,
              .local_bytes = 65536,
              .max_local_bytes = 32768,
              .reserved_local_bytes = 0,
              .local_granule = 256,
              .issue = 128,
              .fp64 = 16,
              .fp32 = 64,
              .fp16 = 64,
              .integer = 64,
              .special = 16,
              .tensor = 64,
              .load_store = 32,
              .shared_bytes = 128,
              .l1_bytes = 64,
              .l2_bytes = 64,
              .l1_capacity = 16384,
              .unified_l1 = false,
              .alu_latency = 4,
              .shared_latency = 32,
              .l1_latency = 114};
  gpu.memory = {.l2_capacity = 768.0 * 1024,
                .l2_bytes_per_cycle = 768,
                .l2_latency = 76,
                .dram_bytes_per_cycle = 192,
                .dram_efficiency = 0.85,
                .dram_path_bytes_per_cycle = 768,
                .dram_latency = Seconds(280e-9),
                .atomic_cycles = 8,
                .atomic_retry = 0.03,
                .bytes = 3221225472ULL};
  gpu.core_clock = {clock_steps(300, 1000, 25), megahertz(300), megahertz(925)};
  gpu.memory_clock = {clock_steps(475, 1375, 25), megahertz(475), megahertz(1375)};
  gpu.voltage = {.ridge = megahertz(500), .slope = 0.30, .curve = 0.32, .volts = 0.95};
  gpu.energy = {.board = Watts(22.0),
                .leakage = Watts(30.0),
                .leakage_celsius = 60.0,
                .leakage_per_kelvin = 0.012,
                .memory_watts_per_hertz = 16e-9,
                .uncore_watts_per_hertz = 10e-9,
                .units_watts_per_hertz = 30e-9,
                .stalled_share = 0.5,
                .idle_share = 0.2,
                .fp64 = 60e-12,
                .fp32 = 24e-12,
                .fp16 = 24e-12,
                .integer = 14e-12,
                .special = 45e-12,
                .tensor = 24e-12,
                .load_store = 12e-12,
                .branch = 12e-12,
                .shared_byte = 10e-12,
                .l1_byte = 12e-12,
                .l2_byte = 25e-12,
                .dram_byte = 130e-12};
  gpu.thermal = {
      .ambient_celsius = 28.0, .kelvin_per_watt = 0.20, .time_constant = Seconds(20.0), .slowdown_celsius = 95.0};
  gpu.power_limit = {Watts(250.0), Watts(200.0), Watts(300.0)};
  gpu.sensors = {.instant = {milliseconds(1.0), milliseconds(1.0)},
                 .average = {},
                 .samples = {milliseconds(1.0), milliseconds(1.0)},
                 .voltage = true,
                 .counter_period = {},
                 .counter_resolution = Joules(1e-3),
                 .clock_settle = milliseconds(1.0),
                 .control_call = milliseconds(1.0)};
  gpu.launch_overhead = microseconds(6.0);
  return gpu;
}

}  // namespace wattune::sim
