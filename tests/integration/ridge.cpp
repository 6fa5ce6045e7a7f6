// The power model on published samples of two GPUs: clocks, limit, error of the curve and reduction of the space as
// found by hand and in the literature (Schoonhoven et al. 2022, section V-D). Skipped without the data.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "wattune/clock_range.hpp"
#include "wattune/formats.hpp"
#include "wattune/power_model.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

const std::string a100 = "synthetic_fp32_NVIDIA_A100-PCIE-40GB.json";
const std::string a4000 = "synthetic_fp32_NVIDIA_RTX_A4000.json";

std::vector<PowerSample> samples_of(const std::string& file) {
  const std::string path = WATTUNE_SOURCE_DIR "/../shared/data/power_frequency/" + file;
  if (!std::filesystem::exists(path)) return {};
  return power_samples(import_recording(path));
}

double mhz(double hertz) {
  return hertz * 1e-6;
}

TEST(Ridge, A100) {
  const auto samples = samples_of(a100);
  if (samples.empty()) GTEST_SKIP() << "skipped: no data";
  const PowerModel model = fit_power_model(samples);
  ASSERT_TRUE(model.has_ridge) << model.message;
  EXPECT_NEAR(mhz(model.energy_optimal.value), 1005.0, 0.04 * 1005.0);
  EXPECT_LE(mhz(model.ridge.low), 1015.0);
  EXPECT_GE(mhz(model.ridge.high), 1015.0);
  EXPECT_LE(mhz(model.ridge.high - model.ridge.low), 260.0);
  EXPECT_LE(model.fit.mean_abs_error, 0.5);
  EXPECT_FALSE(model.limit.has_value());
  EXPECT_EQ(model.fit.curve.rise, VoltageRise::quadratic);
  std::cout << model.message << '\n';
}

TEST(Ridge, A4000) {
  const auto samples = samples_of(a4000);
  if (samples.empty()) GTEST_SKIP() << "skipped: no data";
  const PowerModel model = fit_power_model(samples);
  ASSERT_TRUE(model.has_ridge) << model.message;
  EXPECT_NEAR(mhz(model.energy_optimal.value), 1335.0, 0.04 * 1335.0);
  EXPECT_NEAR(mhz(model.ridge.value), 1350.0, 0.05 * 1350.0);
  EXPECT_LE(model.ridge.low, model.ridge.value);
  EXPECT_GE(model.ridge.high, model.ridge.value);
  ASSERT_TRUE(model.limit.has_value());
  EXPECT_GE(model.limit->value, 138.0);
  EXPECT_LE(model.limit->value, 141.0);
  EXPECT_EQ(model.limited_samples, 2U);
  EXPECT_NEAR(in_megahertz(model.highest), 1745.0, 15.0);
  EXPECT_EQ(in_megahertz(model.highest_requested), 2100.0);
  EXPECT_LE(model.fit.mean_abs_error, 0.6);
  std::cout << model.message << '\n';
}

// Each form alone, as worked out beside the project with another solver.
TEST(Ridge, EveryFormFindsTheKnownMinimum) {
  struct Expected {
    std::string file;
    VoltageRise form;
    double ridge, optimal, error;
  };
  const Expected table[] = {
      {a100, VoltageRise::linear, 1073, 1073, 0.70},     {a100, VoltageRise::quadratic, 892, 1011, 0.46},
      {a100, VoltageRise::mixed, 969, 994, 0.40},        {a4000, VoltageRise::linear, 1365, 1365, 0.54},
      {a4000, VoltageRise::quadratic, 1184, 1297, 0.87}, {a4000, VoltageRise::mixed, 1326, 1326, 0.49},
  };
  for (const Expected& expected : table) {
    const auto samples = samples_of(expected.file);
    if (samples.empty()) GTEST_SKIP() << "skipped: no data";
    PowerModelOptions options;
    options.form = expected.form;
    const PowerModel model = fit_power_model(samples, options);
    EXPECT_NEAR(mhz(model.fit.ridge.value), expected.ridge, 2.0) << expected.file << to_string(expected.form);
    EXPECT_NEAR(mhz(model.energy_optimal.value), expected.optimal, 2.0) << expected.file << to_string(expected.form);
    EXPECT_NEAR(model.fit.mean_abs_error, expected.error, 0.01) << expected.file << to_string(expected.form);
  }
}

// 3 % noise on power: the clock to act on stays within 7 % of the published one in at least 90 of 100 draws.
TEST(Ridge, EnergyOptimalClockStandsNoise) {
  for (const auto& [file, clock] : {std::pair(a100, 1005.0), std::pair(a4000, 1335.0)}) {
    const auto samples = samples_of(file);
    if (samples.empty()) GTEST_SKIP() << "skipped: no data";
    int within = 0;
    int ridges = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      Random random(seed);
      std::vector<PowerSample> noisy = samples;
      for (PowerSample& sample : noisy) sample.power = sample.power * (1.0 + 0.03 * random.normal());
      const PowerModel model = fit_power_model(noisy);
      within += std::abs(mhz(model.energy_optimal.value) / clock - 1.0) <= 0.07 ? 1 : 0;
      ridges += model.has_ridge ? 1 : 0;
    }
    EXPECT_GE(within, 90) << file;
    EXPECT_GE(ridges, 95) << file;
    std::cout << file << ": " << within << " of 100 within 7 %, seeds 1 to 100\n";
  }
}

TEST(Ridge, OrderOfSamplesDoesNotMatter) {
  const auto samples = samples_of(a100);
  if (samples.empty()) GTEST_SKIP() << "skipped: no data";
  const PowerModel model = fit_power_model(samples);
  std::vector<PowerSample> shuffled = samples;
  Random random(7);
  random.shuffle(std::span<PowerSample>(shuffled));
  EXPECT_EQ(fit_power_model(shuffled).energy_optimal.value, model.energy_optimal.value);
  EXPECT_EQ(fit_power_model(shuffled).message, model.message);
}

// A part of the range: the optimum where it lies inside, and a plain word where the ridge does not.
TEST(Ridge, NarrowerRangesOfClocks) {
  const auto samples = samples_of(a4000);
  if (samples.empty()) GTEST_SKIP() << "skipped: no data";
  std::vector<PowerSample> low;
  for (const PowerSample& sample : samples) {
    if (sample.clock < megahertz(1200.0)) low.push_back(sample);
  }
  const PowerModel below = fit_power_model(low);
  EXPECT_FALSE(below.has_ridge);
  EXPECT_NE(below.message.find("no ridge lies in this range"), std::string::npos) << below.message;
  const std::vector<PowerSample> four(samples.begin(), samples.begin() + 4);
  EXPECT_NE(fit_power_model(four).message.find("4 different clocks cannot tell"), std::string::npos);
}

TEST(Ridge, ReductionOfTheSpaceKeepsTheOptimum) {
  struct Expected {
    std::string file, supported;
    std::size_t all, least, most;
    double reduction, measured_best;
  };
  // The clock with the least energy among the samples themselves must stay in the range.
  const Expected table[] = {{a100, "210:1410:15", 81, 13, 13, 84.0, 1005.0},
                            {a4000, "210:2100:15", 127, 17, 17, 86.0, 1335.0}};
  for (const Expected& expected : table) {
    const auto samples = samples_of(expected.file);
    if (samples.empty()) GTEST_SKIP() << "skipped: no data";
    const std::vector<Hertz> supported = parse_clocks(expected.supported);
    ASSERT_EQ(supported.size(), expected.all);
    const PowerModel model = fit_power_model(samples);
    const std::vector<Hertz> kept =
        clocks_around(nearest_clock(Hertz(model.energy_optimal.value), supported), supported, 10.0);
    EXPECT_GE(kept.size(), expected.least);
    EXPECT_LE(kept.size(), expected.most);
    EXPECT_NEAR(100.0 * (1.0 - static_cast<double>(kept.size()) / static_cast<double>(supported.size())),
                expected.reduction, 1.0);
    EXPECT_LE(in_megahertz(kept.front()), expected.measured_best);
    EXPECT_GE(in_megahertz(kept.back()), expected.measured_best);
    std::cout << in_megahertz(kept.front()) << ".." << in_megahertz(kept.back()) << ": " << kept.size() << '\n';
  }
}

}  // namespace
}  // namespace wattune
