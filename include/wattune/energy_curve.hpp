// Energy of one kernel over the core clock, from measurements at a few clocks (three to five are enough): time
// t_0 + n / f, power P_0 + a f V(f)^2 with the device's own voltage curve. Says where energy, energy-delay product and
// energy-delay-squared product are least, what slowdown each costs, and how sure a predicted energy is.
// Room `model`. Refuses (nothing) fewer than two different clocks.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "wattune/power_model.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// A kernel measured at one clock.
struct KernelSample {
  Hertz clock;  ///< as measured
  Seconds time;
  Watts power;
};

/// Standard errors (relative) that single measurements are known to have beforehand; they weigh like `weight` degrees
/// of freedom beside what the few samples themselves show.
struct KernelNoise {
  double time = 0.01;
  double power = 0.02;
  double weight = 4.0;
};

/// Predictions are in the clocks that the device really runs at.
class EnergyCurve {
 public:
  /// A kernel whose time is proportional to 1/f with the power of `device`; energies relative to one giga-cycle.
  static EnergyCurve compute_bound(const PowerCurve& device);
  /// Nothing with fewer than two different clocks.
  static std::optional<EnergyCurve> fit(std::span<const KernelSample> samples, const PowerCurve& device,
                                        const KernelNoise& noise = {});

  [[nodiscard]] Seconds time(Hertz clock) const;
  [[nodiscard]] Watts power(Hertz clock) const;
  [[nodiscard]] Joules energy(Hertz clock) const { return time(clock) * power(clock); }
  /// Standard error of the predicted energy, relative to it.
  [[nodiscard]] double energy_error(Hertz clock) const;
  /// Share of the time at `clock` that does not depend on it: 0 compute-bound, 1 memory-bound.
  [[nodiscard]] double fixed_share(Hertz clock) const;

 private:
  /// A sum of two known functions of the clock with non-negative coefficients, and their relative covariance.
  struct Line {
    double first = 0.0, second = 0.0;
    std::array<double, 3> covariance{};  ///< first, both, second
  };
  [[nodiscard]] static Line fit_line(std::span<const std::array<double, 2>> functions, std::span<const double> values,
                                     double noise, double weight);
  Line time_;   ///< 1 and 1/f, s and s GHz
  Line power_;  ///< 1 and f V^2, W and W/GHz
  PowerCurve device_;
};

/// A clock with what it costs against the fastest one of the same list.
struct ClockChoice {
  Hertz clock;
  Seconds time;
  Watts power;
  Joules energy;
  double slowdown_percent = 0.0;  ///< time against the fastest
  double saving_percent = 0.0;    ///< energy against the fastest
};

/// The clock of `clocks` (not empty) with the least energy x time^`exponent`: 0 energy, 1 energy-delay product, 2
/// energy-delay-squared product. Ties: the higher clock.
ClockChoice best_clock(const EnergyCurve& curve, std::span<const Hertz> clocks, int exponent);

}  // namespace wattune
