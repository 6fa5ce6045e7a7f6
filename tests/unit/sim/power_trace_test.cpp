// Means of a power trace against closed forms.
#include "sim/power_trace.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace wattune::sim {
namespace {

TEST(PowerTrace, MeansOfConstantStretches) {
  PowerTrace trace;
  trace.append(2.0, 50.0, 50.0, 0.1);
  trace.append(1.0, 200.0, 200.0, 0.1);
  EXPECT_DOUBLE_EQ(trace.end(), 3.0);
  EXPECT_DOUBLE_EQ(trace.energy(3.0), 300.0);
  EXPECT_DOUBLE_EQ(trace.mean(0.0, 2.0), 50.0);
  EXPECT_DOUBLE_EQ(trace.mean(1.5, 2.5), 125.0);
  EXPECT_DOUBLE_EQ(trace.mean(2.5, 2.5), 200.0) << "the moment itself";
  EXPECT_DOUBLE_EQ(trace.mean(-1.0, 1.0), 50.0) << "before the trace as at its beginning";
  EXPECT_DOUBLE_EQ(trace.mean(2.0, 9.0), 200.0) << "nothing is known after its end";
}

TEST(PowerTrace, IntegratesAnExponential) {
  PowerTrace trace;
  trace.append(1.0, 30.0, 30.0, 1.0);
  trace.append(10.0, 100.0, 150.0, 0.25);
  // Integral of 150 - 50 exp(-t / 4) from 2 to 6, by hand.
  const double expected = 150.0 * 4.0 - 50.0 * 4.0 * (std::exp(-0.5) - std::exp(-1.5));
  EXPECT_NEAR(trace.mean(3.0, 7.0) * 4.0, expected, 1e-9);
  EXPECT_NEAR(trace.mean(11.0, 11.0), 150.0 - 50.0 * std::exp(-2.5), 1e-9);
}

TEST(PowerTrace, ForgetsWithoutChangingTheRest) {
  PowerTrace trace;
  for (int i = 0; i < 100; ++i) trace.append(1.0, i, i, 0.1);
  const double before = trace.mean(60.5, 80.5);
  trace.forget_before(60.0);
  EXPECT_EQ(trace.size(), 40U);
  EXPECT_DOUBLE_EQ(trace.mean(60.5, 80.5), before);
  EXPECT_DOUBLE_EQ(trace.energy(100.0), 4950.0);
  trace.append(0.0, 7.0, 7.0, 0.1);
  EXPECT_EQ(trace.size(), 40U) << "nothing lasts no time";
}

}  // namespace
}  // namespace wattune::sim
