// Capping against clocks on a published grid of an A100 (two workloads, five clocks, seven limits), against values read
// off its file. Skipped without data.
#include "wattune/capping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "wattune/formats.hpp"

namespace wattune {
namespace {

std::vector<CappingWorkload> workloads() {
  const std::string path = WATTUNE_SOURCE_DIR "/../shared/data/clock_cap_grid/a100_clock_x_power_limit.csv";
  if (!std::filesystem::exists(path)) return {};
  return compare_capping(import_recording(path));
}

struct Expected {
  double clock, cap, energy;
};

void expect_cell(const CappingWorkload& workload, std::size_t i, const Expected& expected) {
  const CappingCell& cell = workload.cells[i];
  EXPECT_EQ(in_megahertz(cell.clock), expected.clock);
  EXPECT_EQ(cell.cap.value(), expected.cap);
  EXPECT_NEAR(cell.energy.value(), expected.energy, 0.05);
}

bool says(const CappingWorkload& workload, const std::string& words) {
  return std::any_of(workload.messages.begin(), workload.messages.end(),
                     [&](const std::string& message) { return message.find(words) != std::string::npos; });
}

TEST(CappingOnA100, BabelstreamIsMemoryBound) {
  const auto all = workloads();
  if (all.empty()) GTEST_SKIP() << "skipped: no data";
  ASSERT_EQ(all.size(), 2U);
  const CappingWorkload& workload = all[0];
  EXPECT_EQ(workload.name, "babelstream");
  expect_cell(workload, workload.baseline, {1410, 300, 5158.3});
  expect_cell(workload, workload.best_pair, {1005, 150, 3163.5});
  expect_cell(workload, workload.best_cap, {1410, 150, 3379.7});
  expect_cell(workload, workload.best_clock, {1005, 300, 3280.8});
  EXPECT_FALSE(workload.scales);
  EXPECT_FALSE(workload.lowest_by_cap.has_value());
  EXPECT_TRUE(says(workload, "edge of the grid"));
  EXPECT_TRUE(says(workload, "does not follow the clock"));
}

TEST(CappingOnA100, PiSolverIsComputeBound) {
  const auto all = workloads();
  if (all.empty()) GTEST_SKIP() << "skipped: no data";
  const CappingWorkload& workload = all[1];
  EXPECT_EQ(workload.name, "pi-solver");
  expect_cell(workload, workload.baseline, {1410, 300, 3503.9});
  expect_cell(workload, workload.best_pair, {1005, 175, 2189.6});
  expect_cell(workload, workload.best_cap, {1410, 150, 2285.8});
  expect_cell(workload, workload.best_clock, {1005, 300, 2211.7});
  const bool tied = std::any_of(workload.tied.begin(), workload.tied.end(), [&](std::size_t i) {
    return in_megahertz(workload.cells[i].clock) == 1005.0 && workload.cells[i].cap.value() == 150.0;
  });
  EXPECT_TRUE(tied);
  EXPECT_TRUE(workload.scales);
  // By hand: clock x time is 16,434 to 16,690 MHz s where nothing holds it, and 15.356 s under 150 W: 1070 to 1087 MHz.
  ASSERT_TRUE(workload.lowest_by_cap.has_value());
  EXPECT_NEAR(in_megahertz(*workload.lowest_by_cap), 1080.0, 15.0);
  EXPECT_EQ(workload.unreachable, std::vector<Hertz>{megahertz(1005)});
  EXPECT_TRUE(says(workload, "edge of the grid"));
  // A fixed clock is the more predictable: a cap's result depends on the clock asked for.
  EXPECT_LT(*workload.by_clock.time_percent, *workload.by_cap.time_percent);
}

}  // namespace
}  // namespace wattune
