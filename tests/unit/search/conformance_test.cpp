// What every strategy of the table must do, whatever its method. A new row is tested without a line here.
#include <gtest/gtest.h>

#include "search_spaces.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

using search_test::all_fail;
using search_test::Answer;
using search_test::count_different;
using search_test::half_fails;
using search_test::play;
using search_test::Trace;
using search_test::valley;

/// Strategies whose trace is documented to depend on the size of batches.
bool depends_on_batch(const std::string& name) {
  return name == "bayesian_optimization" || name == "portfolio" || name == "auto";
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  static Trace run(const Space& space, const Answer& answer, std::size_t objectives, std::uint64_t budget,
                   std::size_t batch, std::uint64_t seed, std::vector<ConfigurationId> start = {}) {
    StrategyTask task;
    task.space = &space;
    task.seed = seed;
    task.objectives = objectives;
    task.budget = budget;
    task.start = std::move(start);
    const auto strategy = make_strategy(GetParam(), task);
    return play(*strategy, space, answer, objectives, budget, batch);
  }

  static void expect_exhausts(const Space& space, const Answer& answer, std::size_t objectives, std::size_t batch) {
    const Trace trace = run(space, answer, objectives, space.size() + 10, batch, 11);
    EXPECT_FALSE(trace.empty_batch) << "asked while not done, proposed nothing";
    EXPECT_FALSE(trace.over_asked);
    EXPECT_EQ(trace.ids.size(), space.size());
    EXPECT_EQ(count_different(trace.ids), space.size());
    for (const ConfigurationId id : trace.ids) EXPECT_LT(id, space.size());
  }

  static bool takes_start() {
    for (const StrategyInfo& info : strategies()) {
      if (info.name == GetParam()) return info.accepts_start;
    }
    return false;
  }
};

TEST_P(Conformance, ProposesWholeSpaceOnce) {
  const Space space = search_test::small_space();
  for (const std::size_t batch : {1U, 2U, 8U}) expect_exhausts(space, valley, 1, batch);
}

TEST_P(Conformance, TwoObjectives) {
  const Space space = search_test::small_space();
  expect_exhausts(space, valley, 2, 1);
  expect_exhausts(space, half_fails, 2, 8);
}

TEST_P(Conformance, HalfFails) {
  expect_exhausts(search_test::small_space(), half_fails, 1, 1);
}

TEST_P(Conformance, AllFail) {
  expect_exhausts(search_test::small_space(), all_fail, 1, 1);
  expect_exhausts(search_test::small_space(), all_fail, 2, 8);
}

TEST_P(Conformance, FlatScores) {
  expect_exhausts(
      search_test::small_space(), [](const Space&, ConfigurationId) { return std::vector<double>{3.0}; }, 1, 2);
}

TEST_P(Conformance, NegativeScores) {  // a maximised objective arrives with its sign turned
  const auto negative = [](const Space& space, ConfigurationId id) {
    return std::vector<double>{-1.0 / valley(space, id)[0]};
  };
  expect_exhausts(search_test::small_space(), negative, 1, 2);
}

TEST_P(Conformance, SingleConfiguration) {
  expect_exhausts(search_test::single_space(), valley, 1, 1);
  expect_exhausts(search_test::single_space(), all_fail, 1, 8);
}

TEST_P(Conformance, NoNeighbours) {
  expect_exhausts(search_test::diagonal_space(), valley, 1, 1);
}

TEST_P(Conformance, SeedDecidesTrace) {
  const Space space = search_test::small_space();
  for (const std::size_t batch : {1U, 8U}) {
    const Trace first = run(space, half_fails, 1, 60, batch, 5);
    EXPECT_EQ(first.ids, run(space, half_fails, 1, 60, batch, 5).ids);
    if (GetParam() != "brute_force") {
      EXPECT_NE(first.ids, run(space, half_fails, 1, 60, batch, 6).ids);
    }
  }
}

TEST_P(Conformance, BatchSizeDoesNotChangeTrace) {
  if (depends_on_batch(GetParam())) return;  // SeedDecidesTrace holds them to one batch size
  const Space space = search_test::small_space();
  const Trace one = run(space, half_fails, 1, 150, 1, 9);
  EXPECT_EQ(one.ids, run(space, half_fails, 1, 150, 2, 9).ids);
  EXPECT_EQ(one.ids, run(space, half_fails, 1, 150, 8, 9).ids);
}

TEST_P(Conformance, StopsAtBudget) {
  const Space space = search_test::small_space();
  const Trace trace = run(space, valley, 1, 10, 8, 3);
  EXPECT_EQ(trace.ids.size(), 10U);
  EXPECT_EQ(count_different(trace.ids), 10U);
}

TEST_P(Conformance, StartFirst) {
  const Space space = search_test::small_space();
  const std::vector<ConfigurationId> start = {17, 3, 17, 40};
  if (!takes_start()) {
    EXPECT_THROW(run(space, valley, 1, 10, 1, 3, start), Error);
    return;
  }
  for (const std::size_t batch : {1U, 2U, 8U}) {
    const Trace trace = run(space, half_fails, 1, 30, batch, 3, start);
    ASSERT_GE(trace.ids.size(), 3U);
    EXPECT_EQ(trace.ids[0], 17U);
    EXPECT_EQ(trace.ids[1], 3U);
    EXPECT_EQ(trace.ids[2], 40U);
    EXPECT_EQ(count_different(trace.ids), 30U);
  }
}

TEST_P(Conformance, OptionsDescribeThemselves) {
  for (const StrategyInfo& info : strategies()) {
    if (info.name != GetParam()) continue;
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.source.empty());
    for (const StrategyOption& option : info.options) {
      EXPECT_FALSE(option.help.empty()) << option.name;
      EXPECT_FALSE(option.source.empty()) << option.name;
      EXPECT_NO_THROW(resolve_options(info, {{option.name, option.default_value}})) << option.name;
      if (option.low) {
        EXPECT_THROW(resolve_options(info, {{option.name, Value(*option.low - 1.0)}}), Error) << option.name;
      }
      if (option.high) {
        EXPECT_THROW(resolve_options(info, {{option.name, Value(*option.high + 1.0)}}), Error) << option.name;
      }
      for (const std::string& choice : option.choices)
        EXPECT_NO_THROW(resolve_options(info, {{option.name, Value(choice)}}));
    }
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, Conformance, testing::ValuesIn(all_names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace wattune
