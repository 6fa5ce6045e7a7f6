// Statistics against published values: NIST's certified data, tables of quantiles and ranks, closed forms.
#include "wattune/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "wattune/random.hpp"

namespace wattune {
namespace {

/// 1, 2, …, n in a scrambled order, so that an order statistic is its own rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  Random random(n);
  random.shuffle(std::span<double>(values));
  return values;
}

TEST(Statistics, MedianOfOddEvenAndOne) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2.0);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7.0);
  EXPECT_EQ(median(std::vector<double>{5, 5, 5, 1}), 5.0);
}

TEST(Statistics, QuantileIsType7OfHyndmanAndFan) {
  // R: quantile(c(15, 20, 35, 40, 50), c(0.05, 0.3, 0.4, 0.5, 1)), whose default is type 7.
  const std::vector<double> values = {35, 20, 50, 15, 40};
  EXPECT_DOUBLE_EQ(quantile(values, 0.05), 16.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.3), 23.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.4), 29.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 35.0);
  EXPECT_EQ(quantile(values, 0.0), 15.0);
  EXPECT_EQ(quantile(values, 1.0), 50.0);
  EXPECT_DOUBLE_EQ(quantile(ranks(10), 0.9), 9.1);
  EXPECT_DOUBLE_EQ(quantile(ranks(4), 0.25), 1.75);
  EXPECT_EQ(quantile(std::vector<double>{3}, 0.7), 3.0);
}

/// NIST StRD, univariate: first + the repeated pair (first - step, first + step) 500 times; certified mean and
/// deviation.
std::vector<double> alternating(double first, double step) {
  std::vector<double> values{first};
  for (int i = 0; i < 500; ++i) {
    values.push_back(first - step);
    values.push_back(first + step);
  }
  return values;
}

TEST(Statistics, MeanAndDeviationOfNistNumericalAccuracySets) {
  const std::vector<double> acc1 = {10000001, 10000003, 10000002};
  EXPECT_EQ(mean(acc1), 10000002.0);
  EXPECT_EQ(standard_deviation(acc1), 1.0);
  // Tolerances: values are rounded to 1e-16 of themselves and a plain sum of 1001 adds up to a hundred such errors.
  EXPECT_NEAR(mean(alternating(1.2, 0.1)), 1.2, 1e-13);
  EXPECT_NEAR(standard_deviation(alternating(1.2, 0.1)), 0.1, 1e-13);
  EXPECT_NEAR(mean(alternating(1000000.2, 0.1)), 1000000.2, 1e-8);
  EXPECT_NEAR(standard_deviation(alternating(1000000.2, 0.1)), 0.1, 1e-9);
  EXPECT_NEAR(mean(alternating(10000000.2, 0.1)), 10000000.2, 1e-7);
  EXPECT_NEAR(standard_deviation(alternating(10000000.2, 0.1)), 0.1, 1e-8);
}

TEST(Statistics, DeviationOfOneValueIsZero) {
  EXPECT_EQ(standard_deviation(std::vector<double>{5}), 0.0);
  EXPECT_EQ(standard_deviation({}), 0.0);
}

TEST(Statistics, MedianIntervalHasTheRanksOfTheSignTest) {
  // Lower rank for 95 %: one more than the two-sided 5 % critical value of the sign test (any table, e.g. Conover
  // 1999).
  const std::vector<std::size_t> lower = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10};
  for (std::size_t n = 6; n <= 30; ++n) {
    const Bounds bounds = median_interval(ranks(n));
    EXPECT_EQ(bounds.low, static_cast<double>(lower[n - 6])) << "n = " << n;
    EXPECT_EQ(bounds.high, static_cast<double>(n + 1 - lower[n - 6])) << "n = " << n;
    EXPECT_EQ(bounds.value, (static_cast<double>(n) + 1) / 2) << "n = " << n;
  }
}

TEST(Statistics, MedianIntervalOfFewValuesIsTheirRange) {
  for (std::size_t n = 1; n <= 5; ++n) {
    const Bounds bounds = median_interval(ranks(n));
    EXPECT_EQ(bounds.low, 1.0);
    EXPECT_EQ(bounds.high, static_cast<double>(n));
  }
}

TEST(Statistics, MedianIntervalForOtherConfidences) {
  // Two-sided 1 % critical values of the sign test: n = 8: 0, n = 20: 3, n = 30: 7; 10 %: n = 10: 1, n = 20: 5.
  EXPECT_EQ(median_interval(ranks(8), 0.99).low, 1.0);
  EXPECT_EQ(median_interval(ranks(20), 0.99).low, 4.0);
  EXPECT_EQ(median_interval(ranks(30), 0.99).low, 8.0);
  EXPECT_EQ(median_interval(ranks(10), 0.90).low, 2.0);
  EXPECT_EQ(median_interval(ranks(20), 0.90).low, 6.0);
}

TEST(Statistics, MedianIntervalIsTheNormalApproximationForManyValues) {
  for (const std::size_t n : {std::size_t{900}, std::size_t{1070}, std::size_t{1080}, std::size_t{5000}}) {
    const double expected = static_cast<double>(n) / 2 - 1.959964 * std::sqrt(static_cast<double>(n)) / 2;
    EXPECT_NEAR(median_interval(ranks(n)).low, expected, 1.0) << "n = " << n;
    EXPECT_EQ(median_interval(ranks(n)).high, static_cast<double>(n) + 1 - median_interval(ranks(n)).low);
  }
}

TEST(Statistics, MedianIntervalCoversTheMedianAsOftenAsItSays) {
  Random random(11);
  int covered = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(15);
    for (double& value : values) value = std::exp(random.normal());  // skewed, median 1
    const Bounds bounds = median_interval(values);
    covered += bounds.low <= 1.0 && 1.0 <= bounds.high ? 1 : 0;
  }
  // Exact coverage for n = 15, ranks 4 and 12: 1 - 2 * 576 / 2^15 = 0.96484; four standard errors.
  EXPECT_NEAR(covered / static_cast<double>(trials), 0.96484, 4 * std::sqrt(0.96484 * 0.03516 / trials));
}

TEST(Statistics, MeanIntervalOfStudentsSleepData) {
  // Student 1908, difference of the two drugs; R: t.test(extra ~ group, data = sleep, paired = TRUE).
  const std::vector<double> differences = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  const Bounds bounds = mean_interval(differences);
  EXPECT_NEAR(bounds.value, 1.58, 1e-12);
  EXPECT_NEAR(bounds.low, 0.7001142, 5e-8);
  EXPECT_NEAR(bounds.high, 2.4598858, 5e-8);
}

TEST(Statistics, MeanIntervalOfOneValueIsThatValue) {
  const Bounds bounds = mean_interval(std::vector<double>{4});
  EXPECT_EQ(bounds.low, 4.0);
  EXPECT_EQ(bounds.value, 4.0);
  EXPECT_EQ(bounds.high, 4.0);
}

TEST(Statistics, StudentQuantilesOfTheTable) {
  const struct {
    double p, degrees, t;
  } table[] = {{0.975, 1, 12.706}, {0.975, 2, 4.303},  {0.975, 3, 3.182},   {0.975, 5, 2.571},
               {0.975, 10, 2.228}, {0.975, 30, 2.042}, {0.975, 120, 1.980}, {0.995, 1, 63.657},
               {0.995, 10, 3.169}, {0.90, 1, 3.078},   {0.95, 20, 1.725},   {0.9995, 4, 8.610}};
  for (const auto& row : table) {
    EXPECT_NEAR(student_t_quantile(row.p, row.degrees), row.t, 5e-4) << row.p << ", " << row.degrees;
    EXPECT_NEAR(student_t_quantile(1 - row.p, row.degrees), -row.t, 5e-4) << row.p << ", " << row.degrees;
  }
}

TEST(Statistics, StudentQuantilesInClosedForm) {
  for (const double p : {1e-6, 0.001, 0.1, 0.3, 0.4999, 0.5, 0.6, 0.99, 0.999999}) {
    const double cauchy = std::tan(std::numbers::pi * (p - 0.5));
    const double two = (2 * p - 1) / std::sqrt(2 * p * (1 - p));
    EXPECT_NEAR(student_t_quantile(p, 1), cauchy, 1e-9 * std::max(1.0, std::abs(cauchy))) << p;
    EXPECT_NEAR(student_t_quantile(p, 2), two, 1e-9 * std::max(1.0, std::abs(two))) << p;
  }
}

TEST(Statistics, StudentBecomesNormalWithManyDegrees) {
  // Leading correction (z^3 + z) / (4 * degrees), Abramowitz and Stegun 26.7.5.
  const double z = 1.959963984540054;
  EXPECT_NEAR(student_t_quantile(0.975, 1e5), z + (z * z * z + z) / 4e5, 1e-8);
}

TEST(Statistics, NormalQuantilesOfTheTable) {
  EXPECT_NEAR(normal_quantile(0.5), 0.0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.995), 2.575829303548901, 1e-12);
  EXPECT_NEAR(normal_quantile(0.84134474606854294859), 1.0, 1e-12);
  EXPECT_NEAR(normal_quantile(1e-6), -4.753424308822899, 1e-11);
}

TEST(Statistics, NormalQuantileInvertsTheDistribution) {
  for (double p = 1e-12; p < 1.0; p = p < 0.01 ? p * 3 : p + 0.01) {
    const double back = 0.5 * std::erfc(-normal_quantile(p) / std::numbers::sqrt2);
    EXPECT_NEAR(back / p, 1.0, 1e-11) << p;
  }
}

// P(F >= f) at the 5 % and 1 % points of published tables (Fisher and Yates), four digits.
TEST(Statistics, TailOfTheFDistribution) {
  EXPECT_NEAR(f_distribution_tail(161.4476, 1, 1), 0.05, 1e-6);
  EXPECT_NEAR(f_distribution_tail(5.1433, 2, 6), 0.05, 1e-5);
  EXPECT_NEAR(f_distribution_tail(10.9248, 2, 6), 0.01, 1e-6);
  EXPECT_NEAR(f_distribution_tail(199.5, 2, 1), 0.05, 1e-6);
  EXPECT_EQ(f_distribution_tail(-1.0, 2, 6), 1.0);
}

TEST(Statistics, StudentTIsSymmetricAndMeetsItsQuantile) {
  EXPECT_DOUBLE_EQ(student_t_cdf(0.0, 5.0), 0.5);
  EXPECT_NEAR(student_t_cdf(2.570582, 5.0), 0.975, 1e-7);
  EXPECT_NEAR(student_t_cdf(-2.570582, 5.0), 0.025, 1e-7);
  EXPECT_NEAR(student_t_cdf(student_t_quantile(0.9, 7.5), 7.5), 0.9, 1e-12);
}

}  // namespace
}  // namespace wattune
