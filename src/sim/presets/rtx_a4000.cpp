// NVIDIA RTX A4000 (GA104, 8 nm, GDDR6).
// Counts, rates, sizes: NVIDIA Ampere GA102 GPU Architecture whitepaper, CUDA C++ Programming Guide (compute capability
// 8.6), RTX A4000 datasheet. Clocks 210..2100 MHz in steps of 15, base 735, limit 100..140 W: driver and datasheet.
// Power: fitted to the measured curve of a synthetic fp32 kernel (Kernel Tuner, 10 clocks, 44 W to the 140 W limit,
// which it meets at about 1745 MHz). Ridge: Schoonhoven et al., PMBS 2022. GDDR6 about 7 pJ a bit: Micron's figures for
// the interface plus the array. Sensor: Yang, Adamek, Armour, SC'24 (100 ms of every 100 ms); average over 1 s: nvml.h.
// Frozen since searches are compared on it: see tests/integration/virtual_gemm.cpp.
#include "sim/presets/presets.hpp"

namespace wattune::sim {

VirtualGpuPreset rtx_a4000() {
  VirtualGpuPreset gpu;
  gpu.id = "rtx_a4000";
  gpu.name = "NVIDIA RTX A4000";
  gpu.vendor = "NVIDIA";
  gpu.architecture = "sm_86";
  gpu.compute_units = 48;
  gpu.unit = {.lanes = 32,
              .max_blocks = 16,
              .max_threads = 1536,
              .max_block_threads = 1024,
              .registers = 65536,
              .max_registers = 255,
              .register_granule = 256,
              .local_bytes = 102400,
              .max_local_bytes = 101376,
              .reserved_local_bytes = 1024,
              .issue = 128,
              .fp64 = 2,
              .fp32 = 128,
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
              .shared_latency = 23,
              .l1_latency = 33};
  gpu.memory = {.l2_capacity = 4.0 * 1048576,
                .l2_bytes_per_cycle = 1024,
                .l2_latency = 200,
                .dram_bytes_per_cycle = 64,
                .dram_efficiency = 0.91,
                .dram_path_bytes_per_cycle = 680,
                .dram_latency = Seconds(220e-9),
                .atomic_cycles = 4,
                .atomic_retry = 0.01,
                .bytes = 17179869184ULL};
  gpu.core_clock = {clock_steps(210, 2100, 15), megahertz(210), megahertz(735)};
  gpu.memory_clock = {{megahertz(405), megahertz(810), megahertz(5001), megahertz(6501), megahertz(7001)},
                      megahertz(405),
                      megahertz(7001)};
  gpu.voltage = {.ridge = megahertz(1350), .slope = 0.547, .curve = 0.241, .volts = 0.72};
  gpu.energy = {.board = Watts(13.4),
                .leakage = Watts(10.0),
                .leakage_celsius = 50.0,
                .leakage_per_kelvin = 0.01,
                .memory_watts_per_hertz = 1.0e-9,
                .uncore_watts_per_hertz = 6e-9,
                .units_watts_per_hertz = 14.86e-9,
                .stalled_share = 0.6,
                .idle_share = 0.2,
                .fp64 = 16e-12,
                .fp32 = 5.3e-12,
                .fp16 = 4e-12,
                .integer = 2.6e-12,
                .special = 12e-12,
                .tensor = 1.0e-12,
                .load_store = 2.4e-12,
                .branch = 3e-12,
                .shared_byte = 1.5e-12,
                .l1_byte = 1.8e-12,
                .l2_byte = 4.8e-12,
                .dram_byte = 68e-12};
  gpu.thermal = {
      .ambient_celsius = 27.0, .kelvin_per_watt = 0.35, .time_constant = Seconds(20.0), .slowdown_celsius = 95.0};
  gpu.power_limit = {Watts(140.0), Watts(100.0), Watts(140.0)};
  gpu.sensors = {.instant = {milliseconds(100.0), milliseconds(100.0)},
                 .average = {milliseconds(100.0), Seconds(1.0)},
                 .samples = {milliseconds(20.0), milliseconds(20.0)},
                 .counter_period = milliseconds(100.0),
                 .counter_resolution = Joules(1e-3),
                 .clock_settle = milliseconds(30.0),
                 .control_call = milliseconds(15.0)};
  gpu.launch_overhead = microseconds(3.0);
  return gpu;
}

}  // namespace wattune::sim
