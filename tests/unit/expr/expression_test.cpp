#include "wattune/expression.hpp"

#include <gtest/gtest.h>

#include "wattune/error.hpp"

namespace wattune {
namespace {

const std::vector<std::string> names{"x", "y", "name"};

/// Python's str() of the result, or the error in words.
std::string result(const std::string& text, const Value& x = Value(2), const Value& y = Value(3),
                   const Value& name = Value("fast")) {
  const std::vector<Scalar> slots{Scalar::of(x), Scalar::of(y), Scalar::of(name)};
  const Expression expression = Expression::compile(text, names);
  const Evaluation evaluation = expression.evaluate(slots);
  return evaluation.ok() ? to_string(evaluation.value.to_value()) : std::string(to_string(evaluation.error));
}

std::string message(const std::string& text) {
  try {
    Expression::compile(text, names, "file:1:2");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(Expression, ArithmeticAsInPython) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"7 / 2", "3.5"},      {"4 / 2", "2.0"},       {"7 // 2", "3"},     {"-7 // 2", "-4"},
      {"7 // -2", "-4"},     {"-7 % 3", "2"},        {"7 % -3", "-2"},    {"7.5 % -2", "-0.5"},
      {"-7.5 // 2", "-4.0"}, {"1.0 // 0.1", "9.0"},  {"2 ** 10", "1024"}, {"2 ** -1", "0.5"},
      {"-2 ** 2", "-4"},     {"2 ** 3 ** 2", "512"}, {"2.0 ** 2", "4.0"}, {"0.1 + 0.2", "0.30000000000000004"},
      {"1e16", "1e+16"},     {"1e-5", "1e-05"},      {"+True", "1"},      {"True + True", "2"},
      {"10 - 2 - 3", "5"},   {"2 * (3 + 4)", "14"},  {"0x10", "16"},      {"1_000", "1000"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(result(text), expected) << text;
}

TEST(Expression, ComparisonsChainAndMix) {
  EXPECT_EQ(result("1 < x < 3"), "True");
  EXPECT_EQ(result("1 < x < 2"), "False");
  EXPECT_EQ(result("1 < x < y == 3 != 4"), "True");
  EXPECT_EQ(result("32 <= 2000 <= 1024"), "False");
  EXPECT_EQ(result("1 == 1.0 == True"), "True");
  EXPECT_EQ(result("9007199254740993 == 9007199254740992.0"), "False") << "integers are compared exactly";
  EXPECT_EQ(result("x in [1, 3] or y not in (1, 2)"), "True");
  EXPECT_EQ(result("name in ['slow', 'fast'] and name == \"fast\""), "True");
  EXPECT_EQ(result("'as' in name"), "True");
  EXPECT_EQ(result("name == 1"), "False") << "a text never equals a number";
}

TEST(Expression, BooleansReturnOperandsAndShortCircuit) {
  EXPECT_EQ(result("x and y"), "3");
  EXPECT_EQ(result("0 or y"), "3");
  EXPECT_EQ(result("0 and 1 / 0"), "0") << "the right side is not evaluated";
  EXPECT_EQ(result("1 or 1 / 0"), "1");
  EXPECT_EQ(result("not 0 and not ''"), "True");
  EXPECT_EQ(result("x if y else 1 / 0"), "2");
  EXPECT_EQ(result("1 if x > y else 2 if x == 2 else 3"), "2");
}

TEST(Expression, Functions) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"min(x, y)", "2"},   {"max([x, y, 7])", "7"}, {"abs(-x)", "2"},     {"int(-2.7)", "-2"},
      {"float(x)", "2.0"},  {"round(2.5)", "2"},     {"round(3.5)", "4"},  {"round(2.675, 2)", "2.67"},
      {"ceil(2.1)", "3"},   {"floor(-2.1)", "-3"},   {"len(name)", "4"},   {"len([1, 2])", "2"},
      {"sum([x, y])", "5"}, {"sqrt(16)", "4.0"},     {"log2(8)", "3.0"},   {"math.ceil(7 / 2)", "4"},
      {"bool(0)", "False"}, {"exp(0)", "1.0"},       {"log(8, 2)", "3.0"}, {"sum([])", "0"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(result(text), expected) << text;
}

TEST(Expression, WhatHasNoValueSaysWhy) {
  EXPECT_EQ(result("1 / (x - 2)"), "division by zero");
  EXPECT_EQ(result("1 % 0"), "division by zero");
  EXPECT_EQ(result("1 // 0.0"), "division by zero");
  EXPECT_EQ(result("0 ** -1"), "division by zero");
  EXPECT_EQ(result("name - 2"), "operands of the wrong type");
  EXPECT_EQ(result("name < 2"), "operands of the wrong type");
  EXPECT_EQ(result("9223372036854775807 + 1"), "a result beyond 64-bit integers");
  EXPECT_EQ(result("3 ** 60"), "a result beyond 64-bit integers");
  EXPECT_EQ(result("log2(0)"), "a value outside the function's domain");
  EXPECT_EQ(result("(-8) ** 0.5"), "a value outside the function's domain");
}

TEST(Expression, FaultsHaveACaretAndAHint) {
  EXPECT_EQ(message("x + yy"), "file:1:2: unknown name 'yy'\n    x + yy\n        ^ (did you mean 'y'?)");
  EXPECT_EQ(message("x = 3"), "file:1:2: '=' is not a comparison\n    x = 3\n      ^ (write ==)");
  EXPECT_NE(message("x +").find("ends too early"), std::string::npos);
  EXPECT_NE(message("(x").find("')' is expected"), std::string::npos);
  EXPECT_NE(message("'open").find("closing quote"), std::string::npos);
  EXPECT_NE(message("[x, y]").find("a list is not possible here"), std::string::npos);
}

TEST(Expression, NothingElseIsExecuted) {
  for (const char* text : {"__import__('os')", "x.__class__", "lambda: 1", "open('f')", "x := 1", "x; y", "import os",
                           "eval('1')", "x[0]"}) {
    EXPECT_NE(message(text), "no error") << text;
  }
}

TEST(Expression, NoInputExhaustsTheStack) {
  EXPECT_NE(message(std::string(100000, '(')), "no error");
  EXPECT_NE(message(std::string(100000, '-') + "x"), "no error");
  std::string sum = "x";
  for (int i = 0; i < 100000; ++i) sum += "+x";
  EXPECT_NE(message(sum), "no error");
  std::string negations;
  for (int i = 0; i < 100000; ++i) negations += "not ";
  EXPECT_NE(message(negations + "x"), "no error");
}

TEST(Expression, VariablesAreTheSlotsThatAreRead) {
  const Expression expression = Expression::compile("y * y + 1", names);
  ASSERT_EQ(expression.variables().size(), 1U);
  EXPECT_EQ(expression.variables()[0], 1U);
}

std::string list(const std::string& text) {
  const std::vector<NamedValues> environment{{"ProblemSize", {Value(4096), Value(2048)}, true},
                                             {"filter_width", {Value(3), Value(17), Value(9)}, true},
                                             {"n", {Value(5)}, false}};
  std::string joined;
  for (const Value& value : evaluate_list(text, environment, {}, 1U << 16U))
    joined += (joined.empty() ? "" : " ") + to_string(value);
  return joined;
}

TEST(Lists, ParameterValuesAsTheFieldWritesThem) {
  EXPECT_EQ(list("[16, 32, 48]"), "16 32 48");
  EXPECT_EQ(list("range(32, 129, 32)"), "32 64 96 128");
  EXPECT_EQ(list("range(5, 0, -2)"), "5 3 1");
  EXPECT_EQ(list("[1, 2] + list(range(4, 9, 2))"), "1 2 4 6 8");
  EXPECT_EQ(list("[2**i for i in range(0, 6)]"), "1 2 4 8 16 32");
  EXPECT_EQ(list("[i * j for i in range(3) for j in range(2) if i != j]"), "0 0 0 2");
  EXPECT_EQ(list("[i if i % 2 else -i for i in range(4)]"), "0 1 -2 3");
  EXPECT_EQ(list("['best1bin', 'rand1exp']"), "best1bin rand1exp");
  EXPECT_EQ(list("[0] * 3"), "0 0 0");
  EXPECT_EQ(list("(ProblemSize[0] + max(filter_width) - 1) * ProblemSize[-1]"), "8421376");
  EXPECT_EQ(list("sorted([3, 1, 2])"), "1 2 3");
  EXPECT_EQ(list("[x for x in [1, 2, 3] if x in [1, 3]]"), "1 3");
}

TEST(Lists, TooMuchIsRefused) {
  EXPECT_THROW(list("range(10**12)"), Error);
  EXPECT_THROW(list("[0] * 10**10"), Error);
  EXPECT_THROW(list("[i for i in range(10**6) for j in range(10**6)]"), Error);
  EXPECT_THROW(list("[1, [2, 3]]"), Error);
  EXPECT_THROW(list("unknown"), Error);
  EXPECT_THROW(list("ProblemSize[2]"), Error);
}

TEST(Names, WithoutFunctionsAndBoundOnes) {
  EXPECT_EQ(names_in("min(b, a) + a + sum([i * c for i in range(n)])"), (std::vector<std::string>{"b", "a", "n", "c"}));
}

TEST(ValueText, PythonsOwn) {
  EXPECT_EQ(to_string(Value(true)), "True");
  EXPECT_EQ(to_string(Value(2.45)), "2.45");
  EXPECT_EQ(to_string(Value(3.0)), "3.0");
  EXPECT_EQ(to_string(Value(1e22)), "1e+22");
  EXPECT_EQ(to_string(Value("a b")), "a b");
  EXPECT_EQ(to_definition(Value(true)), "1");
  EXPECT_EQ(to_definition(Value(0.5)), "0.5");
  EXPECT_TRUE(Value(1) == Value(1.0));
  EXPECT_TRUE(Value(1) == Value(true));
  EXPECT_FALSE(Value("1") == Value(1));
}

}  // namespace
}  // namespace wattune
