// The meter over a device whose power is known at every moment: 80 W idle, 300 W under load after a rise of 60 ms.
#include <gtest/gtest.h>

#include <cmath>

#include "fake_device.hpp"
#include "fake_engine.hpp"
#include "wattune/energy.hpp"

namespace wattune {
namespace {

using testing::FakeBehaviour;
using testing::FakeDevice;
using testing::FakeEngine;
using testing::FakeKernel;

class EnergyMeterTest : public ::testing::Test {
 protected:
  /// Power of the device: rises with a time constant while kernels run. `ripple_` is added in the load.
  double power(Seconds at) const {
    if (at < load_begin_) return 80.0;
    const double since = (at - load_begin_).value();
    return 300.0 - 220.0 * std::exp(-since / 0.012) + ripple_(at);
  }

  MeteredKernel measure(EnergyOptions options = {}, std::optional<Joules> lost_above = {}) {
    FakeBehaviour behaviour;
    behaviour.time = [this](const FakeKernel&, std::uint64_t) {
      if (load_begin_.value() > 1e8) load_begin_ = clock_.monotonic();
      return launch_time_;
    };
    behaviour.fail = [this](const FakeKernel&) { return failure_; };
    FakeEngine engine(behaviour, clock_);
    CompileResult kernel = engine.compile({});
    const auto arguments = engine.upload({});
    EnergyMeter meter(device_, clock_, options, 1);
    return meter.measure(engine, *kernel.kernel, *arguments, Geometry{}, launch_time_, lost_above);
  }

  static SensorTraits buffered(double period, double window = 0.0) {
    SensorTraits traits;
    traits.update_period = Seconds(period);
    traits.averaging_window = Seconds(window);
    return traits;
  }
  testing::FakeSensor::Signal signal() {
    return [this](Seconds at) { return power(at); };
  }

  ManualClock clock_{Seconds(100.0)};
  FakeDevice device_{clock_};
  Seconds launch_time_{1e-3};
  Seconds load_begin_{1e9};
  RunResult failure_;
  std::function<double(Seconds)> ripple_ = [](Seconds) { return 0.0; };
};

TEST_F(EnergyMeterTest, BufferedSamplesGiveTheEnergyOfALaunch) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  const MeteredKernel result = measure();
  ASSERT_EQ(result.status, Status::correct) << result.message;
  const EnergyMeasurement& energy = *result.energy;
  EXPECT_EQ(energy.method, EnergyMethod::trapezoid);
  EXPECT_EQ(energy.sensor, "power_samples");
  EXPECT_NEAR(energy.energy.value, 0.3, 0.3 * 0.005);  // what is left of the rise after 100 ms: e^-8 of 220 W
  EXPECT_TRUE(energy.converged);
  EXPECT_LT(clock_.monotonic().value(), 100.5) << "a steady power needs no more than the least window";
}

TEST_F(EnergyMeterTest, AShortKernelIsRepeatedToFillTheWindow) {
  launch_time_ = Seconds(20e-6);
  device_.add("power_samples", "W", buffered(0.02), signal());
  const MeteredKernel result = measure();
  ASSERT_TRUE(result.energy);
  EXPECT_NEAR(result.energy->energy.value, 300.0 * 20e-6, 300.0 * 20e-6 * 0.005);
  EXPECT_GT(result.energy->launches, 5000U);
}

TEST_F(EnergyMeterTest, ALongWindowIsReadBeforeTheDriverForgets) {
  device_.add("power_samples", "W", buffered(0.02), signal()).reach = Seconds(2.4);
  EnergyOptions options;
  options.min_window = options.max_window = Seconds(6.0);
  const MeteredKernel result = measure(options);
  ASSERT_EQ(result.status, Status::correct) << result.message;
  EXPECT_NEAR(static_cast<double>(result.energy->readings), 300.0, 3.0) << "all 6 s at 20 ms, each once";
  EXPECT_NEAR(result.energy->energy.value, 0.3, 0.3 * 0.002);
}

TEST_F(EnergyMeterTest, AKernelThatHasClearlyLostIsNotMeasuredOn) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  ripple_ = [](Seconds at) { return 15.0 * std::sin(at.value() * 17.0); };  // more than the interval's target allows
  const MeteredKernel all = measure();
  const double needed = (clock_.monotonic() - load_begin_).value();
  load_begin_ = Seconds(1e9);
  const MeteredKernel lost = measure({}, Joules(0.25));
  const double spent = (clock_.monotonic() - load_begin_).value();
  ASSERT_TRUE(all.energy && lost.energy);
  EXPECT_FALSE(all.energy->decided);
  EXPECT_TRUE(lost.energy->decided);
  EXPECT_GT(lost.energy->energy.low, 0.25 * 1.05);
  EXPECT_EQ(lost.energy->warning, "");
  EXPECT_LT(spent, 0.3);
  EXPECT_GT(needed, 2.0 * spent);
  // What may still win is measured as well as ever.
  load_begin_ = Seconds(1e9);
  const MeteredKernel close = measure({}, Joules(0.29));
  EXPECT_FALSE(close.energy->decided);
  EXPECT_GT(close.energy->window, lost.energy->window * 5.0);
}

TEST_F(EnergyMeterTest, AveragingSensorIsGivenTimeToSettle) {
  device_.add("power_average", "W", buffered(0.1, 1.0), signal());
  const MeteredKernel result = measure();
  ASSERT_TRUE(result.energy);
  EXPECT_EQ(result.energy->method, EnergyMethod::median_power);
  EXPECT_NEAR(result.energy->power.value, 300.0, 3.0);
}

TEST_F(EnergyMeterTest, ThreeMethodsAgree) {
  SensorTraits counter = buffered(0.1);
  counter.counter = true;
  device_.add("power_samples", "W", buffered(0.02), signal());
  device_.add("energy_counter", "J", counter, signal());
  EnergyOptions options;
  options.min_window = Seconds(2.0);
  std::vector<double> energies;
  for (const EnergyMethod method : {EnergyMethod::median_power, EnergyMethod::trapezoid, EnergyMethod::counter}) {
    load_begin_ = Seconds(1e9);
    options.method = method;
    const MeteredKernel result = measure(options);
    ASSERT_TRUE(result.energy) << result.message;
    EXPECT_EQ(result.energy->method, method);
    ASSERT_TRUE(result.energy->cross_method);
    EXPECT_LT(std::abs(result.energy->cross_difference_percent), 1.0);
    energies.push_back(result.energy->energy.value);
    clock_.advance(Seconds(10.0));
  }
  for (const double energy : energies) EXPECT_NEAR(energy, 0.3, 0.003);
}

TEST_F(EnergyMeterTest, SensorsThatDisagreeAreTold) {
  SensorTraits counter = buffered(0.1);
  counter.counter = true;
  device_.add("power_samples", "W", buffered(0.02), signal());
  device_.add("energy_counter", "J", counter, [this](Seconds at) { return 1.08 * power(at); });
  EnergyOptions options;
  options.min_window = Seconds(1.0);
  const MeteredKernel result = measure(options);
  ASSERT_TRUE(result.energy);
  EXPECT_NEAR(result.energy->cross_difference_percent, 8.0, 0.5);
  EXPECT_NE(result.energy->warning.find("energy_counter differs by 8"), std::string::npos) << result.energy->warning;
}

TEST_F(EnergyMeterTest, TheWindowGrowsUntilTheIntervalIsGoodEnough) {
  Random random(3);
  std::map<double, double> noise;
  ripple_ = [&](Seconds at) {
    const auto [found, fresh] = noise.try_emplace(at.value(), 0.0);
    if (fresh) found->second = 40.0 * random.normal();
    return found->second;
  };
  device_.add("power_samples", "W", buffered(0.02), signal());
  const MeteredKernel result = measure();
  ASSERT_TRUE(result.energy);
  EXPECT_TRUE(result.energy->converged);
  EXPECT_LE(result.energy->energy.percent(), 2.0);
  EXPECT_GT(result.energy->window.value(), 1.0)
      << "10 W of noise in 300 W of 2 % need about (1.96 * 40 / 6)^2 readings";
}

TEST_F(EnergyMeterTest, AnIntervalOutOfReachIsTold) {
  ripple_ = [](Seconds at) { return std::fmod(at.value(), 0.04) < 0.02 ? -150.0 : 150.0; };
  device_.add("power_samples", "W", buffered(0.02), signal());
  EnergyOptions options;
  options.max_window = Seconds(0.4);
  const MeteredKernel result = measure(options);
  ASSERT_TRUE(result.energy);
  EXPECT_FALSE(result.energy->converged);
  EXPECT_NE(result.energy->warning.find("after the longest window"), std::string::npos);
}

TEST_F(EnergyMeterTest, PartTimeSensorSeesOtherPhasesOfEachLaunch) {
  // As on an A100: 25 ms of every 100 ms are looked at. Launches of 100 ms, whose power has two levels, lie at the same
  // phase all the time; begun at four random phases, the error falls well below the 50 % of one phase.
  launch_time_ = Seconds(0.1);
  ripple_ = [this](Seconds at) { return std::fmod((at - load_begin_).value() + 1e-9, 0.1) < 0.05 ? 100.0 : -100.0; };
  SensorTraits traits = buffered(0.1, 0.025);
  traits.duty = 0.25;
  device_.add("power_instant", "W", traits, signal());
  EnergyOptions options;
  options.max_window = Seconds(4.0);
  const MeteredKernel result = measure(options);
  ASSERT_TRUE(result.energy);
  EXPECT_GT(result.energy->launches, 8U);
  EXPECT_GT(result.energy->power.high - result.energy->power.low, 0.0);
}

TEST_F(EnergyMeterTest, ThrottledWindowsAreRepeatedThenRefused) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  device_.add("clock_event_reasons", "", buffered(0.02), [](Seconds) { return double{0x20}; });
  const MeteredKernel result = measure();
  EXPECT_EQ(result.status, Status::throttled);
  EXPECT_NE(result.message.find("slowed down"), std::string::npos);
}

TEST_F(EnergyMeterTest, AThermalPeakInTheFirstWindowIsMeasuredAgain) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  device_.add("clock_event_reasons", "", buffered(0.02), [](Seconds at) { return at.value() < 100.4 ? 32.0 : 0.0; });
  const MeteredKernel result = measure();
  EXPECT_EQ(result.status, Status::correct);
  ASSERT_TRUE(result.energy);
  EXPECT_FALSE(result.energy->throttled);
}

TEST_F(EnergyMeterTest, APowerLimitIsMarkedNotRefused) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  device_.add("clock_event_reasons", "", buffered(0.02), [](Seconds) { return 4.0; });
  const MeteredKernel result = measure();
  EXPECT_EQ(result.status, Status::correct);
  EXPECT_TRUE(result.energy->power_capped);
}

TEST_F(EnergyMeterTest, ALostSensorIsAStatus) {
  device_.add("power_samples", "W", buffered(0.02), signal()).lost_after = Seconds(100.05);
  const MeteredKernel result = measure();
  EXPECT_EQ(result.status, Status::sensor_lost);
  EXPECT_NE(result.message.find("the device is gone"), std::string::npos) << result.message;
}

TEST_F(EnergyMeterTest, AFailingLaunchEndsIt) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  failure_.status = Status::runtime;
  failure_.message = "illegal address";
  failure_.fatal = true;
  const MeteredKernel result = measure();
  EXPECT_EQ(result.status, Status::runtime);
  EXPECT_TRUE(result.fatal);
  EXPECT_FALSE(result.energy);
}

TEST_F(EnergyMeterTest, ADeviceWithoutPowerIsAnErrorThatNamesTheSensors) {
  try {
    measure();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
    EXPECT_NE(std::string(error.what()).find("power_samples"), std::string::npos) << error.what();
  }
}

TEST_F(EnergyMeterTest, IdlePowerIsWhatTheDeviceDrawsWhenNothingRuns) {
  device_.add("power_samples", "W", buffered(0.02), signal());
  EnergyMeter meter(device_, clock_, {}, 1);
  const auto idle = meter.idle_power();
  ASSERT_TRUE(idle);
  EXPECT_DOUBLE_EQ(idle->value(), 80.0);
}

}  // namespace
}  // namespace wattune
