#include "device/nvml/power_traits.hpp"

namespace wattune::device::nvml {
namespace {

struct Window {
  Seconds period, window;
  double duty;
};

/// The sampling of instantaneous power.
Window instant_window(const Gpu& gpu) {
  if (gpu.is_ga100() || gpu.architecture == architecture_hopper) return {milliseconds(100), milliseconds(25), 0.25};
  if (gpu.architecture == architecture_volta) return {milliseconds(20), milliseconds(10), 0.5};
  if (gpu.architecture == architecture_turing || gpu.architecture == architecture_ampere ||
      gpu.architecture == 8)  // Ada
    return {milliseconds(100), milliseconds(100), 1.0};
  return {Seconds(0.0), Seconds(0.0), 1.0};
}

}  // namespace

bool plain_power_is_average(const Gpu& gpu) {
  return gpu.architecture >= architecture_ampere && !gpu.is_ga100();
}

SensorTraits power_traits(const Gpu& gpu, std::string_view sensor) {
  const Window instant = instant_window(gpu);
  SensorTraits traits;
  if (sensor == "power_instant") {
    traits.update_period = instant.period;
    traits.averaging_window = instant.window;
    traits.duty = instant.duty;
  } else if (sensor == "power_average") {
    traits.update_period = instant.period;
    traits.averaging_window = Seconds(1.0);
  } else if (sensor == "energy_counter") {
    traits.counter = true;
    traits.update_period = gpu.architecture >= architecture_ampere ? milliseconds(100) : Seconds(0.0);
  } else if (sensor == "power_samples") {
    traits.buffered = true;  // the period comes from the time-stamps themselves
  }
  return traits;
}

}  // namespace wattune::device::nvml
