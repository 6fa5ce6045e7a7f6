// Column batches and single evaluations must agree for any expression and any values, and both with long double
// arithmetic.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "wattune/expression.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

const std::vector<std::string> names{"a", "b", "c"};

/// A random expression over a, b, c of limited depth.
std::string make(Random& random, int depth) {
  static constexpr std::array binary = {"+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", " and ", " or "};
  if (depth == 0 || random.below(5) == 0) {
    if (random.below(3) == 0) return std::to_string(random.below(20));
    return names[random.below(names.size())];
  }
  switch (random.below(8)) {
    case 0:
      return "(not " + make(random, depth - 1) + ")";
    case 1:
      return "(-" + make(random, depth - 1) + ")";
    case 2:
      return "min(" + make(random, depth - 1) + ", " + make(random, depth - 1) + ")";
    case 3:
      return "(" + make(random, depth - 1) + " if " + make(random, depth - 1) + " else " + make(random, depth - 1) +
             ")";
    case 4:
      return "(" + make(random, depth - 1) + " in [1, " + make(random, depth - 1) + "])";
    case 5:
      return "(" + make(random, depth - 1) + " < " + make(random, depth - 1) + " <= " + make(random, depth - 1) + ")";
    default:
      return "(" + make(random, depth - 1) + binary[random.below(binary.size())] + make(random, depth - 1) + ")";
  }
}

struct Rows {
  std::vector<std::vector<double>> columns;
  bool integral = true;
};

Rows make_rows(Random& random, std::size_t count) {
  Rows rows;
  rows.integral = random.below(3) != 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<double> column;
    for (std::size_t row = 0; row < count; ++row) {
      const double whole = static_cast<double>(random.below(40)) - 8.0;
      column.push_back(rows.integral || random.below(2) == 0 ? whole
                                                             : whole + 0.25 * static_cast<double>(random.below(4)));
    }
    rows.columns.push_back(std::move(column));
  }
  return rows;
}

TEST(ExpressionBatch, AgreesWithRowByRow) {
  constexpr std::uint64_t seed = 20260101;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  std::size_t applied = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::string text = make(random, 4);
    const Expression expression = Expression::compile(text, names);
    const std::size_t count = 1 + random.below(700);
    const Rows rows = make_rows(random, count);
    std::vector<Expression::Column> columns;
    for (const std::uint32_t slot : expression.variables())
      columns.push_back({rows.columns[slot].data(), 1, rows.integral});
    std::vector<std::uint8_t> truth(count, 9);
    std::vector<std::uint8_t> errors(count, 9);
    if (!expression.evaluate_truth(columns, count, truth.data(), errors.data())) continue;
    ++applied;
    for (std::size_t row = 0; row < count; ++row) {
      std::vector<Scalar> slots;
      for (const auto& column : rows.columns) {
        slots.push_back(rows.integral ? Scalar::of(static_cast<std::int64_t>(column[row])) : Scalar::of(column[row]));
      }
      const Evaluation single = expression.evaluate(slots);
      ASSERT_TRUE(single.ok()) << text << " row " << row << ": " << to_string(single.error);
      ASSERT_EQ(truth[row] != 0, single.value.truthy())
          << text << " with a=" << rows.columns[0][row] << " b=" << rows.columns[1][row]
          << " c=" << rows.columns[2][row];
      ASSERT_EQ(errors[row], 0);
    }
  }
  EXPECT_GT(applied, 500U) << "the batch path must be what is tested";
}

TEST(ExpressionBatch, OneValueForAllRows) {
  const Expression expression = Expression::compile("a % b == c", names);
  const std::vector<double> a{4, 5, 6, 7};
  const double b = 3;
  const double c = 1;
  const std::vector<Expression::Column> columns{{a.data(), 1, true}, {&b, 0, true}, {&c, 0, true}};
  std::vector<std::uint8_t> truth(4);
  std::vector<std::uint8_t> errors(4);
  ASSERT_TRUE(expression.evaluate_truth(columns, 4, truth.data(), errors.data()));
  EXPECT_EQ(truth, (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

TEST(ExpressionBatch, WhatItCannotDecideItLeaves) {
  const double zero = 0;
  const double huge = 0x1.0p52;
  const double one = 1;
  std::uint8_t truth = 0;
  std::uint8_t error = 0;
  const Expression division = Expression::compile("a / b", names);
  const std::vector<Expression::Column> by_zero{{&one, 0, true}, {&zero, 0, true}};
  EXPECT_FALSE(division.evaluate_truth(by_zero, 1, &truth, &error));
  const Expression product = Expression::compile("a * b", names);
  const std::vector<Expression::Column> large{{&huge, 0, true}, {&huge, 0, true}};
  EXPECT_FALSE(product.evaluate_truth(large, 1, &truth, &error));
}

/// Floor division and remainder against their definition: a == b * (a // b) + a % b, with the divisor's sign.
TEST(ExpressionScalar, FloorDivisionAndRemainderBelongTogether) {
  Random random(7);
  const Expression quotient = Expression::compile("a // b", names);
  const Expression remainder = Expression::compile("a % b", names);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto a = static_cast<std::int64_t>(random.below(2001)) - 1000;
    const auto b = static_cast<std::int64_t>(random.below(61)) - 30;
    if (b == 0) continue;
    const std::vector<Scalar> slots{Scalar::of(a), Scalar::of(b), Scalar::of(std::int64_t{0})};
    const std::int64_t q = quotient.evaluate(slots).value.integer;
    const std::int64_t r = remainder.evaluate(slots).value.integer;
    ASSERT_EQ(b * q + r, a);
    ASSERT_TRUE(b > 0 ? r >= 0 && r < b : r <= 0 && r > b) << a << " % " << b << " = " << r;
    ASSERT_EQ(q, static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b))));
  }
}

}  // namespace
}  // namespace wattune
