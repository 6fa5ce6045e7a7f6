// The closed form of random search, against all subsets written out and against draws.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "wattune/random.hpp"
#include "wattune/strategy_study.hpp"

namespace wattune {
namespace {

/// Mean of the best over every subset of n.
double over_all_subsets(const std::vector<double>& fractions, int n) {
  double sum = 0.0;
  double count = 0.0;
  for (std::uint32_t subset = 0; subset < (1U << fractions.size()); ++subset) {
    if (std::popcount(subset) != n) continue;
    double best = 0.0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      if ((subset >> i & 1U) != 0) best = std::max(best, fractions[i]);
    }
    sum += best;
    count += 1.0;
  }
  return sum / count;
}

TEST(ExpectedRandomCurve, IsTheMeanOverAllSubsets) {
  const std::vector<double> fractions = {0.3, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0, 0.91, 0.2, 0.0};
  const std::vector<double> curve = expected_random_curve(fractions, 12);
  ASSERT_EQ(curve.size(), 12U);
  for (int n = 1; n <= 10; ++n)
    EXPECT_NEAR(curve[static_cast<std::size_t>(n) - 1], over_all_subsets(fractions, n), 1e-14) << n;
  EXPECT_EQ(curve[10], 1.0) << "draws beyond the space";
  EXPECT_EQ(curve[11], 1.0);
}

TEST(ExpectedRandomCurve, IsHalfwayForUniformFractions) {
  // Fractions 1/N … N/N: the expected maximum of n draws without replacement is n (N + 1) / (n + 1) / N (German tank).
  std::vector<double> fractions(100);
  for (std::size_t i = 0; i < fractions.size(); ++i) fractions[i] = static_cast<double>(i + 1) / 100.0;
  const std::vector<double> curve = expected_random_curve(fractions, 100);
  for (std::size_t n = 1; n <= 100; ++n)
    EXPECT_NEAR(curve[n - 1], static_cast<double>(n * 101) / static_cast<double>(n + 1) / 100.0, 1e-12);
}

TEST(ExpectedRandomCurve, IsZeroWhereEverythingFails) {
  for (const double fraction : expected_random_curve({0.0, 0.0, 0.0}, 5)) EXPECT_EQ(fraction, 0.0);
}

}  // namespace
}  // namespace wattune
