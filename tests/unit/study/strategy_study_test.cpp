// Studies on spaces whose answers are known: by closed form, by playing one search by hand, by construction.
#include <gtest/gtest.h>

#include <cmath>

#include "study/scores.hpp"
#include "study_spaces.hpp"
#include "wattune/error.hpp"
#include "wattune/strategy.hpp"

namespace wattune {
namespace {

StudyRequest request_for(const std::vector<const StudySpace*>& spaces, std::vector<std::string> strategies,
                         std::vector<std::uint64_t> budgets, std::uint64_t repeats) {
  StudyRequest request;
  request.spaces = spaces;
  request.strategies = std::move(strategies);
  request.budgets = std::move(budgets);
  request.repeats = repeats;
  request.jobs = 1;
  return request;
}

TEST(StrategyStudy, RandomSearchScoresZeroAndFollowsTheClosedForm) {
  const StudySpace space = valley();
  const StudyResult result = judge_strategies(request_for({&space}, {"random_sample"}, {10, 40}, 2000));
  for (const StudyRow& row : result.rows) {
    // Four standard errors of the mean.
    EXPECT_NEAR(row.mean_fraction, row.random_fraction, 4.0 * row.stdev / std::sqrt(2000.0)) << row.budget;
  }
  const Bounds score = result.aggregate.front().score;
  EXPECT_NEAR(score.value, 0.0, 0.03);
  EXPECT_LT(score.low, score.value);
  EXPECT_GT(score.high, score.value);
  EXPECT_LT(score.high - score.low, 0.06);
}

TEST(StrategyStudy, OrderOfABruteForceIsCountedByHand) {
  // In order of ids: 4, fails, 2 (the optimum), 8. Fractions so far: 0.5, 0.5, 1, 1.
  const StudySpace space = square_space(2, {4.0, 0.0, 2.0, 8.0});
  const StudyResult result = judge_strategies(request_for({&space}, {"brute_force"}, {2, 3, 4}, 3));
  ASSERT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(result.rows[0].mean_fraction, 0.5);
  EXPECT_EQ(result.rows[0].within_1_percent.success_rate, 0.0);
  EXPECT_FALSE(result.rows[0].within_1_percent.mean_evaluations);
  EXPECT_FALSE(result.rows[0].within_1_percent.expected_evaluations);
  EXPECT_EQ(result.rows[1].mean_fraction, 1.0);
  EXPECT_EQ(result.rows[1].within_5_percent.success_rate, 1.0);
  EXPECT_EQ(*result.rows[1].within_1_percent.mean_evaluations, 3.0);
  EXPECT_EQ(*result.rows[1].within_1_percent.expected_evaluations, 3.0);
  EXPECT_EQ(result.rows[1].stdev, 0.0);

  // Scored at 3, the largest budget that leaves something to search.
  ASSERT_EQ(result.curves.size(), 2U);
  EXPECT_FALSE(result.curves[0].strategy);
  EXPECT_EQ(result.curves[1].fractions, (std::vector<double>{0.5, 0.5, 1.0}));
  const double random = result.curves[0].fractions[0] + result.curves[0].fractions[1] + result.curves[0].fractions[2];
  EXPECT_NEAR(result.scores.front().score.value, (2.0 - random) / (3.0 - random), 1e-14);
}

TEST(StrategyStudy, ASearchThatSeesTheSlopeBeatsRandom) {
  const StudySpace space = valley();
  const StudyResult result = judge_strategies(
      request_for({&space}, {"random_sample", "bayesian_optimization", "first_improvement"}, {40}, 40));
  EXPECT_GT(result.aggregate[1].score.low, result.aggregate[0].score.high);
  EXPECT_GT(result.aggregate[2].score.low, result.aggregate[0].score.high);
  EXPECT_GT(result.rows[1].within_1_percent.success_rate, 0.9);
}

TEST(StrategyStudy, ThreadsChangeNothing) {
  const StudySpace first = valley("first");
  const StudySpace second = square_space(3, {9, 8, 7, 6, 5, 4, 3, 2, 1}, "second");
  StudyRequest request =
      request_for({&first, &second}, {"auto", "genetic_algorithm", "simulated_annealing"}, {5, 30}, 12);
  const StudyResult alone = judge_strategies(request);
  request.jobs = 4;
  std::uint64_t told = 0;
  request.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 144U);
  };
  const StudyResult together = judge_strategies(request);
  EXPECT_EQ(told, 144U);
  ASSERT_EQ(alone.rows.size(), together.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    EXPECT_EQ(alone.rows[i].mean_fraction, together.rows[i].mean_fraction);
    EXPECT_EQ(alone.rows[i].within_5_percent.mean_evaluations, together.rows[i].within_5_percent.mean_evaluations);
  }
  for (std::size_t i = 0; i < alone.aggregate.size(); ++i) {
    EXPECT_EQ(alone.aggregate[i].score.value, together.aggregate[i].score.value);
    EXPECT_EQ(alone.aggregate[i].score.low, together.aggregate[i].score.low);
    EXPECT_EQ(alone.aggregate[i].score.high, together.aggregate[i].score.high);
  }
}

TEST(StrategyStudy, TheSeedDecides) {
  const StudySpace space = valley();
  StudyRequest request = request_for({&space}, {"random_sample"}, {20}, 5);
  const double first = judge_strategies(request).rows.front().mean_fraction;
  request.seed = 1000;
  EXPECT_NE(judge_strategies(request).rows.front().mean_fraction, first);
  request.seed = 0;
  EXPECT_EQ(judge_strategies(request).rows.front().mean_fraction, first);
}

TEST(StrategyStudy, RefusesEmptyAndUnknownRequests) {
  const StudySpace space = valley();
  EXPECT_THROW(judge_strategies(request_for({}, {"random_sample"}, {5}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {}, {5}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"random_sample"}, {}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"random_sample"}, {0}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"random_sample"}, {5, 5}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"random_sample"}, {5}, 0)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"randm_sample"}, {5}, 1)), Error);
  EXPECT_THROW(judge_strategies(request_for({&space}, {"tabu", "tabu"}, {5}, 1)), Error);
}

TEST(StrategyStudy, AStopEndsItAsInterrupted) {
  const StudySpace space = valley();
  std::atomic<bool> stop{false};
  StudyRequest request = request_for({&space}, {"random_sample"}, {5}, 100);
  request.stop = &stop;
  request.progress = [&](std::uint64_t done, std::uint64_t) { stop = done == 10; };
  try {
    judge_strategies(request);
    FAIL() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::interrupted);
  }
}

TEST(StudyScores, LeavingASpaceOutChoosesByTheOthers) {
  // Strategy 0 (auto) takes no part. On spaces 0 and 1 strategy 1 is best, on space 2 strategy 2 by far.
  std::vector<StudyScore> scores;
  const double values[3][3] = {{0.9, 0.5, 0.4}, {0.9, 0.5, 0.3}, {0.9, 0.1, 0.8}};
  for (std::size_t space = 0; space < 3; ++space) {
    for (std::size_t strategy = 0; strategy < 3; ++strategy)
      scores.push_back({space, strategy, {values[space][strategy], 0.0, 1.0}});
  }
  const auto left_out = study::leave_one_out(scores, {false, true, true});
  ASSERT_EQ(left_out.size(), 3U);
  EXPECT_EQ(left_out[0].chosen, 2U);  // elsewhere 0.6 against 1.1
  EXPECT_EQ(left_out[0].score, 0.4);
  EXPECT_EQ(left_out[0].best, 1U);
  EXPECT_EQ(left_out[2].chosen, 1U);  // elsewhere 1.0 against 0.7
  EXPECT_EQ(left_out[2].score, 0.1);
  EXPECT_EQ(left_out[2].best, 2U);
  EXPECT_TRUE(study::leave_one_out(scores, {false, true, false}).empty());
}

}  // namespace
}  // namespace wattune
