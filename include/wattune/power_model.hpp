// Power of a device over its core clock: P(f) = min(P_max, P_0 + a f V(f)^2), where the relative voltage V is 1 up to
// the ridge and rises above it (Price et al. 2016; Schoonhoven et al. 2022, section V-D). Fitted to samples of a steady
// compute-bound kernel; says where the ridge is, which clock takes the least energy for each operation, and how sure
// both are. Room `model`. Refuses in a plain sentence, not with an Error, what the samples cannot carry: too few
// clocks, no rise, power that hardly depends on the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/recorded_space.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// How the relative voltage rises above the ridge, with x = f - ridge in GHz.
enum class VoltageRise : std::uint8_t {
  none,       ///< it does not: power is a straight line
  linear,     ///< 1 + b x
  quadratic,  ///< 1 + b x^2
  mixed,      ///< 1 + b x + c x^2
};
std::string_view to_string(VoltageRise rise);
std::optional<VoltageRise> voltage_rise_from(std::string_view name);

/// One steady state of the device under load.
struct PowerSample {
  Hertz clock;                        ///< core clock as measured under load
  Watts power;                        ///< mean over the sampling window
  std::optional<Hertz> requested;     ///< clock that was asked for; a device at its power limit stays below it
  std::optional<Hertz> memory_clock;  ///< gives a term of its own where it varies
  std::optional<double> temperature;  ///< °C; gives a leakage term where it varies and helps
  std::optional<Volts> voltage;       ///< core voltage, where it can be read: then V is fitted to it
};

/// The curve itself. Clocks in GHz inside, hertz at the seams.
struct PowerCurve {
  VoltageRise rise = VoltageRise::none;
  double base = 0.0;                   ///< P_0, W: what does not depend on the core clock
  double dynamic = 0.0;                ///< a, W per GHz at V = 1
  double ridge = 0.0;                  ///< GHz; meaningless without rise
  double b = 0.0;                      ///< per GHz (linear, mixed) or per GHz^2 (quadratic)
  double c = 0.0;                      ///< per GHz^2, mixed alone
  std::optional<double> limit;         ///< P_max, W
  double memory = 0.0;                 ///< W per GHz of memory clock beside the reference
  double leakage = 0.0;                ///< share of P_0 per kelvin beside the reference
  double reference_memory = 0.0;       ///< GHz, mean of the samples
  double reference_temperature = 0.0;  ///< °C, mean of the samples

  /// V(f), relative to the voltage below the ridge.
  [[nodiscard]] double voltage(Hertz clock) const;
  /// At reference memory clock and temperature, without and with the limit.
  [[nodiscard]] Watts unlimited(Hertz clock) const;
  [[nodiscard]] Watts power(Hertz clock) const;
  [[nodiscard]] Watts power(const PowerSample& sample) const;
  /// argmin P(f) / f in [low, high]: the least energy of a kernel whose time is proportional to 1/f.
  [[nodiscard]] Hertz energy_optimal(Hertz low, Hertz high) const;
  /// The highest clock in [low, high] whose power does not exceed the limit.
  [[nodiscard]] Hertz reachable(Hertz low, Hertz high) const;
};

/// The best curve of one form.
struct PowerFit {
  PowerCurve curve;
  double aicc = 0.0;              ///< Akaike's criterion for small samples (Hurvich and Tsai 1989); lower is better
  double mean_abs_error = 0.0;    ///< of power, per cent
  double sum_of_squares = 0.0;    ///< of relative residuals
  Interval base, dynamic, b, c;   ///< parameters with 95 % intervals from their errors, units as in PowerCurve
  std::optional<Interval> limit;  ///< W
  Interval ridge;                 ///< Hz; all 0 without rise
  Interval energy_optimal;        ///< Hz
  bool plausible = false;         ///< describes the samples about as well as the best form
};

struct PowerModelOptions {
  /// Take this form whatever AICc says. `linear` is the document's own.
  std::optional<VoltageRise> form;
  /// By how much AICc must speak for another form than `quadratic`, in which voltage is seen to rise (Schoonhoven et
  /// al. 2022, figure 8). 6 is strong evidence (Kass and Raftery 1995); 0 takes the lowest.
  double evidence = 6.0;
  /// Forms with at most this mean error, in per cent, are plausible (as are those within twice the best one's): power
  /// sensors do not tell more apart.
  double plausible_error = 1.0;
};

/// What the samples say about a device.
struct PowerModel {
  bool fitted = false;          ///< there is a curve; false: only `message` means anything
  bool has_ridge = false;       ///< the voltage rises above a clock within the sampled range
  std::string message;          ///< what was found or why not, in a sentence
  PowerFit fit;                 ///< the chosen form
  std::vector<PowerFit> forms;  ///< every form that the samples can carry, chosen one included
  /// Hz. Value: mean over the forms by Akaike weight (Burnham and Anderson 2002, section 4.3) or, with a form asked for
  /// or readable voltage, that one's; bounds cover every plausible form's own interval.
  Interval ridge;
  Interval energy_optimal;          ///< Hz: the chosen form's clock; bounds cover the plausible forms
  std::optional<Interval> limit;    ///< W: P_max, where samples lie on the plateau
  bool voltage_read = false;        ///< V was fitted to readings of the voltage
  Hertz lowest, highest;            ///< range of measured clocks
  Hertz highest_requested;          ///< the highest that was asked for
  std::size_t limited_samples = 0;  ///< samples that did not reach the clock asked for
};

/// Fits the model. Samples may come in any order and repeat clocks.
PowerModel fit_power_model(std::span<const PowerSample> samples, const PowerModelOptions& options = {});

/// Samples in a recording over clocks: one a correct entry. Clock: a recorded quantity that names a measured clock
/// ("core_freq", "core_clock_mhz", "sm_clock", …), else the clock parameter itself. Throws Error(bad_input) when the
/// recording has no clock or no power, or differs in a parameter that is no clock.
std::vector<PowerSample> power_samples(const RecordedSpace& recording);

}  // namespace wattune
