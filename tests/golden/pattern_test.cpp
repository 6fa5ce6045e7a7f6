// The patterns of golden files: what each hole takes, and that a difference is found and placed.
#include "pattern.hpp"

#include <gtest/gtest.h>

namespace wattune::golden {
namespace {

TEST(Pattern, TakesLiteralTextAsItIs) {
  EXPECT_TRUE(matches_line("a+b (c) [d] {e} 1.5x", "a+b (c) [d] {e} 1.5x"));
  EXPECT_FALSE(matches_line("1.5x", "1a5x"));
  EXPECT_FALSE(matches_line("abc", "abcd"));
}

TEST(Pattern, NumbersHaveAPointAndGroupedThousands) {
  for (const char* number : {"0", "-3", "1,024", "12.75", "3e-05", "1.5e+10"}) {
    EXPECT_TRUE(matches_line("x {number} y", std::string("x ") + number + " y")) << number;
  }
  EXPECT_FALSE(matches_line("{number}", "1,5 GFLOP/s"));
  EXPECT_FALSE(matches_line("{number}", "nan"));
  EXPECT_FALSE(matches_line("{integer}", "1.5"));
}

TEST(Pattern, TimesHaveAUnit) {
  for (const char* time : {"1.25 ms", "37 µs", "2 min", "1 min 5 s", "0.5 s"})
    EXPECT_TRUE(matches_line("{time}", time)) << time;
  EXPECT_FALSE(matches_line("{time}", "1.25"));
  EXPECT_FALSE(matches_line("{time}", "1.25 W"));
}

TEST(Pattern, PathsEndAtSpaceAndColon) {
  EXPECT_TRUE(matches_line("{path}:3:1: bad", "dir/a.toml:3:1: bad"));
  EXPECT_FALSE(matches_line("{path}", "two words"));
}

TEST(Mismatch, NothingWhereAllMatches) {
  EXPECT_FALSE(first_mismatch({"a", "{lines}", "z {number}"}, {"a", "b", "c", "z 4"}));
  EXPECT_FALSE(first_mismatch({"a", "{lines}", "z"}, {"a", "z"}));
  EXPECT_FALSE(first_mismatch({"{lines}"}, {}));
}

TEST(Mismatch, SaysWhere) {
  const auto differs = first_mismatch({"a", "b"}, {"a", "c"});
  ASSERT_TRUE(differs);
  EXPECT_EQ(differs->pattern_line, 1U);
  EXPECT_EQ(differs->output_line, 1U);
}

TEST(Mismatch, MissingAndSurplusLinesAreDifferences) {
  const auto missing = first_mismatch({"a", "b"}, {"a"});
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->pattern_line, 1U);
  const auto surplus = first_mismatch({"a"}, {"a", "b"});
  ASSERT_TRUE(surplus);
  EXPECT_EQ(surplus->pattern_line, 1U);
  EXPECT_EQ(surplus->output_line, 1U);
}

}  // namespace
}  // namespace wattune::golden
