#include <gtest/gtest.h>

#include "fake_engine.hpp"
#include "wattune/measure.hpp"
#include "wattune/random.hpp"

namespace wattune {
namespace {

using testing::FakeArguments;
using testing::FakeBehaviour;
using testing::FakeEngine;
using testing::FakeKernel;

class MeasureTime : public ::testing::Test {
 protected:
  TimedKernel measure(FakeBehaviour behaviour, const TimeOptions& options) {
    engine_ = std::make_unique<FakeEngine>(std::move(behaviour), clock_);
    FakeKernel kernel;
    FakeArguments arguments({});
    return measure_time(*engine_, kernel, arguments, Geometry{}, options);
  }
  ManualClock clock_;
  std::unique_ptr<FakeEngine> engine_;
};

TEST_F(MeasureTime, StopsAtTheMinimumWhenTimesAgree) {
  const TimedKernel timed = measure({}, TimeOptions{});
  ASSERT_EQ(timed.status, Status::correct);
  EXPECT_EQ(timed.time->samples.size(), 7U);
  EXPECT_DOUBLE_EQ(timed.time->time.value, 1e-3);
  EXPECT_TRUE(timed.time->converged);
  EXPECT_EQ(engine_->launches, 8U) << "one warm-up launch, not counted";
}

TEST_F(MeasureTime, RepeatsUntilTheIntervalIsNarrow) {
  Random random(3);
  FakeBehaviour behaviour;
  behaviour.time = [&](const FakeKernel&, std::uint64_t) { return Seconds(1e-3 * (1.0 + 0.05 * random.normal())); };
  const TimedKernel timed = measure(behaviour, TimeOptions{});
  ASSERT_EQ(timed.status, Status::correct);
  EXPECT_GT(timed.time->samples.size(), 50U) << "5 % noise needs about (1.25*2*5)^2 samples for 1 %";
  EXPECT_LE(timed.time->time.percent(), 1.0);
  EXPECT_TRUE(timed.time->converged);
}

TEST_F(MeasureTime, TheTimeLimitEndsIt) {
  Random random(4);
  FakeBehaviour behaviour;
  behaviour.time = [&](const FakeKernel&, std::uint64_t) { return Seconds(0.1 * (1.0 + 0.3 * random.uniform())); };
  TimeOptions options;
  options.interval_percent = 0.01;
  const TimedKernel timed = measure(behaviour, options);
  ASSERT_EQ(timed.status, Status::correct);
  EXPECT_FALSE(timed.time->converged);
  double sum = 0.0;
  for (const Seconds s : timed.time->samples) sum += s.value();
  EXPECT_LT(sum, 2.5);
  EXPECT_GE(timed.time->samples.size(), 7U);
}

TEST_F(MeasureTime, ASlowKernelIsLaunchedThreeTimesAtLeast) {
  FakeBehaviour behaviour;
  behaviour.time = [](const FakeKernel&, std::uint64_t) { return Seconds(3.0); };
  const TimedKernel timed = measure(behaviour, TimeOptions{});
  ASSERT_EQ(timed.status, Status::correct);
  EXPECT_EQ(timed.time->samples.size(), 3U);
}

TEST_F(MeasureTime, AHopelessKernelGetsNoMoreThanTheMinimum) {
  Random random(5);
  FakeBehaviour behaviour;
  behaviour.time = [&](const FakeKernel&, std::uint64_t) { return Seconds(1e-3 * (1.0 + random.uniform())); };
  TimeOptions options;
  options.hopeless = Seconds(1e-4);
  EXPECT_EQ(measure(behaviour, options).time->samples.size(), 7U);
}

TEST_F(MeasureTime, ALaunchBeyondTheTimeoutIsAStatus) {
  FakeBehaviour behaviour;
  behaviour.time = [](const FakeKernel&, std::uint64_t) { return Seconds(11.0); };
  const TimedKernel timed = measure(behaviour, TimeOptions{});
  EXPECT_EQ(timed.status, Status::timeout);
  EXPECT_NE(timed.message.find("measure.timeout"), std::string::npos);
  EXPECT_FALSE(timed.time.has_value());
}

TEST_F(MeasureTime, AFailedLaunchKeepsItsMessage) {
  FakeBehaviour behaviour;
  behaviour.fail = [](const FakeKernel&) {
    RunResult result;
    result.status = Status::runtime;
    result.message = "too many resources";
    result.fatal = true;
    return result;
  };
  const TimedKernel timed = measure(behaviour, TimeOptions{});
  EXPECT_EQ(timed.status, Status::runtime);
  EXPECT_EQ(timed.message, "too many resources");
  EXPECT_TRUE(timed.fatal);
}

TEST(MeasureInterleaved, DriftHitsAllContestantsAlike) {
  ManualClock clock;
  FakeBehaviour behaviour;
  // The device slows down by 50 % over the comparison; the second kernel is always 1.25x faster.
  behaviour.time = [](const FakeKernel& kernel, std::uint64_t launch) {
    const double drift = 1.0 + 0.5 * static_cast<double>(launch) / 180.0;
    return Seconds((kernel.name == "slow" ? 1.25e-3 : 1.0e-3) * drift);
  };
  FakeEngine engine(behaviour, clock);
  FakeKernel slow;
  slow.name = "slow";
  FakeKernel fast;
  fast.name = "fast";
  FakeArguments arguments({});
  const std::vector<Contestant> contestants{{&slow, &arguments, {}}, {&fast, &arguments, {}}};
  const auto samples = measure_interleaved(engine, contestants, 30, 3, Seconds(10.0), false, clock);
  ASSERT_EQ(samples[0].size(), 30U);
  const Interval speedup = paired_speedup(samples[0], samples[1]);
  EXPECT_NEAR(speedup.value, 1.25, 0.02);
  EXPECT_LT(speedup.low, 1.25);
  EXPECT_GT(speedup.high, 1.25);
  EXPECT_LT(speedup.percent(), 2.0);
}

TEST(MeasureInterleaved, AFailingContestantHasAnEmptyRow) {
  ManualClock clock;
  FakeBehaviour behaviour;
  behaviour.fail = [](const FakeKernel& kernel) {
    RunResult result;
    if (kernel.name == "bad") result.status = Status::runtime;
    return result;
  };
  FakeEngine engine(behaviour, clock);
  FakeKernel good;
  FakeKernel bad;
  bad.name = "bad";
  FakeArguments arguments({});
  const std::vector<Contestant> contestants{{&good, &arguments, {}}, {&bad, &arguments, {}}};
  const auto samples = measure_interleaved(engine, contestants, 5, 1, Seconds(1.0), false, clock);
  EXPECT_EQ(samples[0].size(), 5U);
  EXPECT_TRUE(samples[1].empty());
}

}  // namespace
}  // namespace wattune
