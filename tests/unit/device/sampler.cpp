// Polling behind the port of buffered sensors: windows, repeats, loss. Time is given, nothing sleeps.
#include "device/sampler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "device/update_period.hpp"
#include "fake_sensor.hpp"

namespace wattune::device {
namespace {

using test::failure;
using test::FakeSensor;
using test::reading;

TEST(Sampler, KeepsEachNewValueAndTheEndOfTheLastRepeat) {
  ManualClock clock(Seconds(100.0));
  FakeSensor sensor([&] { return reading(clock.system().value(), clock.system().value() < 100.45 ? 80.0 : 90.0); });
  Sampler sampler(sensor, clock, milliseconds(10));
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(sampler.poll());
    clock.advance(Seconds(0.1));
  }
  const std::vector<Reading> readings = sampler.samples(Seconds(0.0), Seconds(200.0));
  ASSERT_EQ(readings.size(), 4U);
  EXPECT_DOUBLE_EQ(readings[0].at.value(), 100.0);
  EXPECT_NEAR(readings[1].at.value(), 100.4, 1e-9);  // 80 W still held then
  EXPECT_NEAR(readings[2].at.value(), 100.5, 1e-9);
  EXPECT_NEAR(readings[3].at.value(), 100.9, 1e-9);
  EXPECT_EQ(readings[3].value, 90.0);
  EXPECT_EQ(sampler.window().polls, 10U);
  EXPECT_EQ(sampler.samples(Seconds(100.45), Seconds(100.55)).size(), 1U);
  EXPECT_TRUE(sampler.traits().buffered);
}

TEST(Sampler, DropsReadingsWhoseStampIsNotNew) {
  ManualClock clock;
  double stamp = 1.0;
  double value = 10.0;
  FakeSensor sensor([&] { return reading(stamp, value); });
  Sampler sampler(sensor, clock, milliseconds(10));
  sampler.poll();
  value = 11.0;  // the same stamp again: not a new reading, whatever it says
  sampler.poll();
  stamp = 2.0;
  sampler.poll();
  const std::vector<Reading> readings = sampler.window().readings;
  ASSERT_EQ(readings.size(), 2U);
  EXPECT_EQ(readings[0].value, 10.0);
  EXPECT_EQ(readings[1].value, 11.0);
}

TEST(Sampler, CountsFailuresAndEndsWithTheSensor) {
  ManualClock clock;
  int call = 0;
  FakeSensor sensor([&] {
    ++call;
    if (call == 2) return failure("busy", false);
    if (call == 4) return failure("GPU is lost", true);
    return reading(call, call);
  });
  Sampler sampler(sensor, clock, milliseconds(10));
  EXPECT_TRUE(sampler.poll());
  EXPECT_TRUE(sampler.poll());
  EXPECT_TRUE(sampler.poll());
  EXPECT_FALSE(sampler.poll());
  const SampledWindow window = sampler.window();
  EXPECT_TRUE(window.lost);
  EXPECT_EQ(window.why, "GPU is lost");
  EXPECT_EQ(window.failures, 2U);
  EXPECT_EQ(window.readings.size(), 2U);
}

TEST(Sampler, ReadsInAThreadBetweenStartAndStop) {
  std::mutex mutex;
  std::condition_variable changed;
  int calls = 0;
  FakeSensor sensor([&] {
    const std::lock_guard lock(mutex);
    ++calls;
    changed.notify_all();
    return reading(real_clock().system().value(), calls);
  });
  Sampler sampler(sensor, real_clock(), microseconds(100));
  sampler.start();
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return calls >= 5; });
  }
  EXPECT_TRUE(sampler.read().reading.has_value());
  sampler.stop();
  const SampledWindow window = sampler.window();
  EXPECT_GE(window.readings.size(), 5U);
  EXPECT_EQ(window.polls, static_cast<std::size_t>(calls));
  EXPECT_GT(window.monotonic_end, window.monotonic_begin);
  EXPECT_GT(window.system_end, window.system_begin);
  sampler.start();  // another window forgets the first
  sampler.stop();
  EXPECT_LT(sampler.window().polls, window.polls);
}

TEST(Sampler, RefusesASensorThatIsBuffered) {
  SensorTraits traits;
  traits.buffered = true;
  FakeSensor sensor([] { return reading(0.0, 0.0); }, traits);
  EXPECT_THROW(Sampler(sensor, real_clock(), milliseconds(1)), std::invalid_argument);
}

TEST(UpdatePeriod, IsTheMedianTimeBetweenNewValues) {
  ManualClock clock(Seconds(5.0));
  // Steps every 100 ms, as the power of an H200; a read costs 1 ms.
  FakeSensor sensor([&] {
    clock.advance(milliseconds(1));
    return reading(clock.system().value(), static_cast<double>(static_cast<long>(clock.system().value() / 0.1)));
  });
  const UpdatePeriod found = measure_update_period(sensor, Seconds(3.0), clock);
  ASSERT_TRUE(found.period.has_value()) << found.why;
  EXPECT_NEAR(found.period->value(), 0.1, 0.002);  // to one read and one pause
  EXPECT_GE(found.updates, 25U);
  EXPECT_NEAR(found.read_cost.value(), 0.001, 1e-6);
}

TEST(UpdatePeriod, OfAConstantOrDeadSensorIsNotMadeUp) {
  ManualClock clock;
  FakeSensor constant([&] { return reading(clock.system().value(), 42.0); });
  UpdatePeriod found = measure_update_period(constant, Seconds(0.5), clock);
  EXPECT_FALSE(found.period.has_value());
  EXPECT_NE(found.why.find("0 times"), std::string::npos) << found.why;
  FakeSensor dead([&] { return failure("GPU is lost", true); });
  found = measure_update_period(dead, Seconds(0.5), clock);
  EXPECT_FALSE(found.period.has_value());
  EXPECT_EQ(found.why, "GPU is lost");
}

TEST(UpdatePeriod, OfABufferComesFromItsStamps) {
  SensorTraits traits;
  traits.buffered = true;
  FakeSensor sensor([] { return reading(12.38, 1.0); }, traits);
  for (int i = 0; i < 120; ++i) sensor.buffer.push_back({Seconds(10.0 + 0.02 * i), 1.0});
  ManualClock clock;
  const UpdatePeriod found = measure_update_period(sensor, Seconds(3.0), clock);
  ASSERT_TRUE(found.period.has_value()) << found.why;
  EXPECT_NEAR(found.period->value(), 0.02, 1e-9);
  EXPECT_EQ(clock.monotonic().value(), 0.0);  // no waiting
}

}  // namespace
}  // namespace wattune::device
