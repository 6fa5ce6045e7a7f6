#include "wattune/objective.hpp"

#include <gtest/gtest.h>

#include "wattune/error.hpp"

namespace wattune {
namespace {

Outcome correct(double seconds, std::vector<Value> configuration = {}) {
  Outcome outcome;
  outcome.configuration = std::move(configuration);
  outcome.time = TimeMeasurement{{Seconds(seconds)}, {seconds, seconds, seconds}, true};
  return outcome;
}

TEST(Quantity, SiAndScaledNames) {
  Outcome outcome = correct(2e-3);
  outcome.energy = Joules(0.5);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "time"), 2e-3);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "time_ms"), 2.0);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "time_us"), 2000.0);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "energy_mj"), 500.0);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "edp"), 1e-3);
  EXPECT_DOUBLE_EQ(*quantity(outcome, "ed2p"), 2e-6);
  EXPECT_FALSE(quantity(outcome, "power").has_value());
}

TEST(Metrics, ChainAndReadParametersAndProblem) {
  const std::vector<std::string> parameters{"x", "b"};
  const std::vector<std::pair<std::string, Value>> constants{{"N", Value(4)}};
  const std::vector<MetricDefinition> definitions{{"rate", "N * x / time", ""}, {"twice", "2 * rate", ""}};
  const MetricSet metrics(parameters, constants, definitions);
  Outcome outcome = correct(2.0, {Value(15), Value(12)});
  metrics.evaluate(outcome);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("rate"), 30.0);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("twice"), 60.0);
}

TEST(Metrics, TimeMayBeInMilliseconds) {
  const std::vector<MetricDefinition> definitions{{"a", "10 / time", ""}, {"b", "time_ms", ""}, {"c", "energy", ""}};
  const MetricSet metrics({}, {}, definitions, 1e3);
  Outcome outcome = correct(2e-3);
  outcome.energy = Joules(3.0);
  metrics.evaluate(outcome);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("a"), 5.0);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("b"), 2.0);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("c"), 3.0);
}

TEST(Metrics, AMetricNamedLikeAParameterOverwritesIt) {
  const std::vector<std::string> parameters{"x", "b"};
  const std::vector<MetricDefinition> definitions{{"b", "x", ""}, {"c", "b", ""}};
  const MetricSet metrics(parameters, {}, definitions);
  Outcome outcome = correct(1.0, {Value(15), Value(12)});
  metrics.evaluate(outcome);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("b"), 15.0);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("c"), 15.0);
}

TEST(Metrics, ANumberOnlyWhereThereIsOne) {
  const std::vector<MetricDefinition> definitions{{"efficiency", "1 / energy", ""},
                                                  {"broken", "1 / (time - time)", ""}};
  const MetricSet metrics({}, {}, definitions);
  Outcome outcome = correct(1.0);
  metrics.evaluate(outcome);
  EXPECT_TRUE(outcome.metrics.empty());
  Outcome failed = correct(1.0);
  failed.status = Status::compile;
  failed.energy = Joules(1.0);
  metrics.evaluate(failed);
  EXPECT_TRUE(failed.metrics.empty());
}

TEST(Metrics, ObservedQuantitiesAreNames) {
  const std::vector<MetricDefinition> definitions{{"pressure", "registers * 2", ""}};
  const MetricSet metrics({}, {}, definitions);
  Outcome outcome = correct(1.0);
  outcome.observed["registers"] = 32.0;
  metrics.evaluate(outcome);
  EXPECT_DOUBLE_EQ(outcome.metrics.at("pressure"), 64.0);
}

TEST(Objectives, MaximisedScoresAreNegated) {
  Outcome outcome = correct(0.5);
  outcome.metrics["gflops"] = 10.0;
  const ObjectiveSet objectives({{"gflops", true, "GFLOP/s"}, {"time", false, "s"}});
  const auto scores = objectives.scores(outcome);
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(*scores, (std::vector<double>{-10.0, 0.5}));
  EXPECT_EQ(objectives.describe(), "maximise gflops, then minimise time");
}

TEST(Objectives, EnergyWithoutASensorIsAClearError) {
  const ObjectiveSet objectives({{"energy", false, "J"}});
  try {
    static_cast<void>(objectives.scores(correct(1.0)));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("power sensor"), std::string::npos);
  }
}

TEST(Best, FailuresNeverWinAndTiesGoToTheEarlier) {
  std::vector<Outcome> outcomes{correct(3.0), correct(1.0), correct(2.0), correct(1.0)};
  Outcome failed;
  failed.status = Status::runtime;
  outcomes.insert(outcomes.begin(), failed);
  const ObjectiveSet objectives({});
  EXPECT_EQ(best_outcome(outcomes, objectives), std::optional<std::size_t>(2));
  EXPECT_EQ(best_outcomes(outcomes, objectives, 10), (std::vector<std::size_t>{2, 4, 3, 1}));
  EXPECT_FALSE(best_outcome(std::span(outcomes).first(1), objectives).has_value());
}

}  // namespace
}  // namespace wattune
