#include "tune/launch.hpp"

#include <gtest/gtest.h>

#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune::tune {
namespace {

GridDimension divided(const std::string& size, std::vector<std::string> divisors) {
  GridDimension dimension;
  if (!size.empty()) dimension.size = LocatedText{size, {}};
  for (std::string& text : divisors) dimension.divisors.push_back({std::move(text), {}});
  return dimension;
}

class LaunchGeometry : public ::testing::Test {
 protected:
  [[nodiscard]] std::array<std::uint64_t, 3> grid(std::vector<GridDimension> dimensions) const {
    LaunchSpec spec;
    spec.grid = std::move(dimensions);
    return Launch(spec, environment_).geometry(environment_, configuration_).grid;
  }
  Environment environment_{{"block_x", "block_y"}, {{"X", Value(1024)}, {"Y", Value(1024)}}};
  std::vector<Value> configuration_{Value(41), Value(37)};
};

TEST_F(LaunchGeometry, SizesAreDividedRoundedUp) {
  EXPECT_EQ(grid({divided("X", {"block_x"}), divided("Y", {"block_y"})}), (std::array<std::uint64_t, 3>{25, 28, 1}));
  EXPECT_EQ(grid({divided("X", {"41"}), divided("Y", {"37"})}), (std::array<std::uint64_t, 3>{25, 28, 1}));
}

TEST_F(LaunchGeometry, WithoutDivisorsTheSizeItself) {
  EXPECT_EQ(grid({divided("X", {})})[0], 1024U);
}

TEST_F(LaunchGeometry, DivisorsMultiplyAndAreTruncatedEach) {
  EXPECT_EQ(grid({divided("X", {"block_x"}), divided("Y", {"2", "block_y"})})[1], 14U);
  EXPECT_EQ(grid({divided("X", {"block_x*8"}), divided("Y", {"(block_y+2)/8"})}),
            (std::array<std::uint64_t, 3>{4, 256, 1}))
      << "39/8 = 4.875 counts as 4";
  EXPECT_EQ(grid({divided("X", {"block_x", "block_y"})})[0], 1U);
}

TEST_F(LaunchGeometry, TheProblemGivesSizesInItsOwnOrder) {
  EXPECT_EQ(grid({divided("", {"block_x"}), divided("", {"block_y"})})[1], 28U);
}

TEST_F(LaunchGeometry, BlocksMayBeGivenAsExpressions) {
  GridDimension x;
  x.blocks = LocatedText{"block_x + 30", {}};
  GridDimension y;
  y.blocks = LocatedText{"block_y*3", {}};
  EXPECT_EQ(grid({x, y}), (std::array<std::uint64_t, 3>{71, 111, 1}));
}

TEST_F(LaunchGeometry, ADivisorOfZeroIsAnError) {
  EXPECT_THROW(static_cast<void>(grid({divided("X", {"block_x // 42"})})), Error);
}

TEST_F(LaunchGeometry, ATextIsNoSize) {
  EXPECT_THROW(static_cast<void>(grid({divided("'wide'", {"block_x"})})), Error);
}

TEST_F(LaunchGeometry, ASizeIsWhole) {
  EXPECT_THROW(static_cast<void>(grid({divided("X / 3", {"block_x"})})), Error);
  EXPECT_THROW(static_cast<void>(grid({divided("10.5", {"2"})})), Error);
  EXPECT_EQ(grid({divided("X / 2", {"2"})})[0], 256U);
}

TEST_F(LaunchGeometry, NoGridIsAnError) {
  EXPECT_THROW(static_cast<void>(grid({})), Error);
}

TEST(BlockExpressions, DefaultsAreTheNamesOfTheField) {
  const Environment environment({"block_size_x", "tile"}, {});
  const auto block = block_expressions({}, environment);
  ASSERT_EQ(block.size(), 3U);
  EXPECT_EQ(block[0].value, "block_size_x");
  EXPECT_EQ(block[1].value, "1");
}

TEST(DeviceLimits, ThreadsOfABlockAreAnImplicitConstraint) {
  Spec spec;
  spec.parameters.resize(2);
  spec.parameters[0].name = "block_size_x";
  spec.parameters[0].values = {Value(32), Value(1024)};
  spec.parameters[1].name = "block_size_y";
  spec.parameters[1].values = {Value(1), Value(32)};
  DeviceDescription device;
  device.name = "small";
  device.max_block_threads = 1024;
  EXPECT_EQ(build_space(spec, &device).size(), 3U);
  EXPECT_EQ(build_space(spec).size(), 4U);
}

TEST(DeviceLimits, LocalMemoryThatFollowsTheConfigurationIsOneToo) {
  Spec spec;
  spec.problem = {{"width", Value(4), {}}};
  spec.parameters.resize(1);
  spec.parameters[0].name = "tile";
  spec.parameters[0].values = {Value(16), Value(64), Value(128)};
  spec.launch.shared_bytes = LocatedText{"tile * tile * width", {}};
  DeviceDescription device;
  device.name = "small";
  device.local_memory_bytes = 16384;
  EXPECT_EQ(build_space(spec, &device).size(), 2U);
}

}  // namespace
}  // namespace wattune::tune
