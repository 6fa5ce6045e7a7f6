#include "wattune/budget.hpp"

#include <gtest/gtest.h>

#include "wattune/error.hpp"

namespace wattune {
namespace {

TEST(Budget, EvaluationsCountDown) {
  BudgetSpec spec;
  spec.evaluations = 5;
  Budget budget(spec, 100);
  for (int i = 0; i < 4; ++i) budget.spend(1.0, Seconds(i));
  EXPECT_DOUBLE_EQ(budget.fraction(), 0.8);
  EXPECT_EQ(budget.remaining_evaluations(), 1U);
  EXPECT_FALSE(budget.exhausted());
  budget.spend(1.0, Seconds(5));
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(budget.reason(), "5 evaluations");
}

TEST(Budget, TimeRunsOut) {
  BudgetSpec spec;
  spec.seconds = 5.0;
  Budget budget(spec, 100);
  budget.pass(Seconds(2.0));
  EXPECT_DOUBLE_EQ(budget.fraction(), 0.4);
  EXPECT_DOUBLE_EQ(budget.remaining_time()->value(), 3.0);
  budget.pass(Seconds(6.0));
  EXPECT_TRUE(budget.exhausted());
  EXPECT_DOUBLE_EQ(budget.fraction(), 1.0);
}

TEST(Budget, LimitsThatAllowNothingAreRefused) {
  BudgetSpec none;
  none.seconds = 0.0;
  EXPECT_THROW(Budget(none, 10), Error);
  BudgetSpec zero;
  zero.evaluations = 0;
  EXPECT_THROW(Budget(zero, 10), Error);
  BudgetSpec share;
  share.fraction = 1.5;
  EXPECT_THROW(Budget(share, 10), Error);
}

TEST(Budget, AFractionOfTheSpaceRoundsUp) {
  BudgetSpec spec;
  spec.fraction = 0.1;
  EXPECT_EQ(Budget(spec, 15).evaluation_limit(), std::optional<std::uint64_t>(2));
  EXPECT_EQ(Budget(spec, 100).evaluation_limit(), std::optional<std::uint64_t>(10));
  EXPECT_EQ(Budget(spec, 3).evaluation_limit(), std::optional<std::uint64_t>(1));
}

TEST(Budget, NoImprovementCountsFromTheLastBetterOne) {
  BudgetSpec spec;
  spec.no_improvement = 2;
  Budget budget(spec, 100);
  budget.spend(3.0, Seconds(0));
  budget.spend(4.0, Seconds(0));
  budget.spend(2.0, Seconds(0));
  budget.spend(std::nullopt, Seconds(0));
  EXPECT_FALSE(budget.exhausted());
  budget.spend(2.0, Seconds(0));
  EXPECT_TRUE(budget.exhausted()) << "an equal score is no improvement, nor is a failure";
}

TEST(Budget, ATargetEndsIt) {
  BudgetSpec spec;
  spec.target = 1.5;
  Budget budget(spec, 100);
  budget.spend(2.0, Seconds(0));
  EXPECT_FALSE(budget.exhausted());
  budget.spend(1.5, Seconds(0));
  EXPECT_TRUE(budget.exhausted());
}

TEST(Budget, TheFirstOfSeveralLimitsCounts) {
  BudgetSpec spec;
  spec.evaluations = 100;
  spec.seconds = 10.0;
  Budget budget(spec, 1000);
  budget.spend(1.0, Seconds(9.0));
  EXPECT_DOUBLE_EQ(budget.fraction(), 0.9);
  EXPECT_DOUBLE_EQ(budget.remaining_time()->value(), 1.0)
      << "99 evaluations more would take 891 s at this rate; the time limit comes first";
}

}  // namespace
}  // namespace wattune
