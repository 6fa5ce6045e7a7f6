// Trade-offs and the evidence for energies on public recordings, against values counted by hand. Skipped without data.
#include "wattune/trade_off.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "wattune/formats.hpp"

namespace wattune {
namespace {

std::optional<RecordedSpace> recording(const std::string& file) {
  const std::string path = WATTUNE_SOURCE_DIR "/../shared/data/" + file;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return import_recording(path);
}

const std::string gemm = "gemm_energy/A100_gemm_898_energy.json";

TEST(TradeOff, GemmOnA100BuysEnergyWithTimeButItsSamplesDoNotShowIt) {
  const auto space = recording(gemm);
  if (!space) GTEST_SKIP() << "skipped: no data";
  const TradeOff result = trade_off(*space, {{"time"}, {"energy"}});
  EXPECT_EQ(result.candidates, 898U);
  EXPECT_EQ(result.front.size(), 6U);
  EXPECT_EQ(result.ends, (std::vector<std::size_t>{0, 5}));
  EXPECT_NEAR(result.cost_percent, 20.8, 0.05);
  EXPECT_NEAR(result.saving_percent, 21.2, 0.05);
  const TradeOffPoint& fastest = result.front.front();
  const TradeOffPoint& frugal = result.front.back();
  EXPECT_NEAR(fastest.values[0].value * 1e3, 10.160, 0.0005);
  EXPECT_NEAR(fastest.values[1].value, 2.780, 0.0005);
  EXPECT_NEAR(frugal.values[0].value * 1e3, 12.275, 0.0005);
  EXPECT_NEAR(frugal.values[1].value, 2.192, 0.0005);
  EXPECT_GT(frugal.values[1].percent(), 10.0);
  ASSERT_TRUE(result.evidence.has_value());
  EXPECT_FALSE(result.evidence->established);
  EXPECT_LE(result.evidence->low_percent, -21.2);
  EXPECT_GE(result.evidence->high_percent, 0.0);
}

TEST(TradeOff, EfficiencyIsMaximised) {
  const auto space = recording(gemm);
  if (!space) GTEST_SKIP() << "skipped: no data";
  const TradeOff result = trade_off(*space, {{"GFLOP/s", true}, {"GFLOPS/W", true}});
  EXPECT_NEAR(result.cost_percent, 100.0 * (1.0 - 10.159648 / 12.27504), 0.01);
  EXPECT_GT(result.saving_percent, 20.0);
}

TEST(TradeOff, TimeAndEnergyOfVectorAdd) {
  const auto space = recording("kernel_tuner_caches/vector_add_time_energy_15.json");
  if (!space) GTEST_SKIP() << "skipped: no data";
  const TradeOff result = trade_off(*space, {{"time"}, {"energy"}});
  std::vector<double> blocks;
  for (const TradeOffPoint& point : result.front) blocks.push_back(space->value(point.entry, 0).as_number());
  std::sort(blocks.begin(), blocks.end());
  EXPECT_EQ(blocks, (std::vector<double>{832, 896}));
}

TEST(EnergyEvidence, ImpossiblePowerScatterAndSelectionAreSaid) {
  const auto space = recording(gemm);
  if (!space) GTEST_SKIP() << "skipped: no data";
  const auto evidence = energy_evidence(*space);
  ASSERT_TRUE(evidence.has_value());
  EXPECT_EQ(evidence->candidates, 898U);
  EXPECT_EQ(evidence->over_limit, 332U);
  EXPECT_EQ(evidence->limit->value(), 250.0);
  EXPECT_NEAR(evidence->highest_power.value(), 298.8, 0.1);
  EXPECT_NEAR(evidence->scatter_percent, 25.3, 0.1);
  EXPECT_NEAR(evidence->best.energy.value, 2.192, 0.0005);
  EXPECT_NEAR(evidence->best.time.value * 1e3, 12.275, 0.0005);
  EXPECT_LT(evidence->best.energy.low, evidence->best.energy.value);
  EXPECT_FALSE(evidence->difference.established);
  ASSERT_EQ(evidence->warnings.size(), 3U);
  EXPECT_NE(evidence->warnings[0].find("332 of 898"), std::string::npos);
  EXPECT_NE(evidence->warnings[2].find("not established"), std::string::npos);
  // A device with a higher limit would make these powers possible.
  EXPECT_EQ(energy_evidence(*space, Watts(300.0))->over_limit, 0U);
}

}  // namespace
}  // namespace wattune
