// What a virtual GPU is asked to be: how noisy, who may do what, and what goes wrong. Read from the id that users write
// after --device: "virtual:a100?noise=0&seed=3" (docs/virtual-gpu.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wattune/units.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune::sim {

/// What the user of the device may do.
enum class Permission : std::uint8_t {
  all,
  sensors,  ///< read, but not set
  none,     ///< neither read power nor set
};

/// What goes wrong, and when: seconds since the device was opened.
struct Faults {
  std::optional<Seconds> sensors_lost;     ///< power and energy cannot be read any more
  std::optional<Hertz> refused_clock;      ///< this core clock is taken, but the device stays where it is
  std::optional<Joules> counter_wraps_at;  ///< the energy counter begins at 0 again when it reaches this
  std::optional<Seconds> driver_reset;     ///< what runs or comes next fails, settings and the counter fall back
  std::optional<Seconds> unplugged;        ///< nothing answers any more
};

struct VirtualGpuOptions {
  std::uint64_t seed = 0;     ///< of the noise
  double time_noise = 0.01;   ///< standard deviation of the time of a launch, relative
  double power_noise = 0.02;  ///< of one reading of a power sensor
  Permission permission = Permission::all;
  Faults faults;
};

struct NamedVirtualGpu {
  const VirtualGpuPreset* preset = nullptr;
  VirtualGpuOptions options;
};

/// "virtual:".
inline constexpr std::string_view id_prefix = "virtual:";

/// Reads an id with or without "virtual:". Throws Error: no_device for an unknown name, usage for a faulty option.
NamedVirtualGpu parse_id(std::string_view id);

}  // namespace wattune::sim
