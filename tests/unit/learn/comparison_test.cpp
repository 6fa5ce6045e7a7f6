// Welch's test against a published example, and what picking the best of many does to it.
#include "wattune/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "wattune/random.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

// Sleep of ten patients under two drugs (Student 1908; Cushny and Peebles 1905), as samples of two groups: R's
// t.test(extra ~ group, data = sleep) gives t = -1.8608, df = 17.776, p-value = 0.07939.
TEST(Comparison, WelchOnStudentsSleepData) {
  const std::vector<double> second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const std::vector<double> first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  const MeanDifference difference = compare_means(second, first);
  EXPECT_NEAR(difference.probability, 0.07939, 5e-6);
  EXPECT_FALSE(difference.established);
  EXPECT_NEAR(difference.percent, 100.0 * (2.33 / 0.75 - 1.0), 1e-9);
  // R: 95 percent confidence interval of the difference -0.2054832 to 3.3654832.
  EXPECT_NEAR(difference.low_percent, 100.0 * -0.2054832 / 0.75, 1e-4);
  EXPECT_NEAR(difference.high_percent, 100.0 * 3.3654832 / 0.75, 1e-4);
}

TEST(Comparison, SelectionMultipliesTheProbability) {
  const std::vector<double> low = {9.9, 10.0, 10.1, 10.0, 9.95};
  const std::vector<double> high = {10.4, 10.5, 10.6, 10.5, 10.45};
  const MeanDifference once = compare_means(low, high);
  const MeanDifference picked = compare_means(low, high, 1000);
  EXPECT_TRUE(once.established);
  EXPECT_NEAR(picked.probability, 1000.0 * once.probability, 1e-9);
  EXPECT_LT(picked.low_percent, once.low_percent);
  EXPECT_GT(picked.high_percent, once.high_percent);
}

// 200 candidates that are all the same: the luckiest looks better than the reference, and is rarely called so.
TEST(Comparison, TheLuckiestOfManyEqualOnesIsNotEstablished) {
  int naive = 0;
  int careful = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const auto draw = [&] {
      std::vector<double> samples(32);
      for (double& sample : samples) sample = 10.0 + random.normal();
      return samples;
    };
    const std::vector<double> reference = draw();
    std::vector<double> best = draw();
    for (int i = 1; i < 200; ++i) {
      const std::vector<double> other = draw();
      if (mean(other) < mean(best)) best = other;
    }
    naive += compare_means(best, reference).established ? 1 : 0;
    careful += compare_means(best, reference, 200).established ? 1 : 0;
  }
  EXPECT_GE(naive, 40) << "seeds 1 to 100";
  EXPECT_LE(careful, 8) << "seeds 1 to 100";
}

TEST(Comparison, TooFewOrExactSamples) {
  EXPECT_FALSE(compare_means(std::vector{1.0}, std::vector{2.0, 2.1}).established);
  EXPECT_NEAR(compare_means(std::vector{1.0}, std::vector{2.0, 2.0}).percent, -50.0, 1e-12);
  EXPECT_FALSE(compare_means({}, std::vector{2.0, 2.1}).established);
  EXPECT_TRUE(compare_means(std::vector{1.0, 1.0}, std::vector{2.0, 2.0}).established);
  EXPECT_FALSE(compare_means(std::vector{2.0, 2.0}, std::vector{2.0, 2.0}).established);
}

}  // namespace
}  // namespace wattune
