// The state of a virtual GPU over simulated time: what launches, settings, sensors and faults do to each other.
#include "sim/virtual_gpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels.hpp"
#include "sim/instances.hpp"
#include "wattune/error.hpp"

namespace wattune::sim {
namespace {

/// A device on a clock of its own, and kernels for it.
struct Bench {
  explicit Bench(const std::string& id = "virtual:a100?noise=0", Seconds start = Seconds(0.0))
      : clock(start), gpu(id, parse_id(id), clock), kernel(testing::arithmetic_kernel(gpu.preset(), 1)) {}
  /// Runs launches for so long; the time they took.
  double run(double seconds) {
    const double begin = clock.system().value();
    const double one = evaluate_exact(gpu.preset(), kernel).time.value();
    EXPECT_EQ(gpu.launch(kernel, static_cast<std::uint32_t>(seconds / one), false).fault, Launches::Fault::none);
    return clock.system().value() - begin;
  }
  double mean(Channel channel, double begin, double end) {
    const auto samples = gpu.samples(channel, Seconds(begin), Seconds(end));
    double sum = 0.0;
    for (const Sample& sample : samples) sum += sample.value;
    return samples.empty() ? 0.0 : sum / static_cast<double>(samples.size());
  }
  ManualClock clock;
  VirtualGpu gpu;
  KernelProfile kernel;
};

TEST(VirtualGpu, ApproachesTheExactTimeAndPower) {
  for (const VirtualGpuPreset& preset : virtual_gpu_presets()) {
    Bench bench("virtual:" + preset.id + "?noise=0");
    const ExactResult exact = evaluate_exact(preset, bench.kernel);
    bench.run(12.0 * preset.thermal.time_constant.value());
    const Channel channel = preset.sensors.samples.period.value() > 0.0 ? Channel::samples : Channel::instant;
    const double from = bench.clock.system().value();
    const Launches launches = bench.gpu.launch(bench.kernel, 2000, true);
    const double mean = std::accumulate(launches.times.begin(), launches.times.end(), Seconds(0.0)).value() / 2000.0;
    EXPECT_NEAR(mean / exact.time.value(), 1.0, 1e-3) << preset.id;
    EXPECT_NEAR(bench.mean(channel, from, bench.clock.system().value()) / exact.power.value(), 1.0, 2e-3) << preset.id;
    EXPECT_NEAR(bench.gpu.celsius(), exact.celsius, 0.1) << preset.id;
    EXPECT_NEAR(bench.gpu.launch_clock()->value() / exact.core_clock.value(), 1.0, 2e-3) << preset.id;
  }
}

TEST(VirtualGpu, WarmsUpAndDrawsMoreAsItDoes) {
  Bench bench;
  const double cold = bench.gpu.celsius();
  bench.run(1.0);
  const double early = bench.mean(Channel::samples, 0.5, 1.0);
  bench.run(60.0);
  const double now = bench.clock.system().value();
  EXPECT_GT(bench.gpu.celsius(), cold + 10.0);
  EXPECT_GT(bench.mean(Channel::samples, now - 1.0, now), early * 1.005) << "leakage rises with temperature";
  bench.clock.advance(Seconds(200.0));
  EXPECT_NEAR(bench.gpu.celsius(), cold, 0.1);
}

TEST(VirtualGpu, SensorsSeeALoadThroughTheirWindows) {
  Bench bench("virtual:rtx_a4000?noise=0");
  bench.clock.advance(Seconds(3.0));
  bench.run(3.0);
  const double idle = bench.mean(Channel::samples, 2.0, 2.9);
  const double load = bench.mean(Channel::samples, 5.0, 5.9);
  ASSERT_GT(load, 2.0 * idle);
  // The average over a second has half of the rise after half a second, within the drift of temperature.
  const auto average = bench.gpu.samples(Channel::average, Seconds(3.49), Seconds(3.51));
  ASSERT_EQ(average.size(), 1U);
  EXPECT_NEAR(average[0].value, 0.5 * (idle + load), 0.03 * load);
  // The buffered samples of 20 ms have all of it after 20 ms.
  EXPECT_NEAR(bench.mean(Channel::samples, 3.019, 3.021), load, 0.03 * load);
  EXPECT_NEAR(bench.mean(Channel::samples, 2.999, 3.001), idle, 0.01 * idle);
  EXPECT_EQ(bench.gpu.samples(Channel::samples, Seconds(4.0), Seconds(4.999)).size(), 50U);
  EXPECT_EQ(bench.gpu.samples(Channel::instant, Seconds(4.05), Seconds(5.0)).size(), 10U);
}

TEST(VirtualGpu, TheCounterIsTheIntegralOfThePower) {
  Bench bench("virtual:rtx_a4000?noise=0");
  bench.run(2.0);
  bench.clock.advance(Seconds(1.0));
  const auto steps = bench.gpu.samples(Channel::counter, Seconds(0.5), Seconds(3.0));
  const double joules = steps.back().value - steps.front().value;
  const double watts = bench.mean(Channel::samples, 0.5, 3.0);
  // 2 %: of 125 samples, two stand at the ends of the interval and count half.
  EXPECT_NEAR(joules / (steps.back().at - steps.front().at).value() / watts, 1.0, 0.02);
}

/// A part-time sensor (25 of 100 ms) is blind to what lies between: a load in its dark time leaves no trace.
TEST(VirtualGpu, APartTimeSensorMissesWhatLiesBetween) {
  Bench bench("virtual:a100?noise=0");
  bench.clock.advance(Seconds(1.0));
  const double idle = bench.gpu.newest(Channel::instant)->value;
  for (int i = 0; i < 20; ++i) {
    bench.clock.advance(Seconds(1.0 + 0.1 * i + 0.005) - bench.clock.system());
    bench.run(0.06);
  }
  bench.clock.advance(Seconds(0.1));
  EXPECT_NEAR(bench.mean(Channel::instant, 1.0, 3.0), idle, 0.01 * idle);
  EXPECT_GT(bench.mean(Channel::samples, 1.0, 3.0), 1.3 * idle);
}

TEST(VirtualGpu, AClockArrivesAfterAWhile) {
  Bench bench;
  EXPECT_EQ(bench.gpu.core_clock(), megahertz(210)) << "idle";
  const double before = bench.clock.system().value();
  EXPECT_EQ(bench.gpu.set_core_clock(megahertz(1005)), SetAnswer::done);
  EXPECT_NEAR(bench.clock.system().value() - before, bench.gpu.preset().sensors.control_call.value(), 1e-12);
  EXPECT_EQ(bench.gpu.core_clock(), megahertz(210));
  bench.clock.advance(bench.gpu.preset().sensors.clock_settle);
  EXPECT_EQ(bench.gpu.core_clock(), megahertz(1005));
  bench.run(1.0);
  EXPECT_NEAR(in_megahertz(*bench.gpu.launch_clock()), 1005.0, 1e-6);
  EXPECT_EQ(bench.gpu.set_core_clock(megahertz(1000)), SetAnswer::refused) << "not in the list";
  EXPECT_EQ(bench.gpu.set_core_clock({}), SetAnswer::done);
  EXPECT_EQ(bench.gpu.set_power_limit(Watts(100.0)), SetAnswer::refused);
}

TEST(VirtualGpu, IdlePowerFollowsTheLockedClock) {
  Bench bench;
  bench.clock.advance(Seconds(1.0));
  const double unlocked = bench.mean(Channel::samples, 0.5, 1.0);
  bench.gpu.set_core_clock(megahertz(1410));
  bench.clock.advance(Seconds(1.0));
  EXPECT_GT(bench.mean(Channel::samples, 1.5, 2.0), 1.2 * unlocked);
}

TEST(VirtualGpu, ThrottlesAtItsPowerLimitAndSaysSo) {
  Bench bench("virtual:rtx_a4000?noise=0");
  EXPECT_EQ(bench.gpu.event_reasons(), 0x1U);
  ASSERT_EQ(bench.gpu.set_power_limit(Watts(100.0)), SetAnswer::done);
  bench.run(40.0);
  EXPECT_EQ(bench.gpu.event_reasons(), 0x4U);
  EXPECT_LT(*bench.gpu.launch_clock(), megahertz(2000));
  const double now = bench.clock.system().value();
  EXPECT_NEAR(bench.mean(Channel::samples, now - 1.0, now), 100.0, 0.5);
  bench.clock.advance(Seconds(1.0));
  EXPECT_EQ(bench.gpu.event_reasons(), 0x1U);
}

TEST(VirtualGpu, ComputeUnitsConfineLaunches) {
  Bench bench;
  const Seconds all = bench.gpu.launch(bench.kernel, 1, true).times[0];
  EXPECT_TRUE(bench.gpu.set_compute_units(54));
  EXPECT_NEAR(bench.gpu.launch(bench.kernel, 1, true).times[0] / all, 2.0, 0.05);
  EXPECT_FALSE(bench.gpu.set_compute_units(109));
}

TEST(VirtualGpu, NoiseIsSeededAndAsLargeAsAsked) {
  Bench first("virtual:a100?seed=5"), same("virtual:a100?seed=5"), other("virtual:a100?seed=6");
  const auto times = [](Bench& bench) { return bench.gpu.launch(bench.kernel, 5000, true).times; };
  const std::vector<Seconds> a = times(first);
  EXPECT_EQ(a, times(same));
  EXPECT_NE(a, times(other));
  const double exact = evaluate_exact(first.gpu.preset(), first.kernel).time.value();
  double sum = 0.0, squares = 0.0;
  for (const Seconds time : a) {
    sum += time.value() / exact;
    squares += std::pow(time.value() / exact, 2);
  }
  const double mean = sum / 5000.0;
  // Standard error of the mean is 0.014 %, of the deviation 1 % of it; 5 and 4 of these.
  EXPECT_NEAR(mean, 1.0, 7e-4);
  EXPECT_NEAR(std::sqrt(squares / 5000.0 - mean * mean), 0.01, 4e-4);

  first.run(20.0);
  const double now = first.clock.system().value();
  const auto samples = first.gpu.samples(Channel::samples, Seconds(now - 18.0), Seconds(now));
  const auto again = first.gpu.samples(Channel::samples, Seconds(now - 18.0), Seconds(now));
  double difference = 0.0, power = 0.0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].value, again[i].value) << "a reading does not change when it is read again";
    difference += std::pow(samples[i].value - samples[i - 1].value, 2);
    power += samples[i].value;
  }
  const auto count = static_cast<double>(samples.size() - 1);
  // Neighbours differ by sqrt(2) deviations; 900 samples give it within 2.4 %, three of these.
  EXPECT_NEAR(std::sqrt(difference / count / 2.0) / (power / count), 0.02, 0.0015);
}

/// Times are counted from the opening of the device: where the clock stands has no influence.
TEST(VirtualGpu, DoesNotDependOnTheDate) {
  Bench early("virtual:a100?seed=1"), late("virtual:a100?seed=1", Seconds(4096.0));
  early.run(1.0);
  late.run(1.0);
  const auto a = early.gpu.samples(Channel::samples, Seconds(0.0), Seconds(1.0));
  const auto b = late.gpu.samples(Channel::samples, Seconds(4096.0), Seconds(4097.0));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].value, b[i].value, 1e-6 * a[i].value);
}

TEST(VirtualGpuFaults, SensorsAreLost) {
  Bench bench("virtual:a100?noise=0&sensors_lost=1");
  bench.run(0.5);
  EXPECT_FALSE(bench.gpu.sensors_lost());
  bench.run(1.0);
  EXPECT_TRUE(bench.gpu.sensors_lost());
  EXPECT_FALSE(bench.gpu.unplugged());
  EXPECT_EQ(bench.gpu.samples(Channel::samples, Seconds(0.5), Seconds(1.5)).back().at, Seconds(1.0));
}

TEST(VirtualGpuFaults, AClockIsRefused) {
  Bench bench("virtual:a100?refused_clock=1005");
  bench.gpu.set_core_clock(megahertz(990));
  EXPECT_EQ(bench.gpu.set_core_clock(megahertz(1005)), SetAnswer::done) << "the driver says yes";
  bench.clock.advance(Seconds(1.0));
  EXPECT_EQ(bench.gpu.core_clock(), megahertz(990)) << "and nothing follows";
}

TEST(VirtualGpuFaults, TheCounterWraps) {
  Bench bench("virtual:a100?noise=0&counter_wraps_at=100");
  bench.run(2.0);
  bool backwards = false;
  double last = 0.0;
  for (const Sample& step : bench.gpu.samples(Channel::counter, Seconds(0.0), Seconds(2.0))) {
    EXPECT_LT(step.value, 100.0);
    backwards = backwards || step.value < last;
    last = step.value;
  }
  EXPECT_TRUE(backwards);
}

TEST(VirtualGpuFaults, TheDriverResets) {
  Bench bench("virtual:a100?noise=0&driver_reset=1");
  bench.gpu.set_core_clock(megahertz(1005));
  bench.gpu.set_power_limit(Watts(150));
  EXPECT_EQ(bench.gpu.launch(bench.kernel, 1000000, false).fault, Launches::Fault::driver_reset);
  EXPECT_TRUE(bench.gpu.recover());
  EXPECT_FALSE(bench.gpu.locked_core_clock());
  EXPECT_EQ(bench.gpu.power_limit(), Watts(250));
  bench.run(1.0);
  EXPECT_LT(bench.gpu.newest(Channel::counter)->value, 300.0) << "begins anew";
}

TEST(VirtualGpuFaults, TheDeviceIsUnplugged) {
  Bench bench("virtual:a100?noise=0&unplugged=1");
  EXPECT_EQ(bench.gpu.launch(bench.kernel, 1000000, false).fault, Launches::Fault::unplugged);
  EXPECT_EQ(bench.gpu.launch(bench.kernel, 1, false).fault, Launches::Fault::unplugged);
  EXPECT_FALSE(bench.gpu.recover());
  EXPECT_EQ(bench.gpu.set_core_clock(megahertz(1005)), SetAnswer::lost);
}

TEST(VirtualGpuId, OptionsAreRead) {
  const NamedVirtualGpu named = parse_id("virtual:A100?noise=0.5&seed=7&permission=sensors&sensors_lost=2.5");
  EXPECT_EQ(named.preset->id, "a100");
  EXPECT_DOUBLE_EQ(named.options.time_noise, 0.005);
  EXPECT_DOUBLE_EQ(named.options.power_noise, 0.01);
  EXPECT_EQ(named.options.seed, 7U);
  EXPECT_EQ(named.options.permission, Permission::sensors);
  EXPECT_EQ(named.options.faults.sensors_lost, Seconds(2.5));
  EXPECT_EQ(parse_id("hd7970").preset->compute_units, 32U);
}

TEST(VirtualGpuId, FaultsAreNamed) {
  const auto fault = [](const char* id) {
    try {
      parse_id(id);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(fault("virtual:a101").find("virtual:a100"), std::string::npos);
  EXPECT_NE(fault("virtual:a100?nois=1").find("did you mean 'noise'"), std::string::npos);
  EXPECT_NE(fault("virtual:a100?noise=much").find("takes a number"), std::string::npos);
  EXPECT_NE(fault("virtual:a100?noise").find("needs a value"), std::string::npos);
  EXPECT_NE(fault("virtual:a100?permission=some").find("sensors (read only)"), std::string::npos);
}

TEST(VirtualGpuInstances, TheNewestOfAnIdIsFoundWhileItLives) {
  ManualClock clock;
  EXPECT_EQ(find_instance("virtual:v100?seed=9"), nullptr);
  auto made = make_instance("virtual:v100?seed=9", clock);
  EXPECT_EQ(find_instance("virtual:v100?seed=9"), made);
  EXPECT_EQ(find_instance("virtual:v100"), nullptr);
  made = make_instance("virtual:v100?seed=9", clock);
  EXPECT_EQ(find_instance("virtual:v100?seed=9"), made);
  made.reset();
  EXPECT_EQ(find_instance("virtual:v100?seed=9"), nullptr);
}

}  // namespace
}  // namespace wattune::sim
