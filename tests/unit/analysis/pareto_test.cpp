// Fronts against brute force, the knee and the choices by intent on sets small enough to see through.
#include "wattune/pareto.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "wattune/error.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

std::vector<std::size_t> by_brute_force(const std::vector<double>& values, std::size_t metrics) {
  const std::size_t rows = values.size() / metrics;
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < rows; ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < rows && !dominated; ++j) {
      bool nowhere_worse = true;
      bool somewhere_better = false;
      for (std::size_t m = 0; m < metrics; ++m) {
        nowhere_worse = nowhere_worse && values[j * metrics + m] <= values[i * metrics + m];
        somewhere_better = somewhere_better || values[j * metrics + m] < values[i * metrics + m];
      }
      dominated = nowhere_worse && somewhere_better;
    }
    if (!dominated) front.push_back(i);
  }
  return front;
}

// Values from short lists, so that ties and repeats abound; and from long ones, so that fronts are long.
TEST(Pareto, ExactAndIncrementalAgreeWithBruteForce) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    for (const std::size_t metrics : {1U, 2U, 3U, 4U}) {
      const std::uint64_t levels = seed % 2 == 0 ? 6 : 100000;
      std::vector<double> values(metrics * 120);
      for (double& value : values) value = static_cast<double>(random.below(levels));
      std::vector<std::size_t> expected = by_brute_force(values, metrics);
      std::vector<std::size_t> exact = pareto_front(values, metrics);
      ParetoFront incremental(metrics);
      for (std::size_t i = 0; i < 120; ++i) incremental.insert(i, std::span(values).subspan(i * metrics, metrics));
      EXPECT_EQ(incremental.ids(), exact) << "seed " << seed << ", metrics " << metrics;
      EXPECT_TRUE(std::is_sorted(exact.begin(), exact.end(), [&](std::size_t a, std::size_t b) {
        return values[a * metrics] < values[b * metrics];
      }));
      std::sort(exact.begin(), exact.end());
      EXPECT_EQ(exact, expected) << "seed " << seed << ", metrics " << metrics;
    }
  }
}

TEST(Pareto, EqualRowsAreAllKeptAndMissingValuesAreNot) {
  const std::vector<double> values = {1, 5, 2, 2, 1, 5, 3, 3, std::nan(""), 0};
  EXPECT_EQ(pareto_front(values, 2), (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_TRUE(pareto_front({}, 2).empty());
  ParetoFront front(2);
  EXPECT_FALSE(front.insert(0, std::vector{1.0, std::nan("")}));
  EXPECT_TRUE(front.insert(1, std::vector{1.0, 2.0}));
  EXPECT_TRUE(front.dominated(std::vector{1.0, 3.0}));
  EXPECT_FALSE(front.dominated(std::vector{1.0, 2.0}));
}

TEST(Pareto, KneeIsFarthestFromTheChord) {
  EXPECT_EQ(knee_point(std::vector<double>{0, 10, 1, 3, 4, 2, 10, 0}, 2), 1U);
  EXPECT_EQ(knee_point(std::vector<double>{0, 10, 5, 5, 10, 0}, 2), std::nullopt);  // straight
  EXPECT_EQ(knee_point(std::vector<double>{0, 10, 9, 9, 10, 0}, 2), std::nullopt);  // bulging
  EXPECT_EQ(knee_point(std::vector<double>{0, 10, 10, 0}, 2), std::nullopt);
  EXPECT_EQ(knee_point(std::vector<double>{0, 9, 9, 9, 0, 9, 9, 9, 0, 2, 2, 2}, 3), 3U);
}

// Time and energy of five clocks; power 100, 60, 50, 46.7, 47.5 W.
const std::vector<TimeAndEnergy> clocks = {{1.0, 100.0}, {1.2, 72.0}, {1.3, 65.0}, {1.5, 70.0}, {2.0, 95.0}};

TEST(Intent, ChoosesWhatIsMeant) {
  const auto chosen = [](const char* intent) { return choose(clocks, intent_from(intent)); };
  EXPECT_EQ(chosen("time"), 0U);
  EXPECT_EQ(chosen("energy"), 2U);
  EXPECT_EQ(chosen("edp"), 2U);   // 100, 86.4, 84.5
  EXPECT_EQ(chosen("ed2p"), 0U);  // 100, 103.7, 109.9
  EXPECT_EQ(chosen("energy-within:20%"), 1U);
  EXPECT_EQ(chosen("energy-within:5%"), 0U);
  EXPECT_EQ(chosen("time-under:60W"), 1U);
  EXPECT_EQ(chosen("time-under:48 W"), 3U);
  EXPECT_EQ(chosen("time-under:10W"), std::nullopt);
  EXPECT_EQ(chosen("ES_50"), 1U);  // half of 35 J
  EXPECT_EQ(chosen("es_81"), 2U);  // 28.35 J; 28 J are too few
  EXPECT_EQ(chosen("ES_100"), 2U);
  EXPECT_EQ(chosen("ES_0"), 0U);
  EXPECT_EQ(chosen("PL_17"), 1U);  // 1/1.2 = 83.3 %
  EXPECT_EQ(chosen("pl_16%"), 0U);
  EXPECT_EQ(chosen("PL_25"), 2U);
  EXPECT_EQ(choose({}, intent_from("energy")), std::nullopt);
}

TEST(Intent, TiesGoToTheFaster) {
  EXPECT_EQ(choose(std::vector<TimeAndEnergy>{{2.0, 5.0}, {1.0, 5.0}, {1.0, 5.0}}, intent_from("energy")), 1U);
}

TEST(Intent, ReadsBackAndRefuses) {
  for (const char* text : {"time", "energy", "edp", "ed2p", "energy-within:5%", "time-under:200W", "ES_50", "PL_2.5"})
    EXPECT_EQ(to_string(intent_from(text)), text);
  for (const char* text :
       {"", "power", "energy-within:", "energy-within:5W", "time-under:-3W", "ES_101", "PL_x", "ES_50%%"})
    EXPECT_THROW(intent_from(text), Error) << text;
}

}  // namespace
}  // namespace wattune
