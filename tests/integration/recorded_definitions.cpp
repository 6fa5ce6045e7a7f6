// The space definitions of the public benchmark collection: exact counts of valid configurations.
#include <gtest/gtest.h>

#include <filesystem>

#include "wattune/formats.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

struct Expected {
  const char* file;
  double cartesian;
  std::uint64_t valid;
};

class RecordedDefinition : public ::testing::TestWithParam<Expected> {};

TEST_P(RecordedDefinition, HasTheKnownNumberOfConfigurations) {
  const std::string path = std::string(WATTUNE_SOURCE_DIR) + "/../shared/data/tuning_spaces/kernels/" + GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no data";
  DeviceDescription limits;
  limits.name = "any GPU";
  limits.max_block_threads = 1024;
  const Space space = build_space(read_spec(path), &limits);
  EXPECT_DOUBLE_EQ(space.cartesian_size(), GetParam().cartesian);
  EXPECT_EQ(space.size(), GetParam().valid);
  EXPECT_LE(static_cast<double>(space.bytes()), 24.0 * static_cast<double>(space.size()));
  const ConfigurationId last = space.size() - 1;
  EXPECT_EQ(space.find(space.digits(last)), std::optional(last));
}

INSTANTIATE_TEST_SUITE_P(
    All, RecordedDefinition,
    ::testing::Values(Expected{"convolution_milo.json", 10240, 4362}, Expected{"dedispersion_milo.json", 22272, 11130},
                      Expected{"gemm_milo.json", 663552, 116928}, Expected{"hotspot_milo.json", 4440000, 82984},
                      Expected{"large_T1.json", 3145728, 1867776}, Expected{"pnpoly.json", 4092, 4092}));

}  // namespace
}  // namespace wattune
