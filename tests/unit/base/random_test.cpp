// Random numbers: the published sequence, and distributions against their closed forms. Seeds are fixed, so each test
// gives the same answer every time; bounds are the 99.9 % quantiles of the chi-square distribution.
#include "wattune/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace wattune {
namespace {

/// Pearson's statistic of counts that should be equal.
double chi_square(const std::vector<std::uint64_t>& counts) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0.0;
  for (const std::uint64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  return sum;
}

TEST(Random, IsTheSequenceOfItsAuthors) {
  // pcg-c-basic-0.9, pcg32-demo with seed 42 and stream 54, first round.
  Random random(42, 54);
  for (const std::uint32_t expected : {0xa15c02b7U, 0x7b47f409U, 0xba1d3330U, 0x83d2f293U, 0xbfa4784bU, 0xcbed606eU}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, SeedAndStreamDecideEverything) {
  Random a(7, 1);
  Random b(7, 1);
  Random other_seed(8, 1);
  Random other_stream(7, 2);
  int seed_equal = 0;
  int stream_equal = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t value = a.next();
    EXPECT_EQ(value, b.next());
    seed_equal += value == other_seed.next() ? 1 : 0;
    stream_equal += value == other_stream.next() ? 1 : 0;
  }
  EXPECT_LE(seed_equal, 1);
  EXPECT_LE(stream_equal, 1);
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::vector<std::uint64_t> counts(6);
  for (int i = 0; i < 60'000; ++i) ++counts.at(random.below(6));
  EXPECT_LT(chi_square(counts), 20.52);  // 5 degrees of freedom
}

TEST(Random, BelowHasNoModuloBias) {
  // With `next() % bound` the lowest third would come twice as often as each of the others: 3 * 2^30 does not divide
  // 2^32.
  Random random(2);
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < 30'000; ++i) ++counts.at(random.below(3ULL << 30U) >> 30U);
  EXPECT_LT(chi_square(counts), 13.82);  // 2 degrees of freedom
}

TEST(Random, BelowIsUniformBeyond32Bits) {
  Random random(3);
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < 30'000; ++i) ++counts.at(random.below(3ULL << 62U) >> 62U);
  EXPECT_LT(chi_square(counts), 13.82);
  std::vector<std::uint64_t> parity(2);
  for (int i = 0; i < 30'000; ++i) ++parity.at(random.below(0x1'0000'0001ULL) & 1U);
  EXPECT_LT(chi_square(parity), 10.83);  // 1 degree of freedom
}

TEST(Random, BelowStaysBelow) {
  Random random(4);
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{0xffffffffU}, std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(bound), bound);
  }
}

TEST(Random, UniformFillsTheUnitInterval) {
  Random random(5);
  std::vector<std::uint64_t> counts(100);
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    ++counts[static_cast<std::size_t>(value * 100)];
  }
  EXPECT_LT(chi_square(counts), 148.2);  // 99 degrees of freedom
  for (int i = 0; i < 1000; ++i) {
    const double value = random.uniform(-3.0, 5.0);
    ASSERT_GE(value, -3.0);
    ASSERT_LT(value, 5.0);
  }
}

TEST(Random, NormalHasTheMomentsAndTailsOfANormal) {
  Random random(6);
  constexpr int count = 100'000;
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  int outside = 0;
  for (int i = 0; i < count; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    fourth += std::pow(value, 4);
    outside += std::abs(value) > 1.959963984540054 ? 1 : 0;
  }
  // Four standard errors: 1, sqrt(2), sqrt(96) and sqrt(0.05 * 0.95) over sqrt(count).
  const double error = 4.0 / std::sqrt(count);
  EXPECT_NEAR(sum / count, 0.0, error);
  EXPECT_NEAR(squares / count, 1.0, error * std::sqrt(2.0));
  EXPECT_NEAR(fourth / count, 3.0, error * std::sqrt(96.0));
  EXPECT_NEAR(outside / static_cast<double>(count), 0.05, error * std::sqrt(0.05 * 0.95));
}

TEST(Random, ShuffleGivesEveryOrderEquallyOften) {
  Random random(7);
  std::map<std::array<int, 4>, std::uint64_t> counts;
  for (int i = 0; i < 24'000; ++i) {
    std::array<int, 4> items{0, 1, 2, 3};
    random.shuffle(std::span<int>(items));
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 24U);
  std::vector<std::uint64_t> values;
  for (const auto& [order, count] : counts) values.push_back(count);
  EXPECT_LT(chi_square(values), 49.73);  // 23 degrees of freedom
}

TEST(Random, ShuffleOfNothingAndOfOne) {
  Random random(8);
  std::vector<int> none;
  random.shuffle(std::span<int>(none));
  std::vector<int> one{7};
  random.shuffle(std::span<int>(one));
  EXPECT_EQ(one, std::vector<int>{7});
}

}  // namespace
}  // namespace wattune
