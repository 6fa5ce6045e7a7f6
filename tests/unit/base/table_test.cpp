// The plain table: aligned by what a terminal shows, not by bytes.
#include "base/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace wattune::base {
namespace {

std::string printed(const Table& table) {
  std::ostringstream out;
  table.print(out);
  return out.str();
}

TEST(Table, AlignsTextLeftAndNumbersRight) {
  Table table({"kernel", "time", "best"});
  table.add_row({"gemm", "1.24 ms", "-"});
  table.add_row({"convolution", "12.3 us", "+5"});
  EXPECT_EQ(printed(table),
            "kernel          time  best\n"
            "gemm         1.24 ms     -\n"
            "convolution  12.3 us    +5\n");
}

TEST(Table, OneTextMakesAColumnText) {
  Table table({"value", "x"});
  table.add_row({"1", "a"});
  table.add_row({"row", "b"});
  EXPECT_EQ(printed(table), "value  x\n1      a\nrow    b\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({"name", "n"});
  table.add_row({"größe", "1"});
  table.add_row({"small", "2"});
  EXPECT_EQ(printed(table), "name   n\ngröße  1\nsmall  2\n");
}

TEST(Table, WideAndCombiningCharactersTakeTheirColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("±µ…"), 3U);
  EXPECT_EQ(display_width("行列"), 4U);
  EXPECT_EQ(display_width("u\u0308"), 1U);
  EXPECT_EQ(display_width("🚀"), 2U);
}

TEST(Table, BrokenUtf8IsCountedWithoutReadingBeyondTheEnd) {
  EXPECT_EQ(display_width("a\xe4"), 2U);
  EXPECT_EQ(display_width("\xff\xfe"), 2U);
  EXPECT_EQ(display_width("\xf0\x9f"), 2U);
}

TEST(Table, ShortRowsAreFilledAndLongOnesCut) {
  Table table({"a", "b"});
  table.add_row({"x"});
  table.add_row({"y", "z", "too much"});
  EXPECT_EQ(printed(table), "a  b\nx\ny  z\n");
}

TEST(Table, ACellStaysOnItsLine) {
  Table table({"message", "n"});
  table.add_row({"error:\n\tundeclared", "1"});
  EXPECT_EQ(printed(table), "message             n\nerror:  undeclared  1\n");
}

TEST(Table, WithoutRowsPrintsItsHeaders) {
  EXPECT_EQ(printed(Table({"run", "state"})), "run  state\n");
}

TEST(Table, LeavesNoBlanksAtTheEndOfALine) {
  Table table({"a", "long header"});
  table.add_row({"x", "y"});
  EXPECT_EQ(printed(table), "a  long header\nx  y\n");
}

}  // namespace
}  // namespace wattune::base
