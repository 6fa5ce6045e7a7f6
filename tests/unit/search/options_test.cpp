// Names and options that users give: what is filled in, and what a refusal says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_spaces.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

using testing::HasSubstr;

const StrategyInfo& row(const std::string& name) {
  for (const StrategyInfo& info : strategies()) {
    if (info.name == name) return info;
  }
  throw std::logic_error("no such row");
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "accepted";
}

TEST(Strategies, AutoComesFirstAndNamesAreUnique) {
  EXPECT_EQ(strategies().front().name, "auto");
  std::set<std::string> names;
  for (const StrategyInfo& info : strategies()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
}

TEST(Strategies, UnknownNameSuggestsTheNearest) {
  const Space space = search_test::small_space();
  StrategyTask task;
  task.space = &space;
  EXPECT_THAT(refusal([&] { make_strategy("genetic_algoritm", task); }), HasSubstr("genetic_algorithm"));
  EXPECT_THAT(refusal([&] { make_strategy("zzz", task); }), HasSubstr("random_sample"));
}

TEST(Strategies, StartOutsideTheSpaceIsRefused) {
  const Space space = search_test::small_space();
  StrategyTask task;
  task.space = &space;
  task.start = {space.size()};
  EXPECT_THAT(refusal([&] { make_strategy("random_sample", task); }), HasSubstr("not in the space"));
}

TEST(Options, DefaultsAreFilledIn) {
  const StrategyOptions options = resolve_options(row("genetic_algorithm"), {{"population", Value(8)}});
  EXPECT_EQ(options.at("population"), Value(8));
  EXPECT_EQ(options.size(), row("genetic_algorithm").options.size());
}

TEST(Options, WholeRealIsAWholeNumber) {
  const StrategyOptions options = resolve_options(row("genetic_algorithm"), {{"population", Value(8.0)}});
  EXPECT_TRUE(options.at("population").is_integer());
}

TEST(Options, RefusalsNameRangeAndNearest) {
  const StrategyInfo& info = row("genetic_algorithm");
  EXPECT_THAT(refusal([&] {
                resolve_options(info, {{"populaton", Value(8)}});
              }),
              HasSubstr("did you mean 'population'"));
  EXPECT_THAT(refusal([&] { resolve_options(info, {{"population", Value(1)}}); }), HasSubstr("from 2 to 100000"));
  EXPECT_THAT(refusal([&] { resolve_options(info, {{"population", Value(8.5)}}); }), HasSubstr("whole number"));
  EXPECT_THAT(refusal([&] { resolve_options(info, {{"population", Value("many")}}); }), HasSubstr("many"));
  EXPECT_THAT(refusal([&] {
                resolve_options(row("first_improvement"), {{"neighbours", Value("diagonal")}});
              }),
              HasSubstr("hamming, adjacent"));
  EXPECT_THAT(refusal([&] { resolve_options(row("random_sample"), {{"x", Value(1)}}); }), HasSubstr("no options"));
}

TEST(Options, AllFaultsAtOnce) {
  const std::string text = refusal([&] {
    resolve_options(row("genetic_algorithm"), {{"population", Value(1)}, {"nonsense", Value(1)}});
  });
  EXPECT_THAT(text, HasSubstr("population"));
  EXPECT_THAT(text, HasSubstr("nonsense"));
}

}  // namespace
}  // namespace wattune
