#include "tune/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tune/arguments.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

std::string floats(const std::vector<float>& got, const std::vector<float>& expected, double absolute = 1e-6,
                   double relative = 1e-3) {
  return difference(ElementType::f32, std::as_bytes(std::span(got)), std::as_bytes(std::span(expected)), absolute,
                    relative);
}

TEST(Difference, ToleranceIsAbsolutePlusRelative) {
  EXPECT_EQ(floats({1.0F, 1000.5F}, {1.0F, 1000.0F}), "");
  EXPECT_EQ(floats({0.0F, 1002.0F, 3.0F}, {0.0F, 1000.0F, 2.9F}),
            "2 of 3 elements differ, worst at [1]: got 1002, expected 1000");
}

TEST(Difference, NanAndInfinityAreWrongUnlessExpected) {
  EXPECT_NE(floats({NAN}, {1.0F}), "");
  EXPECT_NE(floats({1.0F}, {NAN}), "");
  EXPECT_EQ(floats({NAN}, {std::nanf("7")}), "");
  EXPECT_NE(floats({1e30F}, {INFINITY}), "") << "a relative tolerance of infinity would accept anything";
  EXPECT_EQ(floats({INFINITY}, {INFINITY}), "");
  EXPECT_NE(floats({-INFINITY}, {INFINITY}), "");
}

TEST(Difference, OneAmongManyIsFoundWhereverItIs) {
  for (const std::size_t place : {0U, 4095U, 4096U, 9998U, 9999U}) {
    std::vector<float> expected(10000);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<float>(i) * 0.5F;
    std::vector<float> got = expected;
    for (float& value : got) value *= 1.0005F;  // all within the tolerance, none equal
    EXPECT_EQ(floats(got, expected), "");
    got[place] += 20.0F;
    EXPECT_NE(floats(got, expected).find("1 of 10000 elements differ, worst at [" + std::to_string(place) + "]"),
              std::string::npos)
        << place;
    got[place] = NAN;
    EXPECT_NE(floats(got, expected), "") << place;
  }
}

TEST(Difference, ACloseCallIsDecidedExactly) {
  const std::vector<double> expected{1000.0, 1000.0};
  const auto doubles = [&](double value) {
    const std::vector<double> got{1000.0, value};
    return difference(ElementType::f64, std::as_bytes(std::span(got)), std::as_bytes(std::span(expected)), 0.0, 1e-3);
  };
  EXPECT_EQ(doubles(1000.9999999), "");
  EXPECT_NE(doubles(1001.0000001), "");
}

TEST(Difference, IntegersAndHalves) {
  const std::vector<std::int32_t> a{1, 2};
  const std::vector<std::int32_t> b{1, 3};
  EXPECT_NE(difference(ElementType::i32, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), 0.0, 0.0), "");
  const std::vector<std::uint16_t> half_one{0x3c00};
  const std::vector<std::uint16_t> half_two{0x4000};
  EXPECT_EQ(
      difference(ElementType::f16, std::as_bytes(std::span(half_one)), std::as_bytes(std::span(half_two)), 0.0, 0.0),
      "1 of 1 elements differ, worst at [0]: got 1, expected 2");
}

template <class T>
std::vector<T> contents(const FillSpec& fill, ElementType type, std::uint64_t count) {
  const std::vector<std::byte> bytes = make_contents(fill, type, count, "", {});
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Contents, SameSeedSameDataWithinBounds) {
  FillSpec fill;
  fill.kind = FillSpec::Kind::random;
  fill.low = -2.0;
  fill.high = 3.0;
  const auto a = contents<float>(fill, ElementType::f32, 1000);
  EXPECT_EQ(a, contents<float>(fill, ElementType::f32, 1000));
  for (const float v : a) EXPECT_TRUE(v >= -2.0F && v < 3.0F);
  fill.seed = 2;
  EXPECT_NE(a, contents<float>(fill, ElementType::f32, 1000));
  fill.low = 0.0;
  fill.high = 4.0;
  std::vector<int> seen(4, 0);
  for (const std::int32_t v : contents<std::int32_t>(fill, ElementType::i32, 1000))
    ++seen.at(static_cast<std::size_t>(v));
  for (const int n : seen) EXPECT_GT(n, 200) << "integers are uniform over 0..3";
}

TEST(Contents, RampConstantAndHalf) {
  FillSpec ramp;
  ramp.kind = FillSpec::Kind::ramp;
  ramp.value = 5.0;
  ramp.step = 0.5;
  EXPECT_EQ(contents<double>(ramp, ElementType::f64, 3), (std::vector<double>{5.0, 5.5, 6.0}));
  FillSpec constant;
  constant.value = 300.0;
  EXPECT_EQ(contents<std::uint8_t>(constant, ElementType::u8, 2), (std::vector<std::uint8_t>{255, 255}))
      << "out of range saturates";
  constant.value = 0.1;
  EXPECT_EQ(contents<std::uint16_t>(constant, ElementType::f16, 1).front(), 0x2e66)
      << "0.1 in IEEE half, round to nearest even";
}

TEST(Contents, AMissingFileIsAnErrorThatNamesIt) {
  FillSpec fill;
  fill.kind = FillSpec::Kind::file;
  fill.path = "nowhere.bin";
  try {
    make_contents(fill, ElementType::f32, 4, "/nonexistent", {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere.bin"), std::string::npos);
  }
}

}  // namespace
}  // namespace wattune::tune
