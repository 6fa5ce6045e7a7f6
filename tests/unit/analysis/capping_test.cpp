// Capping against clocks on grids whose answer is known by construction: t = t_0 + n/f, P = P_0 + k f^3, and a cap that
// lowers the clock until the power fits.
#include "wattune/capping.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "recordings.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

const std::vector<double> clocks{600, 900, 1200, 1500};
const std::vector<double> caps{100, 150, 300};

struct Made {
  double fixed = 0.0, cycles = 3.0;  // s, s GHz
  [[nodiscard]] double power(double ghz) const { return 40.0 + 40.0 * ghz * ghz * ghz; }
  [[nodiscard]] double clock_under(double cap, double asked) const {
    return std::min(asked, std::cbrt((cap - 40.0) / 40.0));
  }
  [[nodiscard]] double time(double ghz) const { return fixed + cycles / ghz; }
};

RecordedSpace grid(const Made& made) {
  std::vector<Value> clock_values, cap_values;
  for (const double clock : clocks) clock_values.emplace_back(clock);
  for (const double cap : caps) cap_values.emplace_back(cap);
  RecordedSpace space = test::recording({{"core_clock_mhz", clock_values}, {"power_limit_w", cap_values}});
  for (std::uint32_t i = 0; i < clocks.size(); ++i) {
    for (std::uint32_t j = 0; j < caps.size(); ++j) {
      const double ghz = made.clock_under(caps[j], clocks[i] * 1e-3);
      test::add(space, {i, j}, made.time(ghz), made.time(ghz) * made.power(ghz));
    }
  }
  return space;
}

TEST(Capping, EffectiveClocksFollowFromTheTimesOfAComputeBoundKernel) {
  const Made made;
  const auto workloads = compare_capping(grid(made));
  ASSERT_EQ(workloads.size(), 1U);
  const CappingWorkload& workload = workloads.front();
  EXPECT_TRUE(workload.scales);
  EXPECT_NEAR(workload.scaled_share, 1.0, 1e-9);
  for (const CappingCell& cell : workload.cells) {
    const double truth = made.clock_under(cell.cap.value(), cell.clock.value() * 1e-9);
    ASSERT_TRUE(cell.effective.has_value());
    EXPECT_NEAR(cell.effective->value() * 1e-9, truth, 1e-6) << in_megahertz(cell.clock) << ' ' << cell.cap.value();
    EXPECT_EQ(cell.held, truth < cell.clock.value() * 1e-9) << in_megahertz(cell.clock) << ' ' << cell.cap.value();
  }
  // The 100 W cap leads to cbrt(1.5) = 1.145 GHz, so 600 and 900 MHz are out of its reach.
  EXPECT_NEAR(in_megahertz(*workload.lowest_by_cap), 1144.7, 0.1);
  EXPECT_EQ(workload.unreachable, (std::vector<Hertz>{megahertz(600), megahertz(900)}));
}

TEST(Capping, LowestEnergiesOfEach) {
  const auto workload = compare_capping(grid(Made{})).front();
  const auto at = [&](std::size_t i) {
    return std::pair(in_megahertz(workload.cells[i].clock), workload.cells[i].cap.value());
  };
  EXPECT_EQ(at(workload.baseline), std::pair(1500.0, 300.0));
  // E = 3 (40 / f + 40 f^2) is least at cbrt(0.5) = 0.794 GHz; of the grid 900 MHz is best (0.6: 243.2, 0.9: 230.5).
  EXPECT_EQ(in_megahertz(workload.cells[workload.best_clock].clock), 900.0);
  EXPECT_EQ(in_megahertz(workload.cells[workload.best_pair].clock), 900.0);
  EXPECT_EQ(at(workload.best_cap), std::pair(1500.0, 100.0));
  const double base = 3.0 * (40.0 / 1.5 + 40.0 * 2.25);
  EXPECT_NEAR(workload.cells[workload.best_clock].saving_percent, 100.0 * (1.0 - 3.0 * (40.0 / 0.9 + 32.4) / base),
              1e-9);
  ASSERT_FALSE(workload.messages.empty());
  EXPECT_NE(workload.messages.front().find("lowest power limit, 100 W"), std::string::npos);
  EXPECT_EQ(workload.messages.front().find("lowest clock"), std::string::npos);
}

TEST(Capping, NothingIsSaidAboutClocksOfAMemoryBoundWorkload) {
  const auto workload = compare_capping(grid(Made{2.0, 0.05})).front();
  EXPECT_FALSE(workload.scales);
  EXPECT_FALSE(workload.lowest_by_cap.has_value());
  EXPECT_TRUE(workload.unreachable.empty());
  for (const CappingCell& cell : workload.cells) EXPECT_FALSE(cell.effective.has_value());
}

TEST(Capping, EqualCellsShowTheNoiseAndTies) {
  RecordedSpace space = grid(Made{});
  RecordedNumbers& energy = test::column(space, "energy");
  // 600 MHz under its three caps, and 900 MHz under its three caps, are free: 1 % up and down.
  for (const std::size_t first : {0U, 3U}) {
    energy.values[first] *= 0.99;
    energy.values[first + 2] *= 1.01;
  }
  const auto workload = compare_capping(space).front();
  EXPECT_GT(workload.noise_percent, 0.5);
  EXPECT_LT(workload.noise_percent, 1.0);
  EXPECT_EQ(workload.cells[workload.best_pair].cap.value(), 100.0);
  std::vector<double> tied;
  for (const std::size_t i : workload.tied) {
    EXPECT_EQ(in_megahertz(workload.cells[i].clock), 900.0);
    tied.push_back(workload.cells[i].cap.value());
  }
  EXPECT_EQ(tied, (std::vector<double>{150, 300}));
}

TEST(Capping, TunablesCountWithTheirBestAndTextsNameWorkloads) {
  RecordedSpace space = test::recording({{"workload", {Value("a"), Value("b")}},
                                         {"tile", {Value(1), Value(2)}},
                                         {"nvml_gr_clock", {Value(1000), Value(2000)}},
                                         {"nvml_pwr_limit", {Value(200)}}});
  test::add(space, {0, 0, 0, 0}, 2.0, 30.0);
  test::add(space, {0, 1, 0, 0}, 2.0, 20.0);
  test::add(space, {0, 0, 1, 0}, 1.0, 40.0);
  test::add(space, {1, 0, 1, 0}, 1.0, 50.0);
  const auto workloads = compare_capping(space);
  ASSERT_EQ(workloads.size(), 2U);
  EXPECT_EQ(workloads[0].name, "a");
  ASSERT_EQ(workloads[0].cells.size(), 2U);
  EXPECT_EQ(workloads[0].cells[0].entry, 1U);
  EXPECT_EQ(workloads[0].cells[workloads[0].best_clock].energy.value(), 20.0);
  EXPECT_EQ(workloads[1].cells.size(), 1U);
}

TEST(Capping, RefusesWhatItCannotCompare) {
  RecordedSpace no_cap = test::recording({{"core_clock_mhz", {Value(1000)}}});
  test::add(no_cap, {0}, 1.0, 1.0);
  EXPECT_THROW(compare_capping(no_cap), Error);
  RecordedSpace no_energy = test::recording({{"core_clock_mhz", {Value(1000)}}, {"power_limit_w", {Value(100)}}});
  test::add(no_energy, {0, 0}, 1.0);
  EXPECT_THROW(compare_capping(no_energy), Error);
}

}  // namespace
}  // namespace wattune
