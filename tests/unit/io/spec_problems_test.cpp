// What a user gets wrong in a TOML spec: each fault is named with line and column, and all of them at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

using testing::HasSubstr;

/// Everything that is said about `text`; "" when it is sound.
std::string faults(const std::string& text) {
  try {
    static_cast<void>(parse_toml_spec(text, "k.toml"));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
}

std::size_t count_faults(const std::string& text) {
  try {
    static_cast<void>(parse_toml_spec(text, "k.toml"));
    return 0;
  } catch (const Error& error) {
    return error.problems().size();
  }
}

const std::string kernel = "[kernel]\nname = 'k'\nfile = 'k.cl'\n";
const std::string tune = "[tune.parameters]\nbx = [1, 2]\n";
const std::string argument = "[[argument]]\nname = 'A'\ntype = 'float'\nsize = 4\n";

TEST(SpecProblems, SoundSpecHasNone) {
  EXPECT_EQ(faults(kernel + tune + argument), "");
}

TEST(SpecProblems, SyntaxErrorShowsLineAndCaret) {
  const std::string said = faults("name = 'a'\n[kernel\nname = 'k'\n");
  EXPECT_THAT(said, HasSubstr("k.toml:2"));
  EXPECT_THAT(said, HasSubstr("\n  [kernel\n  "));
  EXPECT_THAT(said, HasSubstr("^"));
}

TEST(SpecProblems, UnknownKeyNamesTheNearest) {
  const std::string said = faults(kernel + "langage = 'cuda'\n" + tune);
  EXPECT_THAT(said, HasSubstr("k.toml:4:1: unknown key 'langage' in [kernel] (did you mean 'language'?)"));
  EXPECT_THAT(faults(kernel + tune + "[mesure]\n"),
              HasSubstr("k.toml:6:2: unknown key 'mesure' (did you mean 'measure'?)"));
  EXPECT_THAT(faults(kernel + tune + argument + "fill = { rndom = [0, 1] }\n"), HasSubstr("did you mean 'random'?"));
}

TEST(SpecProblems, AllFaultsAtOnce) {
  const std::string text =
      "[kernel]\nname = 3\n[tune]\nconstraints = ['bx % 0 ==']\n[tune.parameters]\nbx = [1, 1]\n[budget]\nevaluations "
      "= 0\n";
  const std::string said = faults(text);
  EXPECT_THAT(said, HasSubstr("k.toml:2:8: 'name' must be a text, not an integer"));
  EXPECT_THAT(said, HasSubstr("[kernel] has no source"));
  EXPECT_THAT(said, HasSubstr("k.toml:4:"));
  EXPECT_THAT(said, HasSubstr("'bx' has the value 1 twice"));
  EXPECT_THAT(said, HasSubstr("'evaluations' is 0"));
  EXPECT_EQ(count_faults(text), 5U);
}

TEST(SpecProblems, RequiredParts) {
  const std::string said = faults("");
  EXPECT_THAT(said, HasSubstr("no [kernel]"));
  EXPECT_THAT(said, HasSubstr("no [tune.parameters]"));
  EXPECT_THAT(faults("[kernel]\nfile = 'k.cl'\n" + tune), HasSubstr("k.toml:1:1: [kernel] has no 'name'"));
  EXPECT_THAT(faults(kernel + "[tune.parameters]\n"), HasSubstr("[tune.parameters] is empty"));
  EXPECT_THAT(faults(kernel + "[tune]\nseed = 1\n"), HasSubstr("no [tune.parameters]"));
}

TEST(SpecProblems, WrongTypesAndValues) {
  EXPECT_THAT(faults("kernel = 3\n" + tune), HasSubstr("'kernel' must be a table, not an integer"));
  EXPECT_THAT(faults(kernel + "language = 'culda'\n" + tune),
              HasSubstr("'language' cannot be 'culda' (did you mean 'cuda'?)"));
  EXPECT_THAT(faults(kernel + tune + "[measure]\ncache = 'hot'\n"), HasSubstr("one of: warm, cold"));
  EXPECT_THAT(faults(kernel + tune + "[measure]\nmin_repeats = 2.5\n"),
              HasSubstr("must be an integer, not a real number"));
  EXPECT_THAT(faults(kernel + tune + "[measure]\nmin_repeats = 9\nmax_repeats = 8\n"),
              HasSubstr("more than 'max_repeats'"));
  EXPECT_THAT(faults(kernel + tune + "[budget]\nseconds = 0\n"), HasSubstr("must be more than 0"));
  EXPECT_THAT(faults(kernel + tune + "[budget]\nfraction = 1.5\n"), HasSubstr("at most 1"));
  EXPECT_THAT(faults(kernel + tune + "[budget]\nseconds = nan\n"), HasSubstr("finite"));
  EXPECT_THAT(faults(kernel + "source = 'x'\n" + tune), HasSubstr("either 'source' or a file"));
}

TEST(SpecProblems, ParameterLists) {
  const auto parameter = [](const std::string& line) { return faults(kernel + "[tune.parameters]\n" + line + "\n"); };
  EXPECT_THAT(parameter("bx = { values = [1, 2], default = 3 }"),
              HasSubstr("the default 3 of 'bx' is not one of its values"));
  EXPECT_THAT(parameter("bx = [1, 1.0]"), HasSubstr("twice"));
  EXPECT_THAT(parameter("bx = [true, 1]"), HasSubstr("twice"));
  EXPECT_EQ(parameter("bx = ['1', 1]"), "");
  EXPECT_THAT(parameter("bx = []"), HasSubstr("'bx' has no values"));
  EXPECT_THAT(parameter("bx = [[1], 2]"), HasSubstr("not a list"));
  EXPECT_THAT(parameter("bx = [inf]"), HasSubstr("finite"));
  EXPECT_THAT(parameter("bx = 7"), HasSubstr("must be a list or an expression, not an integer"));
  EXPECT_THAT(parameter("bx = { default = 1 }"), HasSubstr("'bx' has no values"));
  EXPECT_THAT(parameter("bx = 'range(1, '"), HasSubstr("k.toml:5:"));
  EXPECT_THAT(parameter("'b-x' = [1]"), HasSubstr("cannot be the name of a parameter"));
  EXPECT_THAT(faults(kernel + tune + "[problem]\nbx = 3\n"), HasSubstr("'bx' is a problem size and a parameter"));
}

TEST(SpecProblems, Expressions) {
  const auto constraint = [](const std::string& text) {
    return faults(kernel + "[tune]\nconstraints = [\"" + text + "\"]\n" + tune);
  };
  EXPECT_EQ(constraint("bx % 2 == 0"), "");
  const std::string unknown = constraint("by % 2 == 0");
  EXPECT_THAT(unknown, HasSubstr("k.toml:5:"));
  EXPECT_THAT(unknown, HasSubstr("by"));
  EXPECT_THAT(unknown, HasSubstr("bx"));
  EXPECT_THAT(unknown, HasSubstr("^"));
  EXPECT_THAT(constraint("bx %% 2"), HasSubstr("^"));
  EXPECT_NE(constraint("time > 1"), "");  // measured quantities belong to metrics
  EXPECT_THAT(faults("[kernel]\nname = 'k<{nix}>'\nfile = 'k.cu'\n" + tune), HasSubstr("nix"));
  EXPECT_THAT(faults("[kernel]\nname = 'k<{bx>'\nfile = 'k.cu'\n" + tune), HasSubstr("open brace"));
  EXPECT_THAT(faults(kernel + "defines = { T = 'nix + 1' }\n" + tune), HasSubstr("nix"));
}

TEST(SpecProblems, MetricsAndObjectives) {
  const auto goal = [](const std::string& objective, const std::string& metrics) {
    return faults(kernel + "[tune]\n" + objective + "\n" + tune + "[metrics]\n" + metrics + "\n");
  };
  EXPECT_EQ(goal("objective = 'm'", "m = 'bx / time_ms + core_clock_mhz'"), "");
  EXPECT_THAT(goal("objective = 'gflop'", "gflops = '1/time'"), HasSubstr("did you mean 'gflops'?"));
  EXPECT_THAT(goal("objective = { maximize = 'm', minimize = 'm' }", "m = 'time'"), HasSubstr("exactly one of"));
  EXPECT_THAT(goal("objective = 'time'\nobjectives = ['energy']", ""), HasSubstr("not both"));
  EXPECT_THAT(goal("", "a = 'b'\nb = 'time'"), HasSubstr("'b'"));  // only earlier metrics are known
  EXPECT_THAT(goal("", "time = '1'"), HasSubstr("'time' is measured and cannot be a metric"));
  EXPECT_THAT(goal("", "m = { unit = 's' }"), HasSubstr("has no 'expression'"));
}

TEST(SpecProblems, Arguments) {
  const auto one = [](const std::string& lines) {
    return faults(kernel + tune + "[[argument]]\nname = 'A'\n" + lines);
  };
  EXPECT_THAT(one("type = 'float'\n"), HasSubstr("argument 'A' has no 'size'"));
  EXPECT_THAT(one("size = 4\n"), HasSubstr("has no 'type'"));
  EXPECT_THAT(one("type = 'float5'\nsize = 4\n"), HasSubstr("'float5' is no element type"));
  EXPECT_THAT(one("type = 'int'\nsize = 4\nvalue = 1\n"), HasSubstr("a scalar has no size"));
  EXPECT_THAT(one("type = 'int'\nkind = 'scalar'\n"), HasSubstr("scalar without a 'value'"));
  EXPECT_THAT(one("type = 'int'\nsize = 1\nfill = { random = [1, 0] }\n"), HasSubstr("the lower first"));
  EXPECT_THAT(one("type = 'int'\nsize = 1\nfill = { random = [0, 1], ramp = 1 }\n"), HasSubstr("exactly one of"));
  EXPECT_THAT(one("type = 'int'\nsize = 1\nkind = 'local'\nfill = 1\n"), HasSubstr("cannot be filled"));
  EXPECT_THAT(one("type = 'int'\nvalue = 1\noutput = true\n"), HasSubstr("cannot be an output"));
  EXPECT_THAT(faults(kernel + tune + argument + argument), HasSubstr("two arguments are called 'A'"));
}

TEST(SpecProblems, LaunchAndVerification) {
  EXPECT_THAT(faults(kernel + tune + "[launch]\nblock = [1, 1, 1, 1]\n"), HasSubstr("at most 3"));
  EXPECT_THAT(faults(kernel + tune + "[launch]\ngrid = ['1', '1', '1', '1']\n"), HasSubstr("at most 3"));
  EXPECT_THAT(faults(kernel + tune + "[launch]\ngrid = [{ blocks = 1, size = 2 }]\n"), HasSubstr("not both"));
  EXPECT_THAT(faults(kernel + tune + "[verify]\nkernel = 'r'\n"), HasSubstr("nothing to compare"));
  const std::string output = argument + "output = true\n";
  EXPECT_THAT(faults(kernel + tune + output + "[verify]\nrelative = 1e-3\n"),
              HasSubstr("names nothing to compare with"));
  EXPECT_THAT(faults(kernel + tune + output + "[verify]\nkernel = 'r'\ndefault = true\n"),
              HasSubstr("more than one of"));
  EXPECT_THAT(faults(kernel + tune + output + "[verify]\nfiles = { B = 'b' }\n"),
              HasSubstr("'B' is no argument with output"));
  EXPECT_THAT(faults(kernel + tune + "[problem]\nM = 1\n[problem.cpu]\nm = 2\n"), HasSubstr("did you mean 'M'?"));
}

TEST(SpecProblems, MissingFileAndFolder) {
  EXPECT_THROW(static_cast<void>(read_spec(WATTUNE_SOURCE_DIR "/no/such.toml")), Error);
  EXPECT_THROW(static_cast<void>(read_spec(WATTUNE_SOURCE_DIR "/tests")), Error);
}

}  // namespace
}  // namespace wattune
