// The figures printed in docs/results must follow from the raw files beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/format.hpp"
#include "base/text.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

const std::string folder = std::string(WATTUNE_SOURCE_DIR) + "/docs/results/h200_tuning/";

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Cells of "| a | b |", trimmed.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  const std::vector<std::string> parts = base::split(line, '|');
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) cells.emplace_back(base::trim(parts[i]));
  return cells;
}

struct Counts {
  std::size_t all = 0;
  std::size_t verified = 0;
  std::map<std::string, std::size_t> failed;
};

/// Statuses of a CSV export. Its numeric and status columns hold no quotes, and only the last column may.
Counts counts_of(const std::string& path) {
  const std::vector<std::string> lines = lines_of(path);
  const std::vector<std::string> header = base::split(lines.at(0), ',');
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  Counts counts;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> row = base::split(lines[i], ',');
    if (row.size() < header.size() - 1) continue;  // a further line of a quoted compiler message
    ++counts.all;
    const std::string& status = row.at(column("status"));
    if (status != "correct") {
      ++counts.failed[status];
    } else if (row.at(column("verification")) == "verified") {
      ++counts.verified;
    }
  }
  return counts;
}

std::string failed_text(const Counts& counts) {
  std::string text;
  for (const auto& [status, count] : counts.failed)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + status;
  return text.empty() ? "none" : text;
}

nlohmann::json json_of(const std::string& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

double cublas_median() {
  std::vector<double> gflops;
  for (const std::string& line : lines_of(folder + "raw/cublas.jsonl"))
    gflops.push_back(nlohmann::json::parse(line).at("gflops"));
  return median(gflops);
}

TEST(ResultsOfTuningOnAnH200, EveryRowFollowsFromItsFiles) {
  std::size_t rows = 0;
  for (const std::string& line : lines_of(folder + "README.md")) {
    if (!line.starts_with("| `")) continue;
    ++rows;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 9U) << line;
    const std::string name = cells[0].substr(1, cells[0].size() - 2);
    const Counts counts = counts_of(folder + "raw/" + name + ".csv");
    EXPECT_EQ(cells[3], std::to_string(counts.all)) << name;
    EXPECT_EQ(cells[4], std::to_string(counts.verified)) << name;
    EXPECT_EQ(cells[5], failed_text(counts)) << name;
    EXPECT_GE(counts.all, 150U) << name;
    EXPECT_EQ(
        counts.verified +
            [&] {
              std::size_t failed = 0;
              for (const auto& [status, count] : counts.failed) failed += count;
              return failed;
            }(),
        counts.all)
        << name << ": every configuration is verified or counted as failed";

    const nlohmann::json best = json_of(folder + "raw/" + name + ".json").at("best");
    EXPECT_NEAR(std::stod(cells[6]), best.at("time_s").get<double>() * 1e3, 1e-3 * std::stod(cells[6])) << name;
    const std::string unit = cells[7].substr(cells[7].find(' ') + 1);
    const std::string metric = unit == "GFLOP/s" ? "gflops" : unit == "Gcell/s" ? "gcells" : "gsamples";
    EXPECT_NEAR(std::stod(cells[7]), best.at("metrics").at(metric).get<double>(), 0.51) << name;
    const nlohmann::json& speedup = best.at("speedup");
    EXPECT_EQ(cells[8], base::format_fixed(speedup.at("value"), 2) + " ± " +
                            base::format_fixed(speedup.at("interval_percent"), 1) + " %")
        << name;
  }
  EXPECT_EQ(rows, 5U);
}

TEST(ResultsOfTuningOnAnH200, TheShareOfCublasIsRecomputed) {
  const double cublas = cublas_median();
  const double gemm = json_of(folder + "raw/gemm_cuda.json").at("best").at("metrics").at("gflops");
  const std::string page = base::read_file(folder + "README.md", "results");
  EXPECT_NE(page.find("median " + base::format_fixed(cublas, 0) + " GFLOP/s"), std::string::npos);
  EXPECT_NE(page.find("reaches " + base::format_fixed(100.0 * gemm / cublas, 1) + " % of it"), std::string::npos);
  EXPECT_GE(gemm / cublas, 0.6);
}

}  // namespace
}  // namespace wattune
