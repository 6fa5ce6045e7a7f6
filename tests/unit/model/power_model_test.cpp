// The power model on curves whose parameters are known, and its refusals.
#include "wattune/power_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "wattune/random.hpp"

namespace wattune {
namespace {

std::vector<double> clocks(double low, double high, int count) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(low + (high - low) * i / (count - 1));
  return list;
}

PowerCurve curve(VoltageRise rise, double ridge, double b, double c = 0.0) {
  PowerCurve known;
  known.rise = rise;
  known.base = 30.0;
  known.dynamic = 45.0;
  known.ridge = ridge;
  known.b = b;
  known.c = c;
  return known;
}

/// What a device with this curve shows: held at the clock that its limit allows.
std::vector<PowerSample> sampled(const PowerCurve& known, const std::vector<double>& mhz) {
  std::vector<PowerSample> samples;
  for (const double f : mhz) {
    const Hertz reached = known.reachable(megahertz(100.0), megahertz(f));
    samples.push_back({reached, known.power(reached), megahertz(f), {}, {}, {}});
  }
  return samples;
}

double mhz(double hertz) {
  return hertz * 1e-6;
}

TEST(PowerModel, RecoversEveryFormExactly) {
  for (const VoltageRise rise : {VoltageRise::linear, VoltageRise::quadratic, VoltageRise::mixed}) {
    const PowerCurve known = curve(rise, 1.0, rise == VoltageRise::quadratic ? 1.5 : 0.6, 0.8);
    PowerModelOptions options;
    options.form = rise;
    const PowerModel model = fit_power_model(sampled(known, clocks(210, 1410, 12)), options);
    ASSERT_TRUE(model.has_ridge) << model.message;
    EXPECT_NEAR(mhz(model.ridge.value), 1000.0, 0.5) << to_string(rise);
    EXPECT_NEAR(model.fit.base.value, 30.0, 0.01);
    EXPECT_NEAR(model.fit.dynamic.value, 45.0, 0.02);
    EXPECT_NEAR(model.energy_optimal.value, known.energy_optimal(megahertz(210), megahertz(1410)).value(), 1e6);
    EXPECT_LT(model.fit.mean_abs_error, 1e-4);
  }
}

TEST(PowerModel, ChoosesTheFormThatMadeTheSamples) {
  EXPECT_EQ(fit_power_model(sampled(curve(VoltageRise::linear, 1.0, 1.1), clocks(210, 1410, 12))).fit.curve.rise,
            VoltageRise::linear);
  EXPECT_EQ(fit_power_model(sampled(curve(VoltageRise::quadratic, 0.9, 1.5), clocks(210, 1410, 12))).fit.curve.rise,
            VoltageRise::quadratic);
  EXPECT_EQ(fit_power_model(sampled(curve(VoltageRise::mixed, 0.9, 0.5, 2.0), clocks(210, 1410, 12))).fit.curve.rise,
            VoltageRise::mixed);
}

// The same device in other units of clock and power: a range that starts at 1000 MHz, a slow old device, a large one.
TEST(PowerModel, WorksForAnyRangeOfClocks) {
  struct Range {
    double low, high, ridge, scale;
  };
  for (const Range& range : {Range{1000, 1600, 1.25, 1.0}, Range{300, 1000, 0.7, 0.5}, Range{345, 1980, 1.4, 5.0},
                             Range{2000, 5200, 3.9, 0.2}}) {
    PowerCurve known = curve(VoltageRise::quadratic, range.ridge, 2.5 / range.ridge);
    known.base *= range.scale;
    known.dynamic *= range.scale;
    const PowerModel model = fit_power_model(sampled(known, clocks(range.low, range.high, 10)));
    ASSERT_TRUE(model.has_ridge) << model.message;
    const double optimal = known.energy_optimal(megahertz(range.low), megahertz(range.high)).value();
    EXPECT_NEAR(model.ridge.value, range.ridge * 1e9, 0.01 * range.ridge * 1e9) << range.low;
    EXPECT_NEAR(model.energy_optimal.value, optimal, 0.01 * optimal) << range.low;
  }
}

TEST(PowerModel, FitsTheLimitFromThePlateau) {
  PowerCurve known = curve(VoltageRise::linear, 1.0, 1.0);
  known.limit = 95.0;
  const PowerModel model = fit_power_model(sampled(known, clocks(210, 1410, 12)));
  ASSERT_TRUE(model.limit.has_value());
  EXPECT_NEAR(model.limit->value, 95.0, 0.5);
  EXPECT_GE(model.limited_samples, 1U);
  EXPECT_NEAR(mhz(model.ridge.value), 1000.0, 10.0);
  EXPECT_NE(model.message.find("held at 95 W"), std::string::npos) << model.message;
  EXPECT_EQ(in_megahertz(model.highest_requested), 1410.0);
  EXPECT_LT(in_megahertz(model.highest), 1300.0);
}

// Recordings that keep the requested clock alone show the plateau as equal power at the highest clocks.
TEST(PowerModel, FindsThePlateauWithoutMeasuredClocks) {
  PowerCurve known = curve(VoltageRise::linear, 1.0, 1.0);
  known.limit = 90.0;
  std::vector<PowerSample> samples;
  for (const double f : clocks(210, 1410, 25))
    samples.push_back({megahertz(f), known.power(megahertz(f)), {}, {}, {}, {}});
  const PowerModel model = fit_power_model(samples);
  ASSERT_TRUE(model.limit.has_value()) << model.message;
  EXPECT_NEAR(model.limit->value, 90.0, 0.5);
  EXPECT_NEAR(mhz(model.ridge.value), 1000.0, 15.0);
}

TEST(PowerModel, IntervalsCoverTheTruthAboutAsOftenAsTheyClaim) {
  const PowerCurve known = curve(VoltageRise::quadratic, 0.9, 1.5);
  const double optimal = known.energy_optimal(megahertz(210), megahertz(1410)).value();
  int ridge = 0;
  int clock = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    std::vector<PowerSample> samples = sampled(known, clocks(210, 1410, 14));
    for (PowerSample& sample : samples) sample.power = sample.power * (1.0 + 0.01 * random.normal());
    const PowerModel model = fit_power_model(samples);
    ridge += model.ridge.low <= 0.9e9 && model.ridge.high >= 0.9e9 ? 1 : 0;
    clock += model.energy_optimal.low <= optimal && model.energy_optimal.high >= optimal ? 1 : 0;
  }
  // 95 % claimed; the linearised intervals of a kink and the choice of form cost some, covering other forms gains some.
  EXPECT_GE(ridge, 88) << "seeds 1 to 100";
  EXPECT_GE(clock, 88) << "seeds 1 to 100";
}

TEST(PowerModel, VoltageIsFittedWhereItCanBeRead) {
  const PowerCurve known = curve(VoltageRise::quadratic, 1.0, 1.2);
  Random random(3);
  std::vector<PowerSample> samples = sampled(known, clocks(210, 1410, 12));
  for (PowerSample& sample : samples) {
    sample.voltage = Volts(0.72 * known.voltage(sample.clock));
    sample.power = sample.power * (1.0 + 0.02 * random.normal());  // the power alone would leave the ridge open
  }
  const PowerModel model = fit_power_model(samples);
  EXPECT_TRUE(model.voltage_read);
  EXPECT_EQ(model.fit.curve.rise, VoltageRise::quadratic);
  EXPECT_NEAR(mhz(model.ridge.value), 1000.0, 2.0);
  EXPECT_NEAR(model.fit.dynamic.value, 45.0, 2.0);
}

TEST(PowerModel, MemoryClockAndTemperatureAreTermsWhereTheyVary) {
  const PowerCurve known = curve(VoltageRise::quadratic, 1.0, 1.5);
  std::vector<PowerSample> samples = sampled(known, clocks(210, 1410, 24));
  Random random(5);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].memory_clock = megahertz(i % 2 == 0 ? 5000.0 : 6000.0);
    samples[i].temperature = 40.0 + 30.0 * random.uniform();
    samples[i].power += Watts(6.0 * (samples[i].memory_clock->value() * 1e-9 - 5.5));
    samples[i].power += Watts(30.0 * 0.008 * (*samples[i].temperature - 55.0));
  }
  const PowerModel model = fit_power_model(samples);
  ASSERT_TRUE(model.has_ridge) << model.message;
  EXPECT_NEAR(model.fit.curve.memory, 6.0, 0.05);
  EXPECT_NEAR(model.fit.curve.leakage, 0.008, 0.0005);
  EXPECT_NEAR(mhz(model.ridge.value), 1000.0, 5.0);
  // Without the terms their effect would be noise.
  for (PowerSample& sample : samples) sample.memory_clock.reset(), sample.temperature.reset();
  EXPECT_GT(fit_power_model(samples).fit.mean_abs_error, 10.0 * model.fit.mean_abs_error);
}

TEST(PowerModel, RefusesInAPlainSentence) {
  const PowerCurve known = curve(VoltageRise::quadratic, 1.0, 1.5);
  const auto message = [](const std::vector<PowerSample>& samples) {
    const PowerModel model = fit_power_model(samples);
    EXPECT_FALSE(model.has_ridge);
    return model.message;
  };
  EXPECT_NE(message({}).find("0 different clocks cannot tell"), std::string::npos);
  EXPECT_NE(message(sampled(known, clocks(210, 1410, 4))).find("4 different clocks cannot tell"), std::string::npos);
  std::vector<PowerSample> repeated = sampled(known, clocks(600, 700, 2));
  repeated.insert(repeated.end(), 10, repeated.front());
  EXPECT_NE(message(repeated).find("2 different clocks"), std::string::npos);
  EXPECT_NE(message(sampled(known, clocks(1000, 1100, 8))).find("too close together"), std::string::npos);
  std::vector<PowerSample> flat;
  for (const double f : clocks(210, 1410, 9)) flat.push_back({megahertz(f), Watts(88.0 + 0.001 * f), {}, {}, {}, {}});
  EXPECT_NE(message(flat).find("bound by memory"), std::string::npos);
  std::vector<PowerSample> broken = sampled(known, clocks(210, 1410, 8));
  broken[3].power = Watts(std::nan(""));
  EXPECT_NE(message(broken).find("no positive clock or power"), std::string::npos);
}

TEST(PowerModel, AStraightLineHasNoRidge) {
  const PowerModel model = fit_power_model(sampled(curve(VoltageRise::none, 0.0, 0.0), clocks(210, 1410, 9)));
  EXPECT_TRUE(model.fitted);
  EXPECT_FALSE(model.has_ridge);
  EXPECT_NE(model.message.find("no ridge lies in this range"), std::string::npos) << model.message;
  EXPECT_NEAR(mhz(model.energy_optimal.value), 1410.0, 1.0);
  EXPECT_EQ(model.fit.curve.rise, VoltageRise::none);
}

TEST(PowerModel, ARidgeBelowTheRangeIsSaid) {
  const PowerModel model = fit_power_model(sampled(curve(VoltageRise::linear, 0.3, 1.2), clocks(500, 1410, 12)));
  EXPECT_FALSE(model.has_ridge);
  EXPECT_NE(model.message.find("at or below 500 MHz"), std::string::npos) << model.message;
}

// Where P/f is least in closed form: with linear rise, d/df (P_0/f + a (1 + b x)^2) = 0 right of the ridge.
TEST(PowerCurve, EnergyOptimalClockSolvesItsEquation) {
  const PowerCurve known = curve(VoltageRise::linear, 0.6, 0.5);
  const double f = known.energy_optimal(megahertz(210), megahertz(1410)).value() * 1e-9;
  EXPECT_GT(f, 0.6);
  EXPECT_NEAR(-known.base / (f * f) + 2.0 * known.dynamic * known.b * (1.0 + known.b * (f - 0.6)), 0.0, 1e-4);
}

TEST(PowerCurve, TheLimitBoundsWhatIsReached) {
  PowerCurve known = curve(VoltageRise::none, 0.0, 0.0);
  known.limit = 75.0;  // 30 + 45 f
  EXPECT_NEAR(known.reachable(megahertz(210), megahertz(1410)).value(), 1e9, 2.0);
  EXPECT_EQ(known.power(megahertz(1410)).value(), 75.0);
  EXPECT_GT(known.unlimited(megahertz(1410)).value(), 75.0);
  EXPECT_NEAR(known.energy_optimal(megahertz(210), megahertz(1410)).value(), 1e9, 20.0);
}

TEST(VoltageRise, NamesReadBack) {
  EXPECT_EQ(voltage_rise_from("mixed"), VoltageRise::mixed);
  EXPECT_EQ(voltage_rise_from("cubic"), std::nullopt);
}

}  // namespace
}  // namespace wattune
