// Devices are found by the names that recordings give them, and never by a name that is merely similar.
#include "wattune/device_facts.hpp"

#include <gtest/gtest.h>

namespace wattune {
namespace {

TEST(DeviceFacts, FoundByEveryWayToWriteTheName) {
  for (const char* name : {"NVIDIA A100-PCIE-40GB", "A100-PCIE-40GB", "nvidia a100 pcie 40gb", "A100_PCIE_40GB"}) {
    const DeviceFacts* facts = device_facts(name);
    ASSERT_NE(facts, nullptr) << name;
    EXPECT_EQ(facts->power_limit.value(), 250.0);
    EXPECT_EQ(in_megahertz(*facts->base_clock), 765.0);
  }
}

TEST(DeviceFacts, SupportedClocks) {
  EXPECT_EQ(device_facts("NVIDIA A100-PCIE-40GB")->supported_clocks().size(), 81U);
  EXPECT_EQ(device_facts("NVIDIA RTX A4000")->supported_clocks().size(), 127U);
  EXPECT_EQ(device_facts("NVIDIA H200")->supported_clocks().size(), 110U);
  EXPECT_TRUE(device_facts("Tesla V100-PCIE-16GB")->supported_clocks().empty());
}

TEST(DeviceFacts, UnknownDevicesHaveNone) {
  for (const char* name : {"", "NVIDIA A100", "A100", "NVIDIA RTX A400", "AMD MI50", "NVIDIA"})
    EXPECT_EQ(device_facts(name), nullptr) << name;
}

}  // namespace
}  // namespace wattune
