// Random expressions against Python itself: python3 -I evaluates the same texts over the same variables, and kind and
// str() of every result must agree. Skipped where there is no python3. Differences on purpose (integers beyond 64 bits,
// complex numbers, lists where bytecode has none) must be refusals here, never another value.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/expression.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

const std::vector<std::string> names{"a", "b", "x", "y", "t", "s", "n"};
const std::vector<Value> values{
    Value(3), Value(-7), Value(2.5), Value(-0.75), Value(true), Value("abc"), Value(std::int64_t{1} << 40)};

/// What Python says of each line of the file: "int:3", "no value" for an exception, "other" where we may refuse.
constexpr const char* program = R"(
import sys
from math import ceil, floor, sqrt, log, log2, exp
import math, warnings
warnings.simplefilter('ignore')
scope = dict(a=3, b=-7, x=2.5, y=-0.75, t=True, s='abc', n=1 << 40, ceil=ceil, floor=floor, sqrt=sqrt, log=log,
             log2=log2, exp=exp, math=math)
for line in open(sys.argv[1]):
    try:
        value = eval(line, dict(scope))
    except Exception:
        print('no value')
        continue
    beyond = type(value) is int and not -2**63 <= value < 2**63
    plain = isinstance(value, (bool, int, float, str))
    print(type(value).__name__ + ':' + str(value) if plain and not beyond else 'other')
)";

template <std::size_t Count>
std::string pick(Random& random, const std::array<const char*, Count>& choices) {
  return choices[random.below(Count)];
}

std::string make(Random& random, int depth);

std::string leaf(Random& random) {
  static constexpr std::array leaves = {
      "0", "1", "2",   "7",    "64",   "1.5", "0.1", "1e3",  "True",  "False",           "a", "b", "x", "y", "t",
      "s", "n", "'b'", "'12'", "1e16", "0.5", "a",   "1e-5", "2.675", "9007199254740993"};
  return pick(random, leaves);
}

std::string call(Random& random, int depth) {
  static constexpr std::array unary = {"abs",  "int",   "float", "bool", "str",       "round",    "ceil",
                                       "sqrt", "floor", "log2",  "len",  "math.ceil", "math.log", "exp"};
  static constexpr std::array over_lists = {"min", "max", "sum", "len"};
  switch (random.below(3)) {
    case 0:
      return pick(random, over_lists) + "([" + make(random, depth) + ", " + make(random, depth) + "])";
    case 1:
      return "round(" + make(random, depth) + ", " + std::to_string(static_cast<int>(random.below(6)) - 2) + ")";
    default:
      return pick(random, unary) + "(" + make(random, depth) + ")";
  }
}

/// Without brackets around operations, so that precedence is tested too.
std::string make(Random& random, int depth) {
  static constexpr std::array binary = {" + ", " - ", " * ", " / ", " // ", " % ", " and ", " or "};
  static constexpr std::array relations = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  if (depth == 0 || random.below(8) == 0) return leaf(random);
  const int below = depth - 1;
  switch (random.below(10)) {
    case 0:
      return "(" + make(random, below) + ")";
    case 1:
      return "not " + make(random, below);
    case 2:
      return "-" + make(random, below);
    case 3:
      return call(random, below);
    case 4:
      return make(random, below) + pick(random, relations) + make(random, below) + pick(random, relations) +
             make(random, below);
    case 5:
      return make(random, below) + (random.below(2) == 0 ? " in [" : " not in [") + make(random, below) + ", 3]";
    case 6:
      return make(random, below) + " if " + make(random, below) + " else " + make(random, below);
    case 7:
      return leaf(random) + " ** " + std::to_string(static_cast<int>(random.below(8)) - 3);
    default:
      return make(random, below) + pick(random, binary) + make(random, below);
  }
}

std::string described(const Value& value) {
  const char* kind = value.is_integer() ? "int:" : value.is_real() ? "float:" : value.is_boolean() ? "bool:" : "str:";
  return kind + to_string(value);
}

/// Bytecode's answer: kind and text, or the reason for none after "E ".
std::string compiled(const std::string& text) {
  std::vector<Scalar> slots;
  for (const Value& value : values) slots.push_back(Scalar::of(value));
  try {
    const Expression expression = Expression::compile(text, names);  // outlives the text that it may return
    const Evaluation result = expression.evaluate(slots);
    return result.ok() ? described(result.value.to_value()) : "E " + std::string(to_string(result.error));
  } catch (const Error& error) {
    return "E " + std::string(error.what());
  }
}

/// The tree walk's answer.
std::string walked(const std::string& text) {
  std::vector<NamedValues> environment;
  for (std::size_t i = 0; i < names.size(); ++i) environment.push_back({names[i], {values[i]}, false});
  try {
    return described(evaluate_value(text, environment));
  } catch (const Error& error) {
    return "E " + std::string(error.what());
  }
}

bool refused_on_purpose(const std::string& answer) {
  if (!answer.starts_with("E ")) return false;
  for (const char* reason : {"64-bit", "domain", "inside a chain", "a list is not possible"}) {
    if (answer.find(reason) != std::string::npos) return true;
  }
  return false;
}

TEST(ExpressionPython, RandomExpressionsMeanTheSame) {
  if (std::system("python3 -I -c '' >/dev/null 2>&1") != 0) GTEST_SKIP() << "skipped: no python3";
  constexpr std::uint64_t seed = 20260711;
  constexpr std::size_t count = 6000;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(make(random, static_cast<int>(1 + random.below(4))));
  const std::filesystem::path folder = testing::TempDir();
  const std::string input = (folder / "wattune_expressions.txt").string();
  const std::string script = (folder / "wattune_expressions.py").string();
  const std::string output = (folder / "wattune_expressions.out").string();
  std::ofstream(script) << program;
  {
    std::ofstream lines(input);
    for (const std::string& text : texts) lines << text << '\n';
  }
  ASSERT_EQ(std::system(("python3 -I '" + script + "' '" + input + "' > '" + output + "' 2>/dev/null").c_str()), 0);
  std::ifstream answers(output);
  std::string python;
  std::size_t agreed = 0;
  for (const std::string& text : texts) {
    ASSERT_TRUE(std::getline(answers, python)) << text;
    for (const std::string& ours : {compiled(text), walked(text)}) {
      if (python == "no value" || python == "other") {
        EXPECT_TRUE(ours.starts_with("E ")) << text << "\npython: " << python << "\nours: " << ours;
      } else if (!refused_on_purpose(ours)) {
        EXPECT_EQ(ours, python) << text;
        ++agreed;
      }
    }
  }
  EXPECT_GT(agreed, count) << "most expressions must have a value for the comparison to mean something";
  for (const std::string& file : {input, script, output}) std::filesystem::remove(file);
}

}  // namespace
}  // namespace wattune
