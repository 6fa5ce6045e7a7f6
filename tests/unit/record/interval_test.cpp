// The half width of an interval in per cent.
#include <gtest/gtest.h>

#include "wattune/outcome.hpp"

namespace wattune {
namespace {

TEST(Interval, PercentIsTheWiderSide) {
  EXPECT_DOUBLE_EQ((Interval{2.0, 1.98, 2.02}.percent()), 100.0 * (2.02 - 2.0) / 2.0);
  EXPECT_NEAR((Interval{2.0, 1.9, 2.02}.percent()), 5.0, 1e-12);
  EXPECT_NEAR((Interval{2.0, 1.98, 2.1}.percent()), 5.0, 1e-12);
}

TEST(Interval, PercentOfZeroAndNegative) {
  EXPECT_EQ((Interval{0.0, -1.0, 1.0}.percent()), 0.0);
  EXPECT_NEAR((Interval{-2.0, -2.1, -1.9}.percent()), 5.0, 1e-12);
}

}  // namespace
}  // namespace wattune
