// Trade-offs and evidence on recordings made by hand: what counts, what is missing, and which readings belong.
#include "wattune/trade_off.hpp"

#include <gtest/gtest.h>

#include "analysis/recorded_quantity.hpp"
#include "recordings.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

RecordedSpace tiles() {
  return test::recording({{"tile", {Value(1), Value(2), Value(4), Value(8)}}});
}

TEST(TradeOffOfHand, FailedRepeatedAndIncompleteEntriesDoNotCount) {
  RecordedSpace space = tiles();
  test::add(space, {0}, 1.0, 5.0);
  test::add(space, {1}, 0.0, 0.1);  // failed
  test::add(space, {2}, 2.0);       // no energy
  test::add(space, {3}, 3.0, 0.5);  // replaced by the next
  test::add(space, {3}, 3.0, 4.0);
  const TradeOff result = trade_off(space, {{"time"}, {"energy"}});
  EXPECT_EQ(result.candidates, 2U);
  EXPECT_EQ(result.without, 1U);
  ASSERT_EQ(result.front.size(), 2U);
  EXPECT_EQ(result.front[0].entry, 0U);
  EXPECT_EQ(result.front[1].entry, 4U);
  EXPECT_NEAR(result.cost_percent, 200.0, 1e-9);
  EXPECT_NEAR(result.saving_percent, 20.0, 1e-9);
  EXPECT_FALSE(result.evidence.has_value());
  EXPECT_EQ(result.metrics[1].unit, "J");
}

TEST(TradeOffOfHand, OneConfigurationBestInAll) {
  RecordedSpace space = tiles();
  test::add(space, {0}, 1.0, 1.0);
  test::add(space, {1}, 2.0, 2.0);
  const TradeOff result = trade_off(space, {{"time"}, {"energy"}, {"edp"}});
  EXPECT_EQ(result.front.size(), 1U);
  EXPECT_EQ(result.ends, (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_EQ(result.cost_percent, 0.0);
  EXPECT_EQ(result.saving_percent, 0.0);
  EXPECT_FALSE(result.knee.has_value());
}

TEST(TradeOffOfHand, RefusesWhatItCannotAnswer) {
  RecordedSpace space = tiles();
  test::add(space, {0}, 1.0);
  EXPECT_THROW(trade_off(space, {{"time"}}), Error);
  EXPECT_THROW(trade_off(space, {{"time"}, {"energy"}}), Error);  // neither energy nor power
  EXPECT_THROW(trade_off(space, {{"time"}, {"tyme"}}), Error);
  EXPECT_FALSE(energy_evidence(space).has_value());
}

TEST(RecordedQuantity, ReadingsThatAreNotOfTheValueAreNotUsed) {
  RecordedSpace space = tiles();
  test::add(space, {0}, 1.0, 5.0, {0.98, 1.02, 1.0});
  test::add(space, {1}, 1.0, 5.0, {1.4, 1.5, 1.6});
  const analysis::RecordedQuantity time(space, "time_ms");
  EXPECT_EQ(time.unit(), "ms");
  EXPECT_EQ(time.samples(0), (std::vector<double>{980.0, 1020.0, 1000.0}));
  EXPECT_TRUE(time.samples(1).empty());
  EXPECT_EQ(time.interval(1)->percent(), 0.0);
  EXPECT_GT(time.interval(0)->percent(), 1.0);
  EXPECT_NEAR(*analysis::RecordedQuantity(space, "ed2p").at(0), 5.0, 1e-12);
  EXPECT_NEAR(*analysis::RecordedQuantity(space, "power").at(0), 5.0, 1e-12);
}

TEST(EnergyEvidenceOfHand, TheLimitIsTheConfigurationsOwnBeforeTheDevices) {
  RecordedSpace space = test::recording({{"power_limit_w", {Value(100), Value(300)}}});
  space.device_name = "NVIDIA A100-PCIE-40GB";
  test::add(space, {0}, 1.0, 150.0);
  test::add(space, {1}, 1.0, 280.0);
  const auto own = energy_evidence(space);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->over_limit, 1U);
  EXPECT_EQ(own->limit->value(), 300.0);
  space.parameters[0].name = "tile";
  const auto published = energy_evidence(space);
  EXPECT_EQ(published->over_limit, 1U);
  EXPECT_EQ(published->limit->value(), 250.0);
  space.device_name.clear();
  EXPECT_FALSE(energy_evidence(space)->limit.has_value());
  EXPECT_TRUE(energy_evidence(space)->warnings.empty());
}

TEST(EnergyEvidenceOfHand, AClearDifferenceIsEstablished) {
  RecordedSpace space = tiles();
  test::add(space, {0}, 1.0, 100.0);
  test::add(space, {1}, 1.5, 50.0);
  space.samples.push_back({"energys", {4, 8}, {99, 100, 101, 100, 49.5, 50, 50.5, 50}});
  const auto evidence = energy_evidence(space);
  ASSERT_TRUE(evidence.has_value());
  EXPECT_TRUE(evidence->has_readings);
  EXPECT_TRUE(evidence->difference.established);
  EXPECT_NEAR(evidence->difference.percent, -50.0, 1e-9);
  EXPECT_TRUE(evidence->warnings.empty());
}

}  // namespace
}  // namespace wattune
