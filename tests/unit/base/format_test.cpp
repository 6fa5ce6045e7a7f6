// Numbers as people read them; the same under every locale.
#include "base/format.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <locale>

namespace wattune::base {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Format, SecondsTakeTheFittingUnit) {
  EXPECT_EQ(format_seconds(Seconds(0.0)), "0 s");
  EXPECT_EQ(format_seconds(Seconds(1.5e-9)), "1.50 ns");
  EXPECT_EQ(format_seconds(Seconds(12.34e-6)), "12.3 us");
  EXPECT_EQ(format_seconds(Seconds(1.2449e-3)), "1.24 ms");
  EXPECT_EQ(format_seconds(Seconds(0.123456)), "123 ms");
  EXPECT_EQ(format_seconds(Seconds(3.2)), "3.20 s");
  EXPECT_EQ(format_seconds(Seconds(59.9)), "59.9 s");
  EXPECT_EQ(format_seconds(Seconds(192.4)), "3 min 12 s");
  EXPECT_EQ(format_seconds(Seconds(7505)), "2 h 05 min");
}

TEST(Format, SecondsNeverShowAThousandOfAUnit) {
  EXPECT_EQ(format_seconds(Seconds(0.99994e-6)), "1.00 us");
  EXPECT_EQ(format_seconds(Seconds(0.9996e-3)), "1.00 ms");
  EXPECT_EQ(format_seconds(Seconds(0.9996)), "1.00 s");
  EXPECT_EQ(format_seconds(Seconds(9.996e-3)), "10.0 ms");
  EXPECT_EQ(format_seconds(Seconds(99.96e-3)), "100 ms");
  EXPECT_EQ(format_seconds(Seconds(59.96)), "1 min 00 s");
  EXPECT_EQ(format_seconds(Seconds(3599.7)), "1 h 00 min");
}

TEST(Format, NegativeSecondsHaveAsManyDigits) {
  EXPECT_EQ(format_seconds(Seconds(-123.4e-3)), "-123 ms");
  EXPECT_EQ(format_seconds(Seconds(-1.234e-3)), "-1.23 ms");
  EXPECT_EQ(format_seconds(Seconds(-192)), "-3 min 12 s");
}

TEST(Format, WhatIsNoNumberIsADash) {
  EXPECT_EQ(format_seconds(Seconds(infinity)), "-");
  EXPECT_EQ(format_si(-infinity, "W"), "- W");
}

TEST(Format, CountsHaveSeparators) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(116928), "116,928");
  EXPECT_EQ(format_count(18446744073709551615ULL), "18,446,744,073,709,551,615");
}

TEST(Format, PercentAndFixed) {
  EXPECT_EQ(format_percent(12.345), "12.3 %");
  EXPECT_EQ(format_percent(-0.5), "-0.5 %");
  EXPECT_EQ(format_fixed(2.5, 0), "2");  // ties to even, as IEEE 754 prints
  EXPECT_EQ(format_fixed(1234567.891, 2), "1234567.89");
  EXPECT_EQ(format_fixed(0.0, 3), "0.000");
}

TEST(Format, BytesInPowersOf1024) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(49152), "48 KiB");
  EXPECT_EQ(format_bytes(1536ULL << 20U), "1.5 GiB");
  EXPECT_EQ(format_bytes((1ULL << 20U) - 1), "1 MiB");
  EXPECT_EQ(format_bytes(18446744073709551615ULL), "16 EiB");
}

TEST(Format, SiKeepsThreeToFourDigits) {
  EXPECT_EQ(format_si(0.0, "W"), "0 W");
  EXPECT_EQ(format_si(51200.4, "GFLOP/s"), "51,200 GFLOP/s");
  EXPECT_EQ(format_si(-51200.4, "J"), "-51,200 J");
  EXPECT_EQ(format_si(312.7, "W"), "313 W");
  EXPECT_EQ(format_si(-1.239, "J"), "-1.24 J");
  EXPECT_EQ(format_si(0.99999, "J"), "1.00 J");
  EXPECT_EQ(format_si(0.01234, "W"), "0.0123 W");
  EXPECT_EQ(format_si(999.7, ""), "1,000");
  EXPECT_EQ(format_si(2e20, "FLOP"), "2e+20 FLOP");
}

/// A locale as a user may have set it, without needing one to be installed.
class Comma : public std::numpunct<char> {
  [[nodiscard]] char do_decimal_point() const override { return ','; }
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

TEST(Format, TheLocaleChangesNothing) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_EQ(format_seconds(Seconds(1.24e-3)), "1.24 ms");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_si(0.0123, "W"), "0.0123 W");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  std::locale::global(before);
}

}  // namespace
}  // namespace wattune::base
