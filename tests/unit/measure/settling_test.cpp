// Settling of sensors over a device whose power steps from 100 W to 400 W when kernels run.
#include "measure/settling.hpp"

#include <gtest/gtest.h>

#include "fake_device.hpp"
#include "fake_engine.hpp"

namespace wattune::measure {
namespace {

class SettlingTest : public ::testing::Test {
 protected:
  /// A sensor that averages over `window` and changes every `period`.
  Settling settle(double window, double period, double load_power = 400.0) {
    testing::FakeBehaviour behaviour;
    behaviour.time = [this](const testing::FakeKernel&, std::uint64_t) {
      if (clock_.monotonic() - resumed_ > Seconds(1.0)) begin_ = clock_.monotonic();
      resumed_ = clock_.monotonic();
      return Seconds(2e-3);
    };
    testing::FakeEngine engine(behaviour, clock_);
    testing::FakeDevice device(clock_);
    SensorTraits traits;
    traits.update_period = Seconds(period);
    traits.averaging_window = Seconds(window);
    testing::FakeSensor& sensor = device.add("power", "W", traits, [this, load_power](Seconds at) {
      return at >= begin_ && at - resumed_ < Seconds(0.05) ? load_power : 100.0;
    });
    return measure_settling(engine, sensor, clock_);
  }

  ManualClock clock_{Seconds(50.0)};
  Seconds resumed_, begin_{1e9};
};

TEST_F(SettlingTest, ARunningMeanSettlesWhenItsWindowIsFull) {
  const Settling result = settle(1.0, 0.1);
  ASSERT_TRUE(result.time) << result.why;
  // 5 % before the end of the window, rounded up to the next new value and the next look.
  EXPECT_GE(result.time->value(), 0.95);
  EXPECT_LE(result.time->value(), 1.1);
  EXPECT_NEAR(result.idle.value(), 100.0, 1e-9);
  EXPECT_NEAR(result.load.value(), 400.0, 1e-9);
}

TEST_F(SettlingTest, AnInstantaneousSensorSettlesWithItsNextValue) {
  const Settling result = settle(0.0, 0.1);
  ASSERT_TRUE(result.time) << result.why;
  EXPECT_LE(result.time->value(), 0.13);
}

TEST_F(SettlingTest, ALoadThatIsNotSeenGivesAReason) {
  const Settling result = settle(0.0, 0.1, 103.0);
  EXPECT_FALSE(result.time);
  EXPECT_EQ(result.why, "the power does not rise under a load");
}

}  // namespace
}  // namespace wattune::measure
