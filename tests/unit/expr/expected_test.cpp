// Constraints with known numbers of valid configurations, and the texts of values: what users of the field expect.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "wattune/error.hpp"
#include "wattune/expression.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

/// How many pairs (x, y) of the two lists satisfy the constraint.
int valid(const std::string& text, const std::vector<Value>& xs, const std::vector<Value>& ys) {
  const std::vector<std::string> names{"x", "y"};
  const Expression expression = Expression::compile(text, names);
  int count = 0;
  for (const Value& x : xs) {
    for (const Value& y : ys) {
      const std::vector<Scalar> slots{Scalar::of(x), Scalar::of(y)};
      const Evaluation result = expression.evaluate(slots);
      EXPECT_TRUE(result.ok()) << text;
      count += result.value.truthy() ? 1 : 0;
    }
  }
  return count;
}

TEST(Constraints, PairsFromOneToThree) {
  const std::vector<Value> three{1, 2, 3};
  const std::vector<std::pair<std::string, int>> cases{
      {"x*y<=4", 6},
      {"1 < x < 3", 3},
      {"x==1 or y==2", 5},
      {"x/y >= 2", 2},
      {"x-y >= 0", 6},
      {"not (x==1 and y==1)", 8},
      {"x**2 <= 4", 6},
      {"min(x,y)>=2", 4},
      {"x in [1,3]", 6},
      {"x<2.0", 3},
      {"x!=y", 6},
      {"2 <= x+y", 9},
      {"y//x==1", 4},
      {"x if y else 0", 9},
      {"x in range(1, 4, 2)", 6},
      {"1 <= x in [1, 3]", 6},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(valid(text, three, three), expected) << text;
}

TEST(Constraints, RealsAreNotRounded) {
  const std::vector<Value> tenths{0.1, 0.2, 0.3};
  EXPECT_EQ(valid("x+y == 1.3", tenths, {1, 2, 3}), 1);
  EXPECT_EQ(valid("x*y <= 0.3", tenths, {1, 2}), 4);
  EXPECT_EQ(valid("y % x == 1", {1, 1.5, 2, 3}, {4, 5.5}), 3);
  EXPECT_EQ(valid("x + y > 3", {1, 2, 3}, {1, 2, 3, -4.4}), 6);
  EXPECT_EQ(valid("y == False", {1}, {true, false}), 1);
}

TEST(Constraints, OfPublishedSpaces) {
  const std::vector<std::string> names{"KWG", "MDIMC", "NDIMC", "MDIMA"};
  const Expression gemm = Expression::compile("KWG % ((MDIMC * NDIMC)/MDIMA) == 0", names);
  const auto holds = [&](int kwg, int mdimc, int ndimc, int mdima) {
    const std::vector<Scalar> slots{Scalar::of(Value(kwg)), Scalar::of(Value(mdimc)), Scalar::of(Value(ndimc)),
                                    Scalar::of(Value(mdima))};
    return gemm.evaluate(slots).value.truthy();
  };
  EXPECT_TRUE(holds(32, 8, 8, 8));
  EXPECT_FALSE(holds(16, 8, 32, 8));
  EXPECT_FALSE(holds(32, 10, 7, 4)) << "the true division gives 17.5";
  EXPECT_TRUE(holds(35, 10, 7, 4)) << "and 35 is twice that";
}

TEST(ConstantParts, AreLists) {
  const std::vector<std::string> names{"x"};
  const auto at = [&](const std::string& text, int x) {
    const std::vector<Scalar> slots{Scalar::of(Value(x))};
    const Expression expression = Expression::compile(text, names);
    const Evaluation result = expression.evaluate(slots);
    return result.ok() ? to_string(result.value.to_value()) : std::string(to_string(result.error));
  };
  EXPECT_EQ(at("x in [2**i for i in range(5)]", 8), "True");
  EXPECT_EQ(at("x in [2**i for i in range(5)]", 9), "False");
  EXPECT_EQ(at("x in list(range(1000)) + [5000]", 5000), "True");
  EXPECT_EQ(at("x * [10, 20, 30][1]", 3), "60");
  EXPECT_EQ(at("x == 1 or 1 / 0", 1), "True") << "a constant part that fails is not reached";
  EXPECT_EQ(at("x == 1 or 1 / 0", 2), "division by zero");
  EXPECT_EQ(at("str(x) + 'a' * 2", 7), "7aa");
  EXPECT_EQ(at("int('12') + float(' 1_0.5 ') + len('äö')", 0), "24.5");
  EXPECT_THROW(Expression::compile("x in range(x)", names), Error);
  EXPECT_THROW(Expression::compile("max(x)", names), Error);
  EXPECT_THROW(Expression::compile("min([])", names), Error);
}

std::string refusal(const std::string& text) {
  const std::vector<std::string> names{"x", "block_size_x"};
  try {
    Expression::compile(text, names);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Refusals, SayWhatToWriteInstead) {
  EXPECT_EQ(refusal("block_sizex > 1"),
            "unknown name 'block_sizex'\n    block_sizex > 1\n    ^ (did you mean 'block_size_x'?)");
  EXPECT_NE(refusal("x && 1").find("write and"), std::string::npos);
  EXPECT_NE(refusal("x ^ 2").find("write ** for powers"), std::string::npos);
  EXPECT_NE(refusal("!x").find("write not"), std::string::npos);
  EXPECT_NE(refusal("x.real").find("attributes are not allowed"), std::string::npos);
  EXPECT_NE(refusal("math.pi").find("math module"), std::string::npos);
  EXPECT_NE(refusal("mx(x, 1)").find("did you mean 'max'?"), std::string::npos);
  EXPECT_NE(refusal("lambda x: x").find("functions cannot be defined here"), std::string::npos);
  EXPECT_NE(refusal("round()").find("round() takes 1 or 2 arguments, not 0"), std::string::npos);
  EXPECT_NE(refusal("012").find("does not begin with 0"), std::string::npos);
  EXPECT_NE(refusal("1e999").find("range of reals"), std::string::npos);
  EXPECT_NE(refusal("9223372036854775808").find("64-bit"), std::string::npos);
}

TEST(Refusals, CaretCountsCharacters) {
  EXPECT_EQ(refusal("'ä' == y"), "unknown name 'y'\n    'ä' == y\n           ^ (did you mean 'x'?)");
}

TEST(Integers, OverflowIsAnErrorAndDivisionIsRoundedOnce) {
  const std::vector<std::string> names{"a", "b"};
  const auto at = [&](const char* text, std::int64_t a, std::int64_t b) {
    const std::vector<Scalar> slots{Scalar::of(a), Scalar::of(b)};
    return Expression::compile(text, names).evaluate(slots);
  };
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(at("-a", lowest, 0).error, EvaluationError::overflow);
  EXPECT_EQ(at("abs(a)", lowest, 0).error, EvaluationError::overflow);
  EXPECT_EQ(at("a // b", lowest, -1).error, EvaluationError::overflow);
  EXPECT_EQ(at("a % b", lowest, -1).value.integer, 0);
  EXPECT_EQ(at("a * b", highest, 2).error, EvaluationError::overflow);
  // python3: 9007199254740993 / 9007199254740991, 9223372036854775807 / 3, -9223372036854775808 / 7
  EXPECT_EQ(at("a / b", 9007199254740993, 9007199254740991).value.real, 1.0000000000000002);
  EXPECT_EQ(at("a / b", highest, 3).value.real, 3.0744573456182584e+18);
  EXPECT_EQ(at("a / b", lowest, 7).value.real, -1.3176245766935393e+18);
}

TEST(ValueTexts, ReadBackTheSame) {
  const std::vector<std::pair<double, std::string>> cases{{1e16, "1e+16"},
                                                          {9999999999999998.0, "9999999999999998.0"},
                                                          {0.1, "0.1"},
                                                          {2.45, "2.45"},
                                                          {1e-5, "1e-05"},
                                                          {1e-4, "0.0001"},
                                                          {-0.0, "-0.0"},
                                                          {1e300, "1e+300"},
                                                          {1.5e-7, "1.5e-07"},
                                                          {5e-324, "5e-324"},
                                                          {123456789.125, "123456789.125"},
                                                          {std::numeric_limits<double>::infinity(), "inf"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(to_string(Value(value)), text);
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(random.uniform(-1.0, 1.0), static_cast<int>(random.below(200)) - 100);
    ASSERT_EQ(std::stod(to_string(Value(value))), value);
  }
}

}  // namespace
}  // namespace wattune
