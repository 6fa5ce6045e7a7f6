// Spaces that are lists of configurations.
#include <gtest/gtest.h>

#include "wattune/error.hpp"
#include "wattune/neighbourhood.hpp"
#include "wattune/space.hpp"

namespace wattune {
namespace {

std::vector<Parameter> parameters() {
  return {{"x", {Value(1), Value(2), Value(4)}, 1}, {"y", {Value("a"), Value("b")}}, {"z", {Value(7)}}};
}

TEST(Points, SortedWithoutRepeatsAndFoundAgain) {
  const std::vector<std::uint32_t> digits{2, 1, 0, 0, 1, 0, 2, 1, 0, 1, 0, 0};
  const Space space = Space::of_points(parameters(), digits);
  ASSERT_EQ(space.size(), 3U);
  EXPECT_TRUE(space.complete());
  EXPECT_DOUBLE_EQ(space.cartesian_size(), 6.0);
  EXPECT_EQ(space.values(0), (std::vector<Value>{1, "b", 7}));
  EXPECT_EQ(space.values(1), (std::vector<Value>{2, "a", 7}));
  EXPECT_EQ(space.values(2), (std::vector<Value>{4, "b", 7}));
  for (ConfigurationId id = 0; id < space.size(); ++id) EXPECT_EQ(space.find(space.digits(id)), id);
  EXPECT_FALSE(space.find_values(std::vector<Value>{1, "a", 7}));
  EXPECT_EQ(space.default_configuration(), 1U);
  Random random(1);
  EXPECT_EQ(space.sample(3, random).size(), 3U);
}

TEST(Points, NeighboursAreThoseOfTheSameSpaceByConstraints) {
  std::vector<Parameter> numbers;
  for (const char* name : {"a", "b", "c"}) {
    Parameter parameter{name, {}};
    for (int v = 0; v < 12; ++v) parameter.values.emplace_back(v);
    numbers.push_back(parameter);
  }
  const Space by_rule = Space::build(numbers, {{"(a + 2 * b + c) % 3 == 1", ""}});
  std::vector<std::uint32_t> digits;
  for (ConfigurationId id = 0; id < by_rule.size(); ++id) {
    for (const std::uint32_t digit : by_rule.digits(id)) digits.push_back(digit);
  }
  const Space by_list = Space::of_points(numbers, digits);
  ASSERT_EQ(by_list.size(), by_rule.size());
  const Neighbourhood first(by_rule);
  const Neighbourhood second(by_list);
  std::vector<ConfigurationId> expected;
  std::vector<ConfigurationId> found;
  for (const NeighbourhoodKind kind : {NeighbourhoodKind::hamming, NeighbourhoodKind::adjacent}) {
    for (ConfigurationId id = 0; id < by_rule.size(); id += 37) {
      first.neighbours(id, kind, expected);
      second.neighbours(id, kind, found);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Points, TheWholeProductIsNoList) {
  std::vector<std::uint32_t> digits;
  for (std::uint32_t x = 0; x < 3; ++x) {
    for (std::uint32_t y = 0; y < 2; ++y) digits.insert(digits.end(), {x, y, 0});
  }
  const Space space = Space::of_points(parameters(), digits);
  EXPECT_EQ(space.size(), 6U);
  EXPECT_EQ(space.bytes(), Space::build(parameters(), {}).bytes());
}

TEST(Points, RefusesNothingAndTooMuch) {
  EXPECT_THROW(static_cast<void>(Space::of_points(parameters(), {})), Error);
  EXPECT_THROW(static_cast<void>(Space::of_points(parameters(), std::vector<std::uint32_t>{0, 2, 0})), Error);
  std::vector<Parameter> many;
  for (int p = 0; p < 70; ++p) many.push_back({"p" + std::to_string(p), {Value(0), Value(1), Value(2)}});
  EXPECT_THROW(static_cast<void>(Space::of_points(many, std::vector<std::uint32_t>(70, 1))), Error);
}

}  // namespace
}  // namespace wattune
