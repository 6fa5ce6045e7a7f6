// What Bayesian optimisation promises beyond the conformance suite.
#include <gtest/gtest.h>

#include "search_spaces.hpp"

namespace wattune {
namespace {

using search_test::play;

StrategyTask task_of(const Space& space, std::uint64_t seed) {
  StrategyTask task;
  task.space = &space;
  task.seed = seed;
  return task;
}

double best_of(const Space& space, const std::vector<ConfigurationId>& ids) {
  double best = 1e300;
  for (const ConfigurationId id : ids) best = std::min(best, search_test::valley(space, id)[0]);
  return best;
}

double optimum(const Space& space) {
  double best = 1e300;
  for (ConfigurationId id = 0; id < space.size(); ++id) best = std::min(best, search_test::valley(space, id)[0]);
  return best;
}

TEST(BayesianOptimization, FindsTheFloorOfAValley) {
  const Space space = search_test::small_space();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto strategy = make_strategy("bayesian_optimization", task_of(space, seed));
    const auto trace = play(*strategy, space, search_test::valley, 1, 40, 1);
    EXPECT_EQ(best_of(space, trace.ids), optimum(space)) << "seed " << seed;
  }
}

TEST(BayesianOptimization, BatchesOfEightAreNearlyAsGood) {
  const Space space = search_test::small_space();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto strategy = make_strategy("bayesian_optimization", task_of(space, seed));
    const auto trace = play(*strategy, space, search_test::valley, 1, 80, 8);
    EXPECT_EQ(best_of(space, trace.ids), optimum(space)) << "seed " << seed;
  }
}

TEST(BayesianOptimization, AvoidsWhatFails) {
  const Space space = search_test::small_space();
  // Fails over a threshold that the model can learn: two thirds of the space.
  const auto answer = [](const Space& s, ConfigurationId id) {
    return s.digit(id, 0) + s.digit(id, 1) > 4 ? std::vector<double>{} : search_test::valley(s, id);
  };
  const auto strategy = make_strategy("bayesian_optimization", task_of(space, 1));
  const auto trace = play(*strategy, space, answer, 1, 60, 1);
  std::size_t failed = 0;
  std::size_t failing_in_space = 0;
  for (const ConfigurationId id : trace.ids) failed += answer(space, id).empty() ? 1 : 0;
  for (ConfigurationId id = 0; id < space.size(); ++id) failing_in_space += answer(space, id).empty() ? 1 : 0;
  EXPECT_LT(3 * failed * space.size(), 2 * failing_in_space * trace.ids.size());  // the floor lies at the failing edge
}

TEST(BayesianOptimization, PoolSmallerThanTheSpace) {
  const Space space = search_test::small_space();
  const auto strategy = make_strategy("bayesian_optimization", task_of(space, 3), {{"pool", Value(16)}});
  const auto trace = play(*strategy, space, search_test::half_fails, 1, 150, 3);
  EXPECT_EQ(trace.ids.size(), 150U);
  EXPECT_EQ(search_test::count_different(trace.ids), 150U);
}

TEST(BayesianOptimization, StartsOutsideThePool) {
  const Space space = search_test::small_space();
  StrategyTask task = task_of(space, 3);
  task.start = {space.size() - 1, 0};
  const auto strategy = make_strategy("bayesian_optimization", task, {{"pool", Value(4)}});
  const auto trace = play(*strategy, space, search_test::valley, 1, 30, 1);
  EXPECT_EQ(search_test::count_different(trace.ids), 30U);
}

TEST(BayesianOptimization, ScoresOfBothSigns) {
  const Space space = search_test::small_space();
  const auto answer = [](const Space& s, ConfigurationId id) {
    return std::vector<double>{search_test::valley(s, id)[0] - 1.5};
  };
  const auto strategy = make_strategy("bayesian_optimization", task_of(space, 2));
  const auto trace = play(*strategy, space, answer, 1, 60, 1);
  EXPECT_EQ(best_of(space, trace.ids), optimum(space));
}

}  // namespace
}  // namespace wattune
