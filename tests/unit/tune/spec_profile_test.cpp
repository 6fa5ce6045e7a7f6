// A configuration's profile from the expressions of its spec.
#include "wattune/spec_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

using testing::HasSubstr;

Spec spec_with(const std::string& profile) {
  return parse_toml_spec(
      "[kernel]\nname = 'k'\nsource = 'x'\n[problem]\nN = 1000\nword = 'high'\n"
      "[launch]\ngrid = [ { size = 'N', divide = ['block*work'] }, 3 ]\nblock = ['block', 2]\nshared_bytes = "
      "'8*block'\n"
      "[tune.parameters]\nblock = [32, 64]\nwork = [1, 0]\n" +
          profile,
      "k.toml");
}

KernelProfile evaluate(const std::string& profile, const std::vector<Value>& configuration) {
  return SpecProfile(spec_with(profile)).evaluate(configuration);
}

std::string fault(const std::string& profile, const std::vector<Value>& configuration) {
  try {
    static_cast<void>(evaluate(profile, configuration));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
}

TEST(SpecProfile, TakesShapeFromTheLaunchUnlessItSaysOtherwise) {
  const KernelProfile profile = evaluate("[profile]\nfp32 = 7\n", {Value(64), Value(1)});
  EXPECT_EQ(profile.blocks, 16 * 3);  // ceil(1000 / 64) x 3
  EXPECT_EQ(profile.threads, 128);
  EXPECT_EQ(profile.local_bytes, 512);
  EXPECT_EQ(profile.fp32, 7);
  EXPECT_EQ(profile.registers, KernelProfile{}.registers);
  const KernelProfile own =
      evaluate("[profile]\nblocks = 5\nthreads = 'block'\nlocal_bytes = '2**10'\n", {Value(64), Value(1)});
  EXPECT_EQ(own.blocks, 5);
  EXPECT_EQ(own.threads, 64);
  EXPECT_EQ(own.local_bytes, 1024);
}

TEST(SpecProfile, NamesAreComputedInOrder) {
  const KernelProfile profile =
      evaluate("[profile]\nfp32 = 'b'\nl1_read_bytes = 'a + 0.5'\n[profile.let]\na = 'N // block'\nb = '2*a'\n",
               {Value(32), Value(1)});
  EXPECT_EQ(profile.fp32, 62);
  EXPECT_EQ(profile.l1_read_bytes, 31.5);
}

TEST(SpecProfile, SaysWhatIsWrongWithAConfiguration) {
  EXPECT_THAT(fault("[profile]\nfp32 = 'N // work'\n", {Value(32), Value(0)}),
              testing::AllOf(HasSubstr("k.toml:15:8"), HasSubstr("division by zero"), HasSubstr("work=0")));
  EXPECT_THAT(fault("[profile]\nfp32 = '-N'\n", {Value(32), Value(1)}), HasSubstr("'fp32' = -1000 is too small"));
  EXPECT_THAT(fault("[profile]\ndivergence = 1\n", {Value(32), Value(1)}), HasSubstr("too large"));
  EXPECT_THAT(fault("[profile]\nfp32 = 'word'\n", {Value(32), Value(1)}), HasSubstr("a text where a number is wanted"));
  EXPECT_THAT(fault("", {Value(32), Value(1)}), HasSubstr("no [profile]"));
}

}  // namespace
}  // namespace wattune
