// Energy of a configuration during tuning: when it is worth measuring, and how the measurement enters the outcome.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "wattune/device.hpp"
#include "wattune/energy.hpp"
#include "wattune/outcome.hpp"
#include "wattune/spec.hpp"

namespace wattune::tune {

/// True when an objective, or a metric that the spec computes, reads power or energy.
bool objectives_need_energy(const Spec& spec);
bool metrics_need_energy(const Spec& spec);

/// Measures energy for one run on one device. What it observes, in Outcome::observed: "idle_power_w",
/// "energy_method" (1 median power, 2 trapezoid, 3 counter), "energy_interval_percent", "energy_window_s",
/// "energy_readings", "energy_launches", "energy_difference_percent" (of a second method), "core_clock_mhz",
/// "temperature_before_c", "temperature_after_c", "power_capped" (1: the device stood at its power limit); and, where
/// energy was not worth measuring, "energy_at_least_j".
class EnergyEvaluation {
 public:
  /// Measures idle power. Throws Error(device) when the device lacks the sensors for the method.
  EnergyEvaluation(const Spec& spec, Device& device, Clock& clock, std::uint64_t seed);

  /// Adds power and energy to a correct, timed outcome, or turns its status into what went wrong (runtime, throttled,
  /// sensor_lost). True when the engine's context is lost.
  bool measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
               Outcome& outcome);

  /// Joules of one launch, once more, for a comparison of finalists; nothing when it fails.
  std::optional<Joules> measure_again(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments,
                                      const Geometry& geometry, Seconds launch_time);

  /// The best score of the first objective so far: configurations that would lose at idle power are not measured.
  void set_best(std::optional<double> score) { best_ = score; }
  /// Idle power belongs to the device's settings: measured once for each `key` of them.
  void use_settings(const std::string& key);

  [[nodiscard]] Watts idle_power() const { return idle_; }
  [[nodiscard]] std::string describe() const { return meter_.describe(); }
  /// Warnings of measurements so far, the first of each kind with its number; empty when there were none.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  /// Energy of a launch above which a configuration of this time has lost; nothing before there is a best one.
  [[nodiscard]] std::optional<Joules> lost_above(Seconds time) const;
  [[nodiscard]] double above_idle(double energy, Seconds time) const;
  void observe(const EnergyMeasurement& energy, Outcome& outcome);

  EnergySpec spec_;
  std::string objective_;  ///< the only one, where a bound on energy bounds it; else empty
  EnergyMeter meter_;
  std::map<std::string, Watts> idle_by_settings_;
  Watts idle_;
  std::optional<double> best_;
  std::string warning_;
};

}  // namespace wattune::tune
