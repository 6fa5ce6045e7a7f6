// The physics of GPUs that are not there: constants of a device, and the noise-free time and power of a kernel on it.
// Room `sim`. For tests, for teaching and for searches that must run anywhere; what it says about a real device is no
// better than its constants (docs/virtual-gpu.md tells what is modelled and what is not).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/hardware.hpp"
#include "wattune/kernel_profile.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// What a compute unit (NVIDIA: SM) holds and issues. Rates are per core cycle.
struct ComputeUnit {
  double lanes = 32;  ///< threads of a warp (wavefront)
  double max_blocks = 32, max_threads = 2048, max_block_threads = 1024;
  double registers = 65536, max_registers = 255;  ///< 32-bit; per unit and per thread
  double register_granule = 256;                  ///< registers are given to a warp in multiples of this
  double register_files = 4;                      ///< the registers are in so many equal parts
  double local_bytes = 167936;                    ///< shared memory of a unit
  double max_local_bytes = 166912;                ///< of a block
  double reserved_local_bytes = 1024;             ///< taken by the driver, per block
  double local_granule = 128;                     ///< of allocation
  double issue = 128;                             ///< operations of any class
  double fp64 = 32, fp32 = 64, fp16 = 256, integer = 64, special = 16, tensor = 1024, load_store = 32;
  double shared_bytes = 128, l1_bytes = 128, l2_bytes = 64;      ///< per cycle; from L2 to this unit
  double l1_capacity = 196608;                                   ///< bytes
  bool unified_l1 = true;                                        ///< shared memory is a part of L1, and shares its port
  double alu_latency = 4, shared_latency = 23, l1_latency = 33;  ///< cycles
};

/// L2 and DRAM.
struct MemorySystem {
  double l2_capacity = 0;                  ///< bytes
  double l2_bytes_per_cycle = 0;           ///< of the core clock, whole device
  double l2_latency = 200;                 ///< core cycles
  double dram_bytes_per_cycle = 0;         ///< of the memory clock as the driver reports it, whole device
  double dram_efficiency = 0.92;           ///< share of that which a stream reaches
  double dram_path_bytes_per_cycle = 1e9;  ///< of the core clock: what the way to DRAM carries, whole device
  Seconds dram_latency;                    ///< at the highest memory clock; beyond L2
  double atomic_cycles = 4;                ///< core cycles for one atomic operation on a contended address
  double atomic_retry = 0.01;              ///< this grows by so much with each compute unit that takes part
  std::uint64_t bytes = 0;                 ///< capacity
};

struct ClockList {
  std::vector<Hertz> supported;  ///< ascending
  Hertz idle;                    ///< while nothing runs; a compute unit's clock only
  Hertz base;                    ///< the vendor's base clock; 0: not stated
};

/// Voltage over core clock, relative to that below the ridge: 1, then 1 + slope x + curve x² with x = (f - ridge) /
/// GHz.
struct VoltageCurve {
  Hertz ridge;
  double slope = 0.0, curve = 0.0;
  double volts = 0.75;  ///< below the ridge
  [[nodiscard]] double relative(double core_hertz) const {
    const double x = (core_hertz - ridge.value()) * 1e-9;
    return x > 0.0 ? 1.0 + x * (slope + x * curve) : 1.0;
  }
};

/// Energy and power at the voltage below the ridge; the core's part grows with the square of the voltage.
struct EnergyCosts {
  Watts board;                    ///< fans, regulators, idle memory
  Watts leakage;                  ///< at `leakage_celsius`; grows with voltage squared and, linearly, with temperature
  double leakage_celsius = 50.0;  ///< reference
  double leakage_per_kelvin = 0.01;
  double memory_watts_per_hertz = 0.0;  ///< memory interface, while a kernel runs
  double uncore_watts_per_hertz = 0.0;  ///< caches' and crossbar's clock
  double units_watts_per_hertz = 0.0;   ///< clock of all compute units at work
  double stalled_share = 0.5;           ///< of that, a unit whose warps all wait
  double idle_share = 0.2;              ///< of that, a unit without work
  // Joules per operation and byte.
  double fp64 = 0, fp32 = 0, fp16 = 0, integer = 0, special = 0, tensor = 0, load_store = 0, branch = 0;
  double shared_byte = 0, l1_byte = 0, l2_byte = 0, dram_byte = 0;
};

struct ThermalModel {
  double ambient_celsius = 25.0;
  double kelvin_per_watt = 0.2;
  Seconds time_constant{15.0};     ///< of die and heat sink together
  double slowdown_celsius = 92.0;  ///< above it the clock falls until the temperature holds
};

struct PowerLimit {
  Watts factory, low, high;
};

/// How a power sensor sees the power: the mean over `window` before each multiple of `period`.
struct SensorModel {
  Seconds period;  ///< 0: the device has no such sensor
  Seconds window;  ///< 0: the moment itself
};

struct SensorModels {
  SensorModel instant, average, samples;  ///< `samples`: kept by the driver
  bool voltage = false;                   ///< the core's voltage can be read
  Seconds counter_period;                 ///< energy counter; 0: none. It sums what the instantaneous sensor sees
  Joules counter_resolution{1e-3};
  Seconds clock_settle{0.05};   ///< from a request to the clock in force
  Seconds control_call{0.015};  ///< one call of a setter
};

/// All constants of a device. Sources are with the presets (src/sim/presets/).
struct VirtualGpuPreset {
  std::string id;    ///< "a100"
  std::string name;  ///< "NVIDIA A100-PCIE-40GB"
  std::string vendor;
  std::string architecture;  ///< "sm_80"
  std::uint32_t compute_units = 0;
  ComputeUnit unit;
  MemorySystem memory;
  ClockList core_clock, memory_clock;
  VoltageCurve voltage;
  EnergyCosts energy;
  ThermalModel thermal;
  PowerLimit power_limit;
  SensorModels sensors;
  Seconds launch_overhead{3e-6};  ///< start and end of a grid; part of its time
};

/// The presets, and one by its id or an alias; null when there is none.
std::span<const VirtualGpuPreset> virtual_gpu_presets();
const VirtualGpuPreset* find_virtual_gpu(std::string_view id);

/// Why a kernel cannot run.
enum class LaunchLimit : std::uint8_t {
  none,
  no_threads,     ///< an empty grid or block
  block_threads,  ///< more threads a block than a unit takes
  registers,      ///< more registers a thread than an instruction can name
  register_file,  ///< one block needs more registers than a unit has
  local_memory,   ///< one block needs more local memory than it may
  compute_units,  ///< more compute units asked for than there are
  clock_range,    ///< a clock outside the device's range
};
/// In words, with the device's limit: "520 registers a thread, at most 255".
std::string describe(LaunchLimit limit, const VirtualGpuPreset& preset, const KernelProfile& profile);

/// How many blocks and warps a compute unit holds at once.
struct Occupancy {
  LaunchLimit limit = LaunchLimit::none;  ///< the kernel cannot run at all
  double blocks = 0.0;                    ///< resident blocks a unit
  double warps_per_block = 0.0;
  double share = 0.0;  ///< of the warps that fit, 0..1
};
Occupancy occupancy(const VirtualGpuPreset& preset, const KernelProfile& profile);

/// Time and power of one of many launches back to back, in thermal equilibrium.
struct ExactResult {
  LaunchLimit limit = LaunchLimit::none;  ///< other than none: nothing below is set
  Seconds time;                           ///< of a launch
  Watts power;
  Joules energy;     ///< of a launch: power x time
  Hertz core_clock;  ///< mean; below the request where the power limit or the temperature holds it down
  bool throttled = false;
  double celsius = 0.0;
  double occupancy = 0.0;
};

/// The truth that measurements on the virtual GPU scatter around. No allocation; about a million a second.
ExactResult evaluate_exact(const VirtualGpuPreset& preset, const KernelProfile& profile,
                           const HardwareConfiguration& hardware = {});

/// Counters of a launch. All zero when the kernel cannot run.
KernelCounters evaluate_counters(const VirtualGpuPreset& preset, const KernelProfile& profile,
                                 const HardwareConfiguration& hardware = {});

}  // namespace wattune
