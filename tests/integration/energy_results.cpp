// The figures printed in docs/results/h200_energy must follow from the raw files beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/format.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

using nlohmann::json;

const std::string folder = std::string(WATTUNE_SOURCE_DIR) + "/docs/results/h200_energy/";

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

json json_of(const std::string& name) {
  return json::parse(text_of(folder + "raw/" + name));
}

std::vector<json> measurements(const std::string& what) {
  std::vector<json> found;
  std::istringstream lines(text_of(folder + "raw/energy.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    json one = json::parse(line);
    if (one.at("what") == what) found.push_back(std::move(one));
  }
  return found;
}

std::vector<double> energies(const std::string& what) {
  std::vector<double> values;
  for (const json& one : measurements(what)) values.push_back(one.at("energy_j"));
  return values;
}

/// Whether the page has this text.
::testing::AssertionResult printed(const std::string& text) {
  if (text_of(folder + "README.md").find(text) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "the page lacks: " << text;
}

TEST(ResultsOfEnergyOnAnH200, SensorsAreAsTheyWereSeen) {
  std::map<std::string, std::string> settling;
  for (const json& one : measurements("settling"))
    settling[one.at("sensor")] = base::format_fixed(one.at("settling_s"), 2);
  std::size_t rows = 0;
  const json devices = json_of("devices.json");
  for (const json& sensor : devices.at("devices").at(0).at("sensors")) {
    if (!sensor.contains("measured_update_period_s")) continue;
    ++rows;
    const std::string name = sensor.at("name");
    const double period = sensor.at("measured_update_period_s");
    EXPECT_NEAR(period, name == "power_samples" ? 0.02 : 0.1, 0.001) << name;
    const std::string settles = settling.contains(name) ? " " + settling[name] : "";
    EXPECT_TRUE(printed("| `" + name + "` | " + base::format_fixed(period * 1e3, 1) + " |" + settles + " |"));
  }
  EXPECT_EQ(rows, 4U);
}

TEST(ResultsOfEnergyOnAnH200, MethodsAgreeAndRepeat) {
  const std::vector<double> methods = energies("three methods");
  ASSERT_EQ(methods.size(), 3U);
  const auto [least, most] = std::ranges::minmax(methods);
  const double spread = 100.0 * (most / least - 1.0);
  EXPECT_LT(spread, 3.0);
  EXPECT_TRUE(printed("largest against smallest | " + base::format_fixed(spread, 2) + " % |"));
  const std::vector<double> repeats = energies("ten repeats");
  ASSERT_EQ(repeats.size(), 10U);
  const double deviation = 100.0 * standard_deviation(repeats) / mean(repeats);
  EXPECT_LT(deviation, 1.5);
  EXPECT_TRUE(printed("standard deviation | " + base::format_fixed(deviation, 2) + " % |"));
  const json brief = measurements("20 microseconds").at(0);
  EXPECT_TRUE(printed("a kernel of " + base::format_fixed(brief.at("launch_time_s").get<double>() * 1e6, 1) + " µs"));
  EXPECT_TRUE(printed(base::format_fixed(brief.at("energy_j").get<double>() * 1e3, 2) + " mJ ± " +
                      base::format_fixed(brief.at("interval_percent"), 1) + " % in a window of " +
                      base::format_fixed(brief.at("window_s"), 2) + " s"));
}

TEST(ResultsOfEnergyOnAnH200, AdaptiveWindowsTakeAThirdOfTheTimeForTheSameWinner) {
  std::map<std::string, json> runs;
  for (const std::string name : {"adaptive", "fixed"}) {
    runs[name] = json_of("gemm_" + name + ".json");
    const json& run = runs[name];
    EXPECT_GE(run.at("evaluations").get<int>(), 200);
    EXPECT_EQ(run.at("evaluations"), run.at("statuses").at("correct"));
    const json& best = run.at("best");
    EXPECT_TRUE(printed("| `" + name + "` | " + base::format_fixed(run.at("seconds"), 1) + " | " +
                        base::format_fixed(best.at("time_s").get<double>() * 1e3, 3) + " | " +
                        base::format_fixed(best.at("energy_j"), 3) + " ± " +
                        base::format_fixed(best.at("energy").at("interval_percent"), 1) + " % |"));
  }
  const double share = runs["adaptive"].at("seconds").get<double>() / runs["fixed"].at("seconds").get<double>();
  EXPECT_LE(share, 1.0 / 3.0);
  EXPECT_TRUE(printed("take " + base::format_fixed(100.0 * share, 0) + " % of the time"));
  const json& adaptive = runs["adaptive"].at("best");
  const json& fixed = runs["fixed"].at("best");
  EXPECT_EQ(adaptive.at("parameters"), fixed.at("parameters"));
  const double difference = 100.0 * (adaptive.at("energy_j").get<double>() / fixed.at("energy_j").get<double>() - 1.0);
  EXPECT_LT(std::abs(difference), adaptive.at("energy").at("interval_percent").get<double>());
}

TEST(ResultsOfEnergyOnAnH200, OneSetOfMeasurementsServesThreeObjectives) {
  const json winner = json_of("gemm_adaptive.json").at("best").at("parameters");
  for (const std::string objective : {"time", "energy", "edp"}) {
    const json replay = json_of("replay_" + objective + ".json");
    EXPECT_EQ(replay.at("objective"), objective);
    EXPECT_EQ(replay.at("best").at("parameters"), winner) << objective;
  }
}

}  // namespace
}  // namespace wattune
