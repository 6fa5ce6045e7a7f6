// Units, clocks, errors and libraries found at run time.
#include <gtest/gtest.h>

#include <array>
#include <type_traits>

#include "base/library.hpp"
#include "wattune/clock.hpp"
#include "wattune/error.hpp"
#include "wattune/units.hpp"

namespace wattune {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Joules>, "a second is no joule");
static_assert(!Addable<Seconds, double>);
static_assert(!std::is_convertible_v<double, Seconds> && !std::is_convertible_v<Seconds, double>);

TEST(Units, PowerTimesTimeIsEnergy) {
  EXPECT_EQ((Watts(300) * Seconds(2)).value(), 600.0);
  EXPECT_EQ((Seconds(2) * Watts(300)).value(), 600.0);
  EXPECT_EQ((Joules(600) / Seconds(2)).value(), 300.0);
  EXPECT_EQ(Seconds(3) / Seconds(2), 1.5);
  EXPECT_EQ(milliseconds(250).value(), 0.25);
  EXPECT_EQ(megahertz(1410).value(), 1.41e9);
  EXPECT_LT(Seconds(1), Seconds(2));
}

TEST(Clock, AManualClockMovesOnlyWhenTold) {
  ManualClock clock(Seconds(10));
  EXPECT_EQ(clock.monotonic(), Seconds(10));
  clock.advance(Seconds(2.5));
  clock.sleep(Seconds(0.5));
  EXPECT_EQ(clock.monotonic(), Seconds(13));
  EXPECT_EQ(clock.system(), Seconds(13));
}

TEST(Clock, TheRealClockGoesForwardsAndCountsFrom1970) {
  const Seconds before = real_clock().monotonic();
  EXPECT_LE(before, real_clock().monotonic());
  EXPECT_GT(real_clock().system(), Seconds(1.7e9));  // after November 2023
  real_clock().sleep(Seconds(-1));
}

TEST(Error, SaysWhereWhatAndHow) {
  const Error error(ExitCode::bad_input, "unknown key 'stratgy'", "gemm.toml:12:3", "did you mean 'strategy'?");
  EXPECT_STREQ(error.what(), "gemm.toml:12:3: unknown key 'stratgy' (did you mean 'strategy'?)");
  EXPECT_EQ(error.code(), ExitCode::bad_input);
  EXPECT_EQ(to_string(Problem{"", "message", ""}), "message");
}

TEST(Error, SeveralProblemsAreOneALine) {
  const Error error(ExitCode::bad_input, {{"a", "one", ""}, {"", "two", "hint"}});
  EXPECT_STREQ(error.what(), "a: one\ntwo (hint)");
  EXPECT_EQ(error.problems().size(), 2U);
}

TEST(Library, TakesTheFirstThatIsThere) {
  const std::array names = {"libwattune-is-not-there.so.1", "libm.so.6"};
  const auto library = base::Library::open(names);
  ASSERT_TRUE(library.loaded()) << library.error();
  EXPECT_EQ(library.name(), "libm.so.6");
  EXPECT_EQ(library.error(), "");
  double (*cosine)(double) = nullptr;
  ASSERT_TRUE(library.load(cosine, "cos"));
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_FALSE(library.load(cosine, "wattune_is_not_there"));
  EXPECT_EQ(cosine, nullptr);
}

TEST(Library, SaysWhatWasTriedWhenNoneIs) {
  const std::array names = {"libwattune-no-1.so", "libwattune-no-2.so"};
  const auto library = base::Library::open(names);
  EXPECT_FALSE(library.loaded());
  EXPECT_NE(library.error().find("libwattune-no-1.so"), std::string::npos) << library.error();
  EXPECT_NE(library.error().find("libwattune-no-2.so"), std::string::npos) << library.error();
  EXPECT_EQ(library.symbol("cos"), nullptr);
}

}  // namespace
}  // namespace wattune
