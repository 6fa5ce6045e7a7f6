// NVIDIA A100-PCIE-40GB (GA100, 7 nm, HBM2).
// Counts, rates, sizes: NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020), CUDA C++ Programming Guide (compute
// capability 8.0). Latencies: Abdelkhalik et al., "Demystifying the Nvidia Ampere Architecture through
// Microbenchmarking" (2022). Clocks 210..1410 MHz in steps of 15, base 765, memory 1215, limit 150..250 W: NVIDIA's
// product brief and driver. Power: fitted to the measured curve of a synthetic fp32 kernel (Kernel Tuner tutorial, 10
// clocks, idle to 153 W); DRAM and L2 energies from what a stream kernel draws at 1005 and 1410 MHz
// (giordano/gpu-power-frequency-benchmarks). Way to DRAM: a stream slows down below about 870 MHz
// (ghazanfarttu/Optimal-GPU-frequency-using-DNN-based-models). Ridge: Schoonhoven et al., PMBS 2022 (72 % of 1410 MHz).
// Sensor: Yang, Adamek, Armour, SC'24 (25 ms of every 100 ms).
// Energies per operation and byte: so that GEMM is held at the limit at about the clocks of a recording (1311 MHz on
// average; Kernel Tuner's dashboard).
// Frozen since searches are compared on it: see tests/integration/virtual_gemm.cpp.
#include "sim/presets/presets.hpp"

namespace wattune::sim {

VirtualGpuPreset a100_pcie_40gb() {
  VirtualGpuPreset gpu;
  gpu.id = "a100";
  gpu.name = "NVIDIA A100-PCIE-40GB";
  gpu.vendor = "NVIDIA";
  gpu.architecture = "sm_80";
  gpu.compute_units = 108;
  gpu.unit = {.lanes = 32,
              .max_blocks = 32,
              .max_threads = 2048,
              .max_block_threads = 1024,
              .registers = 65536,
              .max_registers = 255,
              .register_granule = 256,
              .local_bytes = 167936,
              .max_local_bytes = 166912,
              .reserved_local_bytes = 1024,
              .issue = 128,
              .fp64 = 32,
              .fp32 = 64,
              .fp16 = 256,
              .integer = 64,
              .special = 16,
              .tensor = 1024,
              .load_store = 32,
              .shared_bytes = 128,
              .l1_bytes = 128,
              .l2_bytes = 64,
              .l1_capacity = 196608,
              .unified_l1 = true,
              .alu_latency = 4,
              .shared_latency = 23,
              .l1_latency = 33};
  gpu.memory = {.l2_capacity = 40.0 * 1048576,
                .l2_bytes_per_cycle = 5120,
                .l2_latency = 200,
                .dram_bytes_per_cycle = 1280,
                .dram_efficiency = 0.90,
                .dram_path_bytes_per_cycle = 1650,
                .dram_latency = Seconds(190e-9),
                .atomic_cycles = 4,
                .atomic_retry = 0.01,
                .bytes = 42949672960ULL};
  gpu.core_clock = {clock_steps(210, 1410, 15), megahertz(210), megahertz(765)};
  gpu.memory_clock = {{megahertz(1215)}, megahertz(1215), megahertz(1215)};
  gpu.voltage = {.ridge = megahertz(1015), .slope = 0.42, .curve = 1.08, .volts = 0.73};
  gpu.energy = {.board = Watts(15.4),
                .leakage = Watts(11.0),
                .leakage_celsius = 50.0,
                .leakage_per_kelvin = 0.01,
                .memory_watts_per_hertz = 6.6e-9,
                .uncore_watts_per_hertz = 8e-9,
                .units_watts_per_hertz = 14.74e-9,
                .stalled_share = 0.6,
                .idle_share = 0.2,
                .fp64 = 12.5e-12,
                .fp32 = 5.9e-12,
                .fp16 = 2.4e-12,
                .integer = 2.6e-12,
                .special = 12e-12,
                .tensor = 0.8e-12,
                .load_store = 2.4e-12,
                .branch = 3e-12,
                .shared_byte = 2e-12,
                .l1_byte = 2.1e-12,
                .l2_byte = 7.8e-12,
                .dram_byte = 45e-12};
  gpu.thermal = {
      .ambient_celsius = 25.0, .kelvin_per_watt = 0.15, .time_constant = Seconds(12.0), .slowdown_celsius = 92.0};
  gpu.power_limit = {Watts(250.0), Watts(150.0), Watts(250.0)};
  gpu.sensors = {.instant = {milliseconds(100.0), milliseconds(25.0)},
                 .average = {},
                 .samples = {milliseconds(20.0), milliseconds(20.0)},
                 .counter_period = milliseconds(100.0),
                 .counter_resolution = Joules(1e-3),
                 .clock_settle = milliseconds(30.0),
                 .control_call = milliseconds(15.0)};
  gpu.launch_overhead = microseconds(3.0);
  return gpu;
}

}  // namespace wattune::sim
