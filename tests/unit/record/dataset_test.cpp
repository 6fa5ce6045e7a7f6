// A small grid by hand: what is found in it, what is refused.
#include "wattune/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace wattune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset small() {
  Dataset data;
  data.name = "small";
  for (const double memory : {800.0, 3505.0}) {
    for (const double core : {500.0, 750.0, 1000.0})
      data.configurations.push_back({0, megahertz(core), megahertz(memory), Watts(0)});
  }
  data.kernels = {{"a/1", "a"}, {"a/2", "a"}, {"b", "b"}};
  data.counters = {"occupancy", "raw.vendor.x"};
  data.clear_cells();
  for (std::size_t i = 0; i < data.time.size(); ++i) {
    data.time[i] = 1.0 + static_cast<double>(i);
    data.power[i] = 100.0;
  }
  data.set_counter(data.cell(2, 5), 1, 42.0);
  return data;
}

TEST(Dataset, KnowsItsAxesAndCells) {
  const Dataset data = small();
  EXPECT_THAT(data.axes(), ElementsAre(HardwareAxis::core_clock, HardwareAxis::memory_clock));
  EXPECT_THAT(data.values(HardwareAxis::core_clock), ElementsAre(500, 750, 1000));
  EXPECT_EQ(data.measurements(), 18U);
  EXPECT_THAT(data.groups(), ElementsAre("a", "b"));
  EXPECT_EQ(data.counter(data.cell(2, 5), 1), 42.0);
  EXPECT_EQ(data.counter(data.cell(2, 5), 0), std::nullopt);
  EXPECT_EQ(data.find_configuration({0, megahertz(750), megahertz(3505), Watts(0)}), 4U);
  EXPECT_EQ(to_string(data.configurations[4]), "core_clock_mhz=750,memory_clock_mhz=3505");
  EXPECT_TRUE(validate(data).empty());
}

TEST(Dataset, FindsConfigurationsByText) {
  const Dataset data = small();
  EXPECT_EQ(base_configuration(data, "max"), 5U);
  EXPECT_EQ(base_configuration(data, "core_clock_mhz=500, memory_clock_mhz=3505"), 3U);
  EXPECT_THAT(matching_configurations(data, "core_clock_mhz=500:1000:500"), ElementsAre(1, 0, 1, 1, 0, 1));
  EXPECT_THAT(matching_configurations(data, "memory_clock_mhz=800,core_clock_mhz=600:1000"),
              ElementsAre(0, 1, 1, 0, 0, 0));
  EXPECT_THROW(base_configuration(data, "core_clock_mhz=500"), Error);
  EXPECT_THROW(base_configuration(data, "core_clock_mhz=501,memory_clock_mhz=800"), Error);
  EXPECT_THROW(matching_configurations(data, "core_clock_mhz=fast"), Error);
  try {
    matching_configurations(data, "core_clok_mhz=500");
    FAIL() << "an unknown axis";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'core_clock_mhz'?"));
  }
}

TEST(Dataset, PartsKeepTheirCells) {
  const Dataset data = small();
  const Dataset slow = with_configurations(data, matching_configurations(data, "memory_clock_mhz=3505"));
  ASSERT_EQ(slow.configurations.size(), 3U);
  EXPECT_EQ(slow.time[slow.cell(1, 2)], data.time[data.cell(1, 5)]);
  EXPECT_EQ(slow.counter(slow.cell(2, 2), 1), 42.0);
  const std::vector<std::uint8_t> keep = {0, 1, 1};
  const Dataset two = with_kernels(data, keep);
  EXPECT_EQ(two.kernels[1].name, "b");
  EXPECT_EQ(two.time[two.cell(1, 3)], data.time[data.cell(2, 3)]);
  EXPECT_TRUE(validate(two).empty());
}

TEST(Dataset, FaultsAreNamed) {
  Dataset data = small();
  data.time[data.cell(1, 2)] = -1.0;
  data.power[data.cell(2, 0)] = std::numeric_limits<double>::quiet_NaN();
  data.kernels[2].name = "a/1";
  data.configurations[1].core_clock = Hertz(0);
  std::string all;
  for (const Problem& problem : validate(data)) all += to_string(problem) + "\n";
  EXPECT_THAT(all, HasSubstr("time is -1 s"));
  EXPECT_THAT(all, HasSubstr("power is nan W"));
  EXPECT_THAT(all, HasSubstr("two kernels have the name 'a/1'"));
  EXPECT_THAT(all, HasSubstr("core_clock_mhz of configuration memory_clock_mhz=800 is 0"));
}

}  // namespace
}  // namespace wattune
