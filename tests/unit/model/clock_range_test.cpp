// Ranges of clocks around a centre, as the tool of the method's authors chooses them.
#include "wattune/clock_range.hpp"

#include <gtest/gtest.h>

#include "wattune/error.hpp"

namespace wattune {
namespace {

std::vector<double> mhz(const std::vector<Hertz>& clocks) {
  std::vector<double> list;
  for (const Hertz clock : clocks) list.push_back(in_megahertz(clock));
  return list;
}

TEST(ClockRange, PublishedChoices) {
  const std::vector<Hertz> supported = parse_clocks("210:2100:15");
  ASSERT_EQ(supported.size(), 127U);
  EXPECT_EQ(mhz(clocks_around(megahertz(1350), supported, 10.0, 5)),
            (std::vector<double>{1215, 1275, 1350, 1425, 1485}));
  EXPECT_EQ(mhz(clocks_around(megahertz(1350), supported, 25.0, 7)),
            (std::vector<double>{1005, 1125, 1230, 1350, 1455, 1575, 1680}));
}

TEST(ClockRange, WithoutCountEverythingInside) {
  const std::vector<Hertz> supported = parse_clocks("210:1410:15");
  const std::vector<double> kept = mhz(clocks_around(megahertz(1005), supported, 10.0));
  EXPECT_EQ(kept.size(), 13U);
  EXPECT_EQ(kept.front(), 915.0);
  EXPECT_EQ(kept.back(), 1095.0);
}

TEST(ClockRange, EndsOfTheRangeBelong) {
  EXPECT_EQ(mhz(clocks_around(megahertz(1000), parse_clocks("850:1150:50"), 10.0)),
            (std::vector<double>{900, 950, 1000, 1050, 1100}));
}

TEST(ClockRange, NothingInsideGivesTheNearest) {
  EXPECT_EQ(mhz(clocks_around(megahertz(1000), parse_clocks("500,1400"), 10.0)), (std::vector<double>{1400}));
  EXPECT_EQ(mhz(clocks_around(megahertz(1000), parse_clocks("500,1400"), 10.0, 3)), (std::vector<double>{500, 1400}));
  EXPECT_TRUE(clocks_around(megahertz(1000), {}, 10.0).empty());
}

TEST(ClockRange, OrderAndRepeatsDoNotMatter) {
  EXPECT_EQ(mhz(parse_clocks("900, 300,600 ,300")), (std::vector<double>{300, 600, 900}));
  EXPECT_EQ(in_megahertz(nearest_clock(megahertz(750), parse_clocks("900,600"))), 600.0);  // a tie: the lower
}

TEST(ClockRange, EquidistantWithBothEnds) {
  EXPECT_EQ(mhz(equidistant_clocks(parse_clocks("210:1410:15"), 7)),
            (std::vector<double>{210, 405, 615, 810, 1005, 1215, 1410}));
  EXPECT_EQ(mhz(equidistant_clocks(parse_clocks("210:1410:15"), 1)), (std::vector<double>{1410}));
}

TEST(ClockRange, RefusesWhatIsNoList) {
  for (const char* text : {"", "210:1410", "210:1410:0", "1410:210:15", "a,b", "210:1410:15:3", "1:1e9:1", "-5", "inf"})
    EXPECT_THROW(parse_clocks(text), Error) << text;
}

}  // namespace
}  // namespace wattune
