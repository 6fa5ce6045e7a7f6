// Energy of a kernel over clocks: closed forms, recovery from few clocks, and how sure a prediction is.
#include "wattune/energy_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "wattune/clock_range.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

PowerCurve device() {
  PowerCurve curve;
  curve.rise = VoltageRise::quadratic;
  curve.base = 30.0;
  curve.dynamic = 45.0;
  curve.ridge = 0.9;
  curve.b = 1.5;
  return curve;
}

/// A kernel of its own: less switching than the compute kernel, a part of its time at the memory's pace.
struct Truth {
  PowerCurve curve = device();
  double fixed = 2e-3, cycles = 6e-3, base = 40.0, dynamic = 30.0;
  [[nodiscard]] KernelSample at(double mhz) const {
    const double f = mhz * 1e-3;
    const double v = curve.voltage(megahertz(mhz));
    return {megahertz(mhz), Seconds(fixed + cycles / f), Watts(base + dynamic * f * v * v)};
  }
};

TEST(EnergyCurve, ComputeBoundKernelHasItsMinimumWhereTheDeviceHas) {
  const std::vector<Hertz> clocks = parse_clocks("210:1410:1");
  const ClockChoice choice = best_clock(EnergyCurve::compute_bound(device()), clocks, 0);
  EXPECT_NEAR(choice.clock.value(), device().energy_optimal(megahertz(210), megahertz(1410)).value(), 1e6);
  EXPECT_NEAR(choice.slowdown_percent, 100.0 * (1410e6 / choice.clock.value() - 1.0), 1e-6);
  EXPECT_GT(choice.saving_percent, 10.0);
}

TEST(EnergyCurve, DelayMovesTheMinimumUp) {
  const EnergyCurve curve = EnergyCurve::compute_bound(device());
  const std::vector<Hertz> clocks = parse_clocks("210:1410:1");
  const ClockChoice energy = best_clock(curve, clocks, 0);
  const ClockChoice edp = best_clock(curve, clocks, 1);
  const ClockChoice ed2p = best_clock(curve, clocks, 2);
  EXPECT_LT(energy.clock, edp.clock);
  EXPECT_LE(edp.clock, ed2p.clock);
  EXPECT_GT(energy.slowdown_percent, edp.slowdown_percent);
  EXPECT_GE(energy.saving_percent, edp.saving_percent);
}

TEST(EnergyCurve, ThreeClocksRecoverAKernelExactly) {
  const Truth truth;
  const std::vector<KernelSample> samples = {truth.at(510), truth.at(960), truth.at(1410)};
  const auto curve = EnergyCurve::fit(samples, device());
  ASSERT_TRUE(curve.has_value());
  for (const double mhz : {300.0, 700.0, 1050.0, 1300.0}) {
    const KernelSample exact = truth.at(mhz);
    EXPECT_NEAR(curve->time(megahertz(mhz)) / exact.time, 1.0, 1e-9);
    EXPECT_NEAR(curve->power(megahertz(mhz)) / exact.power, 1.0, 1e-9);
    EXPECT_NEAR(curve->energy(megahertz(mhz)) / (exact.time * exact.power), 1.0, 1e-9);
  }
  EXPECT_NEAR(curve->fixed_share(megahertz(1000)), 0.25, 1e-9);
}

TEST(EnergyCurve, NegativePartsAreZero) {
  // Faster than 1/f and power that falls with the clock: no kernel does that, noise may.
  const std::vector<KernelSample> samples = {{megahertz(500), Seconds(3.0), Watts(60.0)},
                                             {megahertz(1000), Seconds(1.4), Watts(59.0)}};
  const auto curve = EnergyCurve::fit(samples, device());
  ASSERT_TRUE(curve.has_value());
  EXPECT_EQ(curve->fixed_share(megahertz(700)), 0.0);
  EXPECT_NEAR(curve->power(megahertz(500)).value(), curve->power(megahertz(1000)).value(), 1e-9);
}

TEST(EnergyCurve, OneClockIsTooFew) {
  const Truth truth;
  EXPECT_FALSE(EnergyCurve::fit(std::vector{truth.at(900)}, device()).has_value());
  EXPECT_FALSE(EnergyCurve::fit(std::vector{truth.at(900), truth.at(900)}, device()).has_value());
  EXPECT_FALSE(EnergyCurve::fit({}, device()).has_value());
}

TEST(EnergyCurve, StatedErrorIsTheErrorMade) {
  const Truth truth;
  double squares = 0.0;
  double stated = 0.0;
  constexpr int draws = 400;
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    Random random(seed);
    std::vector<KernelSample> samples;
    for (const double mhz : {510.0, 810.0, 1110.0, 1410.0}) {
      KernelSample sample = truth.at(mhz);
      sample.time = sample.time * (1.0 + 0.01 * random.normal());
      sample.power = sample.power * (1.0 + 0.02 * random.normal());
      samples.push_back(sample);
    }
    const auto curve = EnergyCurve::fit(samples, device());
    const KernelSample exact = truth.at(960);
    squares += std::pow(curve->energy(megahertz(960)) / (exact.time * exact.power) - 1.0, 2);
    stated += curve->energy_error(megahertz(960));
  }
  EXPECT_NEAR(stated / draws / std::sqrt(squares / draws), 1.0, 0.15) << "seeds 1 to 400";
}

TEST(EnergyCurve, PredictionsFarFromTheSamplesAreLessSure) {
  const Truth truth;
  const auto curve = EnergyCurve::fit(std::vector{truth.at(900), truth.at(1000), truth.at(1100)}, device());
  EXPECT_GT(curve->energy_error(megahertz(300)), 3.0 * curve->energy_error(megahertz(1000)));
}

}  // namespace
}  // namespace wattune
