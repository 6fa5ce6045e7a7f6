// Tuning for energy against a fake device: what is measured, what is skipped, how the winner is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fake_device.hpp"
#include "fake_engine.hpp"
#include "tune/energy_evaluation.hpp"
#include "wattune/error.hpp"
#include "wattune/observer.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

using testing::FakeBehaviour;
using testing::FakeDevice;
using testing::FakeEngine;
using testing::FakeKernel;

/// `width` 1, 2, 4, 8, 16: wider is faster and draws more power. Time 16 ms / width; power 60 W + 40 W * width, so that
/// energy is least at the widest (0.69 J a launch there is 0.70 at 8): race to idle. With `greedy` power the fastest
/// pays: 60 W + 4 W * width^2.
class EnergyTuning : public ::testing::Test {
 protected:
  static double width_of(const FakeKernel& kernel) { return std::stod(kernel.definitions.at("width")); }

  wattune::Run tune(const Spec& spec, bool with_sensor = true) {
    FakeBehaviour behaviour;
    behaviour.time = [this](const FakeKernel& kernel, std::uint64_t) {
      const double width = width_of(kernel);
      loads_.emplace_back(clock_.monotonic(), 60.0 + 4.0 * width * width);
      return Seconds(16e-3 / width);
    };
    FakeDevice device(clock_);
    SensorTraits traits;
    traits.update_period = Seconds(0.02);
    if (with_sensor) device.add("power_samples", "W", traits, [this](Seconds at) { return power(at); });
    FakeEngine engine(behaviour, clock_);
    TuneRequest request;
    request.spec = spec;
    request.device = &device;
    request.observers = observers_;
    TuneObserver quiet;
    return tune_kernel(request, engine, store_, quiet, clock_);
  }

  static Spec spec_for(const std::string& objective) {
    Spec spec;
    spec.name = "widths";
    spec.kernel.name = {"widths", {}};
    spec.kernel.source = "__kernel void widths(__global float* out) {}";
    spec.problem = {{"N", Value(64), {}}};
    GridDimension x;
    x.size = LocatedText{"N", {}};
    spec.launch.grid = {x};
    ArgumentSpec out;
    out.name = "out";
    out.size = LocatedText{"N", {}};
    spec.arguments = {out};
    ParameterSpec width;
    width.name = "width";
    width.values = {Value(4), Value(1), Value(2), Value(8), Value(16)};
    spec.parameters = {width};
    spec.objectives = {{{objective, {}}, false}};
    spec.metrics = {{"rate_per_watt", {"1 / energy", {}}, "1/J"}};
    spec.strategy.name = {"brute_force", {}};
    return spec;
  }

  /// 50 W when nothing has been launched in the last 50 ms.
  double power(Seconds at) const {
    double now = 50.0;
    for (auto load = loads_.rbegin(); load != loads_.rend(); ++load) {
      if (load->first > at) continue;
      if ((at - load->first).value() < 0.05) now = load->second;
      break;
    }
    return now;
  }

  ManualClock clock_{Seconds(10.0)};
  Store store_ = Store::open(":memory:");
  std::vector<std::pair<Seconds, double>> loads_;
  std::vector<BenchmarkObserver*> observers_;
};

/// Pretends to read the fan: twice as loud as the kernel is wide. Counts its calls.
class FanObserver final : public BenchmarkObserver {
 public:
  void before(const Benchmark& benchmark) override {
    EXPECT_EQ(benchmark.kernel, "widths");
    ++calls[0];
  }
  void during(const Benchmark&) override { ++calls[1]; }
  std::map<std::string, double> after(const Benchmark& benchmark, const Outcome& outcome) override {
    ++calls[2];
    EXPECT_TRUE(outcome.time.has_value());
    return {{"fan_rpm", 2.0 * benchmark.configuration.front().as_number()}};
  }
  std::array<int, 3> calls{};
};

/// Energy of one launch at a width, J: time by power.
double truth(double width) {
  return 16e-3 / width * (60.0 + 4.0 * width * width);
}

TEST_F(EnergyTuning, FindsTheMostFrugalNotTheFastest) {
  const wattune::Run run = tune(spec_for("energy"));
  ASSERT_TRUE(run.best_index);
  const Outcome& best = run.outcomes[*run.best_index];
  EXPECT_EQ(best.configuration.front(), Value(4));
  EXPECT_NEAR(best.energy->value(), truth(4.0), truth(4.0) * 0.01);
  EXPECT_NEAR(best.power->value(), 124.0, 1.3);
  EXPECT_NEAR(best.metrics.at("rate_per_watt"), 1.0 / truth(4.0), 0.02 / truth(4.0));
  EXPECT_NEAR(best.observed.at("idle_power_w"), 50.0, 1e-9);
  EXPECT_EQ(best.observed.at("energy_method"), 2.0);
  EXPECT_GT(best.observed.at("energy_readings"), 5.0);
  EXPECT_NE(run.head.device_details.at("energy").find("power_samples"), std::string::npos);
}

TEST_F(EnergyTuning, FinalistsAreComparedByEnergy) {
  const wattune::Run run = tune(spec_for("energy"));
  ASSERT_GE(run.finalists.size(), 2U);
  EXPECT_EQ(run.finalists.front().energy_samples.size(), 5U);
  EXPECT_NEAR(run.finalists.front().energy.value, truth(4.0), truth(4.0) * 0.01);
  EXPECT_NEAR(run.finalists.front().energy_gain.value, 1.0, 1e-6) << "the default is the winner";
  for (std::size_t i = 1; i < run.finalists.size(); ++i) {
    EXPECT_GE(run.finalists[i].energy.value, run.finalists[i - 1].energy.value);
  }
}

TEST_F(EnergyTuning, TooSlowToWinAtIdlePowerIsNotMeasured) {
  const wattune::Run run = tune(spec_for("energy"));
  const auto slow = std::ranges::find_if(
      run.outcomes, [](const Outcome& outcome) { return outcome.configuration.front() == Value(1); });
  ASSERT_NE(slow, run.outcomes.end());
  EXPECT_FALSE(slow->energy);
  EXPECT_NEAR(slow->observed.at("energy_at_least_j"), 50.0 * 16e-3, 1e-9) << "0.8 J idle against 0.5 J of the best";
  Spec all = spec_for("energy");
  all.energy.skip_hopeless = false;
  const wattune::Run complete = tune(all);
  EXPECT_TRUE(
      std::ranges::all_of(complete.outcomes, [](const Outcome& outcome) { return outcome.energy.has_value(); }));
  EXPECT_EQ(complete.outcomes[*complete.best_index].configuration, run.outcomes[*run.best_index].configuration);
}

TEST_F(EnergyTuning, EnergyDelayProductPrefersTheFaster) {
  const wattune::Run run = tune(spec_for("edp"));
  // E t = (16e-3 / w)^2 (60 + 4 w^2): falls with the width without end, to 4 * (16e-3)^2.
  EXPECT_EQ(run.outcomes[*run.best_index].configuration.front(), Value(16));
}

TEST_F(EnergyTuning, IdleEnergyMayBeTakenOff) {
  Spec spec = spec_for("energy");
  spec.energy.subtract_idle = true;
  const wattune::Run run = tune(spec);
  const auto two = std::ranges::find_if(
      run.outcomes, [](const Outcome& outcome) { return outcome.configuration.front() == Value(2); });
  EXPECT_NEAR(two->energy->value(), 8e-3 * (76.0 - 50.0), 8e-3 * 26.0 * 0.03);
}

TEST_F(EnergyTuning, WithoutASensorAnObjectiveOfEnergyIsAnError) {
  try {
    tune(spec_for("energy"), false);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
    EXPECT_TRUE(store_.runs().empty()) << "said before a run is stored";
  }
}

TEST_F(EnergyTuning, WithoutASensorAMetricOfEnergyIsLeftOut) {
  const wattune::Run run = tune(spec_for("time"), false);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration.front(), Value(16));
  EXPECT_TRUE(run.outcomes[*run.best_index].metrics.empty());
}

TEST(NeedsEnergy, LooksAtWordsNotAtLetters) {
  Spec spec;
  spec.objectives = {{{"frugality", {}}, true}};
  spec.metrics = {{"frugality", {"work / energy", {}}, ""}, {"powerful", {"energy_like + empowered", {}}, ""}};
  EXPECT_TRUE(tune::objectives_need_energy(spec));
  spec.objectives = {{{"powerful", {}}, true}};
  EXPECT_FALSE(tune::objectives_need_energy(spec));
  EXPECT_TRUE(tune::metrics_need_energy(spec));
}

TEST_F(EnergyTuning, WhatAnObserverSeesIsAnObjectiveLikeAnyOther) {
  FanObserver fan;
  observers_ = {&fan};
  Spec spec = spec_for("noise");
  spec.metrics = {{"noise", {"fan_rpm + 1", {}}, "rpm"}};
  const wattune::Run run = tune(spec, false);
  const Outcome& best = run.outcomes[*run.best_index];
  EXPECT_EQ(best.configuration.front(), Value(1)) << "the quietest, though it is the slowest";
  EXPECT_EQ(best.observed.at("fan_rpm"), 2.0);
  EXPECT_EQ(best.metrics.at("noise"), 3.0);
  EXPECT_EQ(fan.calls[0], 5);
  EXPECT_GE(fan.calls[1], 5);
  EXPECT_EQ(fan.calls[2], 5);
}

}  // namespace
}  // namespace wattune
