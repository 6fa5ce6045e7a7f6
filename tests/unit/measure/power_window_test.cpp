// Readings to mean power: closed forms, and coverage of the intervals counted over many seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "wattune/energy.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

TEST(MeanPower, TrapezoidUsesTheDevicesOwnTimeStamps) {
  // 100 W at 0 s, 200 W at 1 s, 200 W at 4 s: 150 J + 600 J over 4 s.
  const Stretch stretch{{Seconds(0.0), 100.0}, {Seconds(1.0), 200.0}, {Seconds(4.0), 200.0}};
  const auto power = mean_power(std::span(&stretch, 1), EnergyMethod::trapezoid);
  ASSERT_TRUE(power);
  EXPECT_DOUBLE_EQ(power->value, 187.5);
}

TEST(MeanPower, StretchesAreJoinedByTheTimeTheyCoverNotByTheGapBetween) {
  const std::vector<Stretch> stretches{{{Seconds(0.0), 100.0}, {Seconds(1.0), 100.0}},
                                       {{Seconds(50.0), 300.0}, {Seconds(53.0), 300.0}}};
  EXPECT_DOUBLE_EQ(mean_power(stretches, EnergyMethod::trapezoid)->value, 250.0);
}

TEST(MeanPower, MedianIsUntouchedByOneWildReading) {
  Stretch stretch;
  for (int i = 0; i < 9; ++i) stretch.push_back({Seconds(0.1 * i), i == 4 ? 9000.0 : 250.0});
  EXPECT_DOUBLE_EQ(mean_power(std::span(&stretch, 1), EnergyMethod::median_power)->value, 250.0);
}

TEST(MeanPower, NothingFromOneReading) {
  const Stretch stretch{{Seconds(0.0), 100.0}};
  EXPECT_FALSE(mean_power(std::span(&stretch, 1), EnergyMethod::trapezoid));
  EXPECT_FALSE(mean_power({}, EnergyMethod::trapezoid));
}

/// Share of 500 windows of `count` readings whose 95 % interval holds the true mean; noise is AR(1) with `correlation`.
double coverage(std::size_t count, double correlation) {
  constexpr int windows = 500;
  int covered = 0;
  Random random(1);
  for (int window = 0; window < windows; ++window) {
    Stretch stretch;
    double noise = random.normal();
    for (std::size_t i = 0; i < count; ++i) {
      stretch.push_back({Seconds(0.02 * static_cast<double>(i)), 300.0 + 5.0 * noise});
      noise = correlation * noise + std::sqrt(1.0 - correlation * correlation) * random.normal();
    }
    const Interval power = *mean_power(std::span(&stretch, 1), EnergyMethod::trapezoid);
    if (power.low <= 300.0 && power.high >= 300.0) ++covered;
  }
  return static_cast<double>(covered) / windows;
}

TEST(MeanPower, IntervalsCoverWhatTheyPromise) {
  // Binomial spread of 500 windows at 95 % is 1 %. The ends of a trapezoid weigh half, hence a little less than 95 %.
  EXPECT_NEAR(coverage(12, 0.0), 0.95, 0.035);
  EXPECT_NEAR(coverage(60, 0.0), 0.95, 0.03);
  // Neighbouring readings of an averaging sensor agree: uncorrected, such an interval would hold the truth in about 60
  // %.
  EXPECT_GE(coverage(60, 0.7), 0.88);
}

TEST(CounterPower, CountsBetweenItsStepsOnly) {
  // Polled every 20 ms, a step of 30 J every 100 ms: 300 W however the window's ends fall between steps.
  Stretch stretch;
  for (int i = 3; i < 58; ++i) stretch.push_back({Seconds(0.02 * i), 30.0 * std::floor(0.02 * i / 0.1 + 1e-9)});
  std::size_t backwards = 9;
  const auto power = counter_power(std::span(&stretch, 1), backwards);
  ASSERT_TRUE(power);
  EXPECT_NEAR(power->value, 300.0, 1e-6);
  EXPECT_EQ(backwards, 0U);
}

TEST(CounterPower, AStepBackwardsIsLeftOutAndCounted) {
  Stretch stretch;
  double energy = 1000.0;
  for (int i = 0; i < 10; ++i) {
    stretch.push_back({Seconds(0.1 * i), energy});
    energy = i == 4 ? 10.0 : energy + 25.0;
  }
  std::size_t backwards = 0;
  const auto power = counter_power(std::span(&stretch, 1), backwards);
  ASSERT_TRUE(power);
  EXPECT_NEAR(power->value, 250.0, 1e-6);
  EXPECT_EQ(backwards, 1U);
}

TEST(CounterPower, NothingFromTwoSteps) {
  const Stretch stretch{{Seconds(0.0), 0.0}, {Seconds(0.1), 30.0}, {Seconds(0.2), 60.0}};
  std::size_t backwards = 0;
  EXPECT_FALSE(counter_power(std::span(&stretch, 1), backwards));
}

TEST(EnergyMethodNames, ComeBack) {
  for (const EnergyMethod method :
       {EnergyMethod::automatic, EnergyMethod::median_power, EnergyMethod::trapezoid, EnergyMethod::counter}) {
    EXPECT_EQ(energy_method_from(to_string(method)), method);
  }
  EXPECT_FALSE(energy_method_from("integral"));
}

}  // namespace
}  // namespace wattune
