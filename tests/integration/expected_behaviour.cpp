// What users of the field expect of value lists, sizes and metrics, where no other test has the very numbers; the rest
// is with the rooms (counts of constraints: unit_space, budgets: unit_tune, recordings: integration_replay).
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "search/cube.hpp"
#include "tune/launch.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"
#include "wattune/neighbourhood.hpp"
#include "wattune/objective.hpp"
#include "wattune/space.hpp"

namespace wattune {
namespace {

Space build(std::vector<Parameter> parameters, const std::vector<std::string>& constraints) {
  std::vector<Constraint> all;
  for (const std::string& text : constraints) all.push_back({text, ""});
  return Space::build(std::move(parameters), std::move(all));
}

/// int, float, text and boolean, `int_param + float_param > 3` and `bool_param == False`.
Space of_four_kinds() {
  return build({{"int_param", {1, 2, 3}},
                {"float_param", {1.0, 2.0, 3.0, -4.4}},
                {"string_param", {"Alpha", "Bravo", "Charlie"}},
                {"bool_param", {true, false}}},
               {"int_param + float_param > 3", "bool_param == False"});
}

/// Least and greatest value position that occurs in a valid configuration.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> occurring(const Space& space) {
  Digits lower = space.digits(0);
  Digits upper = lower;
  for (ConfigurationId id = 1; id < space.size(); ++id) {
    for (std::size_t p = 0; p < lower.size(); ++p) {
      lower[p] = std::min(lower[p], space.digit(id, p));
      upper[p] = std::max(upper[p], space.digit(id, p));
    }
  }
  return {{lower.begin(), lower.end()}, {upper.begin(), upper.end()}};
}

TEST(ExpectedBehaviour, PositionsThatOccurAreBounded) {
  const Space space = of_four_kinds();
  EXPECT_EQ(space.size(), 18U);
  const auto [lower, upper] = occurring(space);
  EXPECT_EQ(lower, (std::vector<std::uint32_t>{0, 0, 0, 1}));
  EXPECT_EQ(upper, (std::vector<std::uint32_t>{2, 2, 2, 1}));
}

TEST(ExpectedBehaviour, NumbersAreToldFromTextsAndBooleans) {
  const auto numeric = [](const Value& value) { return value.is_integer() || value.is_real(); };
  std::vector<bool> mask;
  const Space space = of_four_kinds();
  for (const Parameter& parameter : space.parameters()) mask.push_back(std::ranges::all_of(parameter.values, numeric));
  EXPECT_EQ(mask, (std::vector<bool>{true, true, false, false}));
}

TEST(ExpectedBehaviour, AParameterThatAConstraintFixesDoesNotVary) {
  const Space space = build({{"int_param", {1, 2, 3}}, {"float_param", {3.0, 4.0, 5.0}}}, {"int_param >= 3"});
  EXPECT_EQ(space.size(), 3U);
  const auto [lower, upper] = occurring(space);
  EXPECT_EQ(lower[0], upper[0]);
  EXPECT_LT(lower[1], upper[1]);
  // Its neighbours by one parameter are the two others of float_param.
  std::vector<ConfigurationId> neighbours;
  Neighbourhood(space).neighbours(ConfigurationId{0}, NeighbourhoodKind::hamming, neighbours);
  EXPECT_EQ(neighbours, (std::vector<ConfigurationId>{1, 2}));
}

TEST(ExpectedBehaviour, CoordinatesOfTheUnitCubeAreEqualBins) {
  // The way back from a coordinate in 0..1 to five values: 0 is the first, 1 (which is never drawn: the limit) the
  // last, and each has a fifth.
  const Space space = build({{"x", {0, 1, 2, 3, 4}}}, {});
  const search::Cube cube(space);
  ASSERT_EQ(cube.dimensions(), 1U);
  const auto value = [&](double coordinate) { return space.values(cube.at(std::vector{coordinate})).front(); };
  EXPECT_EQ(value(0.0), Value(0));
  EXPECT_EQ(value(std::nextafter(1.0, 0.0)), Value(4));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(value(0.2 * i + 1e-9), Value(i));
    EXPECT_EQ(value(0.2 * (i + 1) - 1e-9), Value(i));
  }
}

TEST(ExpectedBehaviour, GridsMayBeGivenAsBlocks) {
  const tune::Environment environment({"num_blocks_x", "num_blocks_y"}, {});
  GridDimension x;
  x.blocks = LocatedText{"num_blocks_x", {}};
  GridDimension y;
  y.blocks = LocatedText{"num_blocks_y*3", {}};
  LaunchSpec spec;
  spec.grid = {x, y};
  const std::vector<Value> configuration{71, 57};
  EXPECT_EQ(tune::Launch(spec, environment).geometry(environment, configuration).grid,
            (std::array<std::uint64_t, 3>{71, 171, 1}));
}

std::map<std::string, double> metrics_of(const std::vector<std::string>& names, const std::vector<Value>& values,
                                         const std::vector<MetricDefinition>& definitions) {
  Outcome outcome;
  outcome.configuration = values;
  outcome.time = TimeMeasurement{{Seconds(2.0)}, {2.0, 2.0, 2.0}, true};
  MetricSet(names, {}, definitions).evaluate(outcome);
  return {outcome.metrics.begin(), outcome.metrics.end()};
}

TEST(ExpectedBehaviour, MetricsChainAndOverwrite) {
  EXPECT_EQ(metrics_of({"x", "b"}, {15, 12}, {{"y", "x", ""}, {"z", "y", ""}}),
            (std::map<std::string, double>{{"y", 15.0}, {"z", 15.0}}));
  EXPECT_EQ(metrics_of({"x", "b"}, {15, 12}, {{"b", "x", ""}}).at("b"), 15.0);
  EXPECT_EQ(metrics_of({"e"}, {3}, {{"a", "10/time", ""}, {"b", "a*e", ""}}),
            (std::map<std::string, double>{{"a", 5.0}, {"b", 15.0}}));
}

TEST(ExpectedBehaviour, MetricsAsAListAreAnError) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("metrics_" + std::to_string(::getpid()) + ".toml")).string();
  std::ofstream(path) << "metrics = ['10/time']\n[kernel]\nname = 'k'\nfile = 'k.cl'\nlanguage = 'opencl'\n"
                      << "[tune.parameters]\nx = [1, 2]\n";
  try {
    read_spec(path);
    ADD_FAILURE() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("metrics"), std::string::npos) << error.what();
  }
  std::filesystem::remove(path);
}

TEST(ExpectedBehaviour, DivisionByZeroNamesConstraintAndConfiguration) {
  try {
    build({{"x", {1, 2}}, {"y", {0, 1}}}, {"x % y == 0"});
    FAIL() << "no Error was thrown";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("x % y == 0"), std::string::npos) << what;
    EXPECT_NE(what.find("x=1, y=0"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace wattune
