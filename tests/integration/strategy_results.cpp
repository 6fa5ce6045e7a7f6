// The figures printed in docs/results/strategies must follow from the raw files beside them, and `auto` must be what it
// is said to be: never worse than random search by more than noise, first or tied in aggregate.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/format.hpp"
#include "base/text.hpp"

namespace wattune {
namespace {

using Json = nlohmann::json;

const std::string folder = std::string(WATTUNE_SOURCE_DIR) + "/docs/results/strategies/";
const std::vector<int> budgets = {25, 50, 100, 200, 400};
const std::vector<std::string> studies = {"mi50", "choice", "held_out"};

Json study(const std::string& name) {
  return Json::parse(base::read_file(folder + "raw/" + name + ".json", "study"));
}

std::string fixed(double value) {
  return base::format_fixed(value, 3);
}

/// Cells of "| a | b |", trimmed, without the quotes of code.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  const std::vector<std::string> parts = base::split(line, '|');
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    std::string cell(base::trim(parts[i]));
    std::erase(cell, '`');
    cells.push_back(cell);
  }
  return cells;
}

/// Rows of the tables of a section of the page, whose first column is `first`.
std::vector<std::vector<std::string>> rows_of(const std::string& section, const std::string& first) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  bool in_table = false;
  for (const std::string& line : base::split(base::read_file(folder + "README.md", "results"), '\n')) {
    if (line.starts_with("## ")) inside = line.find("raw/" + section + ".json") != std::string::npos;
    if (!inside || !line.starts_with("|")) {
      in_table = false;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (!in_table) {
      in_table = true;
      if (cells.front() == first)
        rows.push_back(cells);
      else
        rows.emplace_back();  // a table of another kind: its rows are skipped
      continue;
    }
    if (!rows.empty() && !rows.back().empty() && !line.starts_with("|---")) rows.push_back(cells);
  }
  std::erase_if(rows, [](const auto& row) { return row.empty(); });
  return rows;
}

/// Mean of a number of the rows of one strategy and budget over the spaces.
double mean_of(const Json& study, const std::string& strategy, int budget, const char* key) {
  double sum = 0.0;
  double count = 0.0;
  for (const Json& row : study["rows"]) {
    if (row["strategy"] != strategy || row["budget"] != budget) continue;
    sum += row[key].get<double>();
    count += 1.0;
  }
  EXPECT_GT(count, 0.0) << strategy << " " << budget;
  return sum / count;
}

const Json& find(const Json& list, const std::string& strategy, const std::string& space = "") {
  for (const Json& entry : list) {
    if (entry["strategy"] == strategy && (space.empty() || entry["space"] == space)) return entry;
  }
  throw std::runtime_error("no " + strategy + " " + space);
}

std::string score_text(const Json& score) {
  return fixed(score["score"]) + " (" + fixed(score["interval"][0]) + " … " + fixed(score["interval"][1]) + ")";
}

class ResultsOfStrategies : public ::testing::TestWithParam<std::string> {};

TEST_P(ResultsOfStrategies, FractionsAndScoresFollow) {
  const Json results = study(GetParam());
  const auto rows = rows_of(GetParam(), "strategy");
  ASSERT_EQ(rows.size(), results["aggregate"].size() + 2) << "a header, every strategy, random search";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& cells = rows[i];
    ASSERT_EQ(cells.size(), budgets.size() + 2) << cells.front();
    const bool random = cells.front() == "random search, expected";
    for (std::size_t b = 0; b < budgets.size(); ++b) {
      const double value = random ? mean_of(results, "random_sample", budgets[b], "random_fraction_of_optimum")
                                  : mean_of(results, cells.front(), budgets[b], "mean_fraction_of_optimum");
      EXPECT_EQ(cells[b + 1], fixed(value)) << cells.front() << " after " << budgets[b];
    }
    EXPECT_EQ(cells.back(), random ? "0" : score_text(find(results["aggregate"], cells.front()))) << cells.front();
  }
}

TEST_P(ResultsOfStrategies, ScoresOfEverySpaceFollow) {
  const Json results = study(GetParam());
  if (results["spaces"].size() == 1) return;  // the aggregate is the space's
  const auto rows = rows_of(GetParam(), "score");
  ASSERT_EQ(rows.size(), results["aggregate"].size() + 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), results["spaces"].size() + 1);
    for (std::size_t s = 1; s < rows[i].size(); ++s)
      EXPECT_EQ(rows[i][s], fixed(find(results["scores"], rows[i][0], rows[0][s])["score"])) << rows[i][0];
  }
}

TEST_P(ResultsOfStrategies, LeavingOneOutFollows) {
  const Json results = study(GetParam());
  if (results["leave_one_out"].empty()) return;
  const auto rows = rows_of(GetParam(), "left out");
  ASSERT_EQ(rows.size(), results["leave_one_out"].size() + 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Json& expected = results["leave_one_out"][i - 1];
    EXPECT_EQ(rows[i], (std::vector<std::string>{expected["space"], expected["chosen"], fixed(expected["score"]),
                                                 expected["best"], fixed(expected["best_score"])}));
  }
}

TEST_P(ResultsOfStrategies, AutoIsNeverWorseThanRandomByMoreThanNoise) {
  for (const Json& score : study(GetParam())["scores"]) {
    if (score["strategy"] != "auto") continue;
    EXPECT_GE(score["interval"][1].get<double>(), 0.0) << score["space"];
  }
}

TEST_P(ResultsOfStrategies, AutoIsFirstOrTiedInAggregate) {
  const Json results = study(GetParam());
  const double upper = find(results["aggregate"], "auto")["interval"][1];
  for (const Json& score : results["aggregate"])
    EXPECT_GE(upper, score["interval"][0].get<double>()) << score["strategy"];
}

INSTANTIATE_TEST_SUITE_P(All, ResultsOfStrategies, ::testing::ValuesIn(studies));

TEST(ResultsOfStrategiesOnMi50, AutoBeatsThePublishedStrategies) {
  const Json results = study("mi50");
  EXPECT_EQ(results["repeats"], 200);
  EXPECT_EQ(results["spaces"][0]["configurations"], 864);
  EXPECT_EQ(results["spaces"][0]["failures"], 450);
  const std::vector<double> wanted = {0.75, 0.88, 0.98, 0.995, 1.0};
  for (std::size_t b = 0; b < budgets.size(); ++b)
    EXPECT_GE(mean_of(results, "auto", budgets[b], "mean_fraction_of_optimum"), wanted[b]) << budgets[b];
}

}  // namespace
}  // namespace wattune
