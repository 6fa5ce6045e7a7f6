// Observers of a benchmark as external commands: what is read of them, what they are told, and how failures are said.
#include "wattune/observer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace wattune {
namespace {

using Values = std::map<std::string, double>;

class Observers : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] Benchmark benchmark() const { return {kernel_, names_, values_}; }
  static CommandObserver observer(const std::string& command, ObserverSpec::When when) {
    return CommandObserver(ObserverSpec{{command, {}}, when});
  }
  Values observe(CommandObserver& observer) const {
    observer.before(benchmark());
    observer.during(benchmark());
    return observer.after(benchmark(), Outcome{});
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("wattune_observer_" + std::to_string(::getpid()));
  std::string kernel_ = "stencil";
  std::vector<std::string> names_{"block_size_x", "layout"};
  std::vector<Value> values_{Value(128), Value(std::string("rows"))};
};

TEST(ParseObservations, TakesNumbersAndAveragesEachName) {
  const Values expected{{"fan_rpm", 1250.0}, {"wall_power", 20.0}};
  EXPECT_EQ(parse_observations("fan_rpm=1250\n wall_power = 10\nwall_power=30\r\n"), expected);
}

TEST(ParseObservations, LeavesEverythingElse) {
  EXPECT_EQ(parse_observations("a line\nx=\n=3\nname=12 W\nbad=nan\nworse=inf\nkey = value\n"), Values{});
  EXPECT_EQ(parse_observations(""), Values{});
  EXPECT_EQ(parse_observations("small=-1.5e-3"), (Values{{"small", -1.5e-3}}));
}

TEST_F(Observers, ACommandAfterTheBenchmarkIsToldWhatWasMeasured) {
  CommandObserver after = observer(
      "echo \"width=$WATTUNE_PARAMETER_block_size_x\"; [ \"$WATTUNE_KERNEL $WATTUNE_PARAMETER_layout\" = "
      "'stencil rows' ] && echo right=1",
      ObserverSpec::When::after);
  EXPECT_EQ(observe(after), (Values{{"width", 128.0}, {"right", 1.0}}));
  EXPECT_EQ(after.complaint(), "");
}

TEST_F(Observers, ACommandBeforeTheBenchmarkRunsOnceAndIsReportedAfterIt) {
  const std::string log = folder_ / "calls";
  CommandObserver before = observer("echo call >>'" + log + "'; echo room_celsius=21.5", ObserverSpec::When::before);
  before.before(benchmark());
  std::ifstream calls(log);
  std::string line;
  EXPECT_TRUE(std::getline(calls, line)) << "it ran before after() was called";
  EXPECT_EQ(before.after(benchmark(), Outcome{}), (Values{{"room_celsius", 21.5}}));
  EXPECT_FALSE(std::getline(calls, line));
}

TEST_F(Observers, ACommandBesideTheBenchmarkIsEndedBySigtermAndHeard) {
  const std::filesystem::path ready = folder_ / "ready";
  CommandObserver during = observer(
      "echo watts=3; echo watts=5; touch '" + ready.string() + "'; exec tail -f /dev/null", ObserverSpec::When::during);
  during.before(benchmark());
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!std::filesystem::exists(ready) && std::chrono::steady_clock::now() < limit) during.during(benchmark());
  ASSERT_TRUE(std::filesystem::exists(ready));
  EXPECT_EQ(during.after(benchmark(), Outcome{}), (Values{{"watts", 4.0}}));
  EXPECT_EQ(during.complaint(), "");
}

TEST_F(Observers, AFailureObservesNothingAndIsSaidOnce) {
  CommandObserver failing = observer("echo x=1; exit 3", ObserverSpec::When::after);
  EXPECT_EQ(observe(failing), Values{});
  EXPECT_EQ(failing.complaint(), "the observer 'echo x=1; exit 3' ended with exit code 3");
  CommandObserver silent = observer("true", ObserverSpec::When::after);
  EXPECT_EQ(observe(silent), Values{});
  EXPECT_EQ(silent.complaint(), "the observer 'true' printed no name=value line");
}

}  // namespace
}  // namespace wattune
