// Whole tuning runs while a device misbehaves: each fault is a status of the configuration that met it or an error of
// the run, never a wrong number, and the device is left as it was found. The device is opened by the real loader from a
// library with NVML's entry points; kernels are functions of this process, and time is simulated.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "device/nvml/device.hpp"
#include "fake_engine.hpp"
#include "fake_library.hpp"
#include "measure/power_log.hpp"
#include "wattune/error.hpp"
#include "wattune/guard.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

using testing::FakeBehaviour;
using testing::FakeEngine;
using testing::FakeKernel;

constexpr double boost_mhz = 1980.0;

/// The clock of kernels and of the simulated GPU in one. What sleeps leaves the GPU idle.
class SharedClock final : public Clock {
 public:
  SharedClock(ManualClock& kernels, std::string gpu) : kernels_(kernels), gpu_(std::move(gpu)) { tell(); }
  [[nodiscard]] Seconds monotonic() const override { return kernels_.monotonic(); }
  [[nodiscard]] Seconds system() const override { return kernels_.system(); }
  void sleep(Seconds duration) override {
    fake::Gpu(gpu_).set("busy", 0);
    kernels_.sleep(duration);
    tell();
  }
  void tell() const {
    fake::Gpu(gpu_).set("now_us", static_cast<long long>(std::llround(kernels_.system().value() * 1e6)));
  }

 private:
  ManualClock& kernels_;
  std::string gpu_;
};

/// A kernel that takes 4 ms at 1980 MHz and time in inverse proportion to the clock. The GPU draws 100 W + 400 W r^2 at
/// r of its highest clock, so that a launch takes 4 ms (100 W / r + 400 W r): least at r = 1/2, 990 MHz, 1.6 J.
class DeviceFailures : public fake::GpuTest {
 protected:
  DeviceFailures() {
    setenv("LD_LIBRARY_PATH", WATTUNE_FAKE_VENDOR_DIR, 1);  // of the watchdog
    setenv("WATTUNE_PROGRAM", WATTUNE_WATCHDOG_PROGRAM, 1);
    put("power_limit_mw", 650000);
    put("unsupported", "energy_counter");  // it would be polled in real time
    open({true, {}});
  }

  void open(const device::Permission& permission) {
    device::nvml::Library library = device::nvml::loaded_library();
    library.clock = &clock_;
    library.query_smi = nullptr;
    device_ = device::nvml::open(library, id, permission);
    ASSERT_NE(device_, nullptr);
  }

  static Spec spec_for(std::vector<Value> clocks, const std::string& objective = "energy") {
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
    width.values = {Value(1), Value(2)};
    spec.parameters = {width};
    if (!clocks.empty()) {
      ParameterSpec clock;
      clock.name = "core_clock_mhz";
      clock.values = std::move(clocks);
      spec.parameters.push_back(clock);
    }
    spec.objectives = {{{objective, {}}, false}};
    spec.strategy.name = {"brute_force", {}};
    spec.measure.finalists = 0;
    spec.energy.skip_hopeless = false;
    return spec;
  }

  wattune::Run tune(const Spec& spec) {
    FakeBehaviour behaviour;
    behaviour.time = [this](const FakeKernel& kernel, std::uint64_t launch) {
      if (at_launch_) at_launch_(launch);
      fake::Gpu gpu(gpu_file_);
      gpu.set("busy", 1);
      const Seconds time(4e-3 * boost_mhz / gpu.core_mhz() / std::stod(kernel.definitions.at("width")));
      const Seconds end = kernels_.system() + time;
      gpu.set("now_us", static_cast<long long>(std::llround(end.value() * 1e6)));
      return time;
    };
    FakeEngine engine(behaviour, kernels_);
    TuneRequest request;
    request.spec = spec;
    request.device = device_.get();
    TuneObserver quiet;
    return tune_kernel(request, engine, store_, quiet, clock_);
  }

  Error error_of_tuning(const Spec& spec) {
    try {
      tune(spec);
    } catch (const Error& error) {
      return error;
    }
    return {ExitCode::ok, "nothing was thrown"};
  }

  void expect_as_found() const {
    EXPECT_EQ(get("core_lock"), "0");
    EXPECT_EQ(get("power_limit_mw"), "650000");
    const auto journals = settings_left_behind();
    EXPECT_TRUE(journals.empty());
  }

  static std::vector<Outcome> of_status(const wattune::Run& run, Status status) {
    std::vector<Outcome> found;
    std::ranges::copy_if(run.outcomes, std::back_inserter(found), [&](const Outcome& o) { return o.status == status; });
    return found;
  }

  ManualClock kernels_{Seconds(1000.0)};
  SharedClock clock_{kernels_, gpu_file_};
  std::unique_ptr<Device> device_;
  std::function<void(std::uint64_t)> at_launch_;
  Store store_ = Store::open(":memory:");
};

bool mentions(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST_F(DeviceFailures, WithoutAFaultTheMostFrugalClockIsFoundAndGivenBack) {
  const wattune::Run run = tune(spec_for({Value(600), Value(990), Value(1410), Value(1980)}));
  ASSERT_TRUE(run.best_index);
  const Outcome& best = run.outcomes[*run.best_index];
  EXPECT_EQ(best.configuration, (std::vector<Value>{Value(2), Value(990)}));
  EXPECT_NEAR(best.energy->value(), 0.8, 0.8 * 0.005);  // half of 1.6 J: twice as wide
  EXPECT_EQ(of_status(run, Status::correct).size(), 8U);
  EXPECT_GT(std::stoi(get("sets")), 4) << "one for each clock, and one to give it back";
  expect_as_found();
}

TEST_F(DeviceFailures, PermissionDeniedByTheDriverIsAnErrorThatSaysWhatWouldAllowIt) {
  put("deny", 1);
  const Error error = error_of_tuning(spec_for({Value(990)}));
  EXPECT_EQ(error.code(), ExitCode::permission);
  EXPECT_TRUE(mentions(error.what(), "CAP_SYS_ADMIN")) << error.what();
  EXPECT_EQ(get("sets"), "0");
  expect_as_found();
}

TEST_F(DeviceFailures, PermissionDeniedToThisUserIsAnErrorBeforeTheDriverIsAsked) {
  open(device::control_permission(false, false, "CapEff:\t0000000000000000\n"));
  const Error error = error_of_tuning(spec_for({Value(990)}));
  EXPECT_EQ(error.code(), ExitCode::permission);
  EXPECT_TRUE(mentions(error.what(), "root")) << error.what();
  EXPECT_EQ(get("sets"), "0");
  expect_as_found();
}

TEST_F(DeviceFailures, ControlsForbiddenByTheEnvironmentAreAnErrorAndNothingIsSet) {
  setenv("WATTUNE_NO_CONTROL", "1", 1);
  const Error error = error_of_tuning(spec_for({Value(990)}));
  EXPECT_EQ(error.code(), ExitCode::permission);
  EXPECT_TRUE(mentions(error.what(), "WATTUNE_NO_CONTROL")) << error.what();
  EXPECT_EQ(get("sets"), "0");
  EXPECT_NO_THROW(tune(spec_for({}))) << "measuring needs no control";
}

TEST_F(DeviceFailures, SensorsUnsupportedAreAnErrorThatNamesThem) {
  put("unsupported", "power_samples,power_instant,power_average,power_usage,energy_counter");
  open({true, {}});
  const Error error = error_of_tuning(spec_for({}));
  EXPECT_EQ(error.code(), ExitCode::device);
  EXPECT_TRUE(mentions(error.what(), "power_samples (Not Supported (NVML error 3))")) << error.what();
  EXPECT_TRUE(store_.runs().empty()) << "said before a run is stored";
  EXPECT_NO_THROW(tune(spec_for({}, "time"))) << "time needs no sensor";
}

TEST_F(DeviceFailures, SensorLostInMidRunIsAStatusOfWhatItCouldNotMeasure) {
  Spec spec = spec_for({Value(990), Value(1410)});
  at_launch_ = [&](std::uint64_t launch) {
    if (launch == 120) put("unsupported", "energy_counter,power_samples");
  };
  const wattune::Run run = tune(spec);
  const std::vector<Outcome> lost = of_status(run, Status::sensor_lost);
  ASSERT_FALSE(lost.empty());
  ASSERT_FALSE(of_status(run, Status::correct).empty());
  EXPECT_EQ(run.outcomes.size(), 4U) << "the search goes on";
  for (const Outcome& outcome : lost) {
    EXPECT_FALSE(outcome.energy) << "no number without a sensor";
    EXPECT_TRUE(mentions(outcome.message, "power_samples")) << outcome.message;
  }
  EXPECT_EQ(run.outcomes[*run.best_index].status, Status::correct);
  expect_as_found();
}

TEST_F(DeviceFailures, CounterGoingBackwardsIsLeftOutAndTold) {
  put("unsupported", "power_samples,power_instant,power_average,power_usage");
  open({true, {}});
  put("busy", 1);  // 500 W
  measure::PowerLog log(*device_, clock_);
  log.start();
  for (int tick = 0; tick < 250; ++tick) {
    kernels_.advance(measure::PowerLog::tick);
    clock_.tell();
    if (tick == 100) put("energy_back_mj", 300000);
    log.collect();
  }
  const measure::PowerSummary summary = log.stop();
  ASSERT_TRUE(summary.average);
  EXPECT_TRUE(mentions(summary.warning, "went backwards")) << summary.warning;
  EXPECT_EQ(summary.method, EnergyMethod::counter);
  // 300 J of 2500 J fell away; steps of 100 ms that are polled every 20 ms may be dated 20 ms wrong at each of four
  // ends.
  EXPECT_NEAR(summary.average->value(), 500.0, 500.0 * 0.08 / 4.7);
}

TEST_F(DeviceFailures, ClockRefusedByTheDriverIsAStatusAndTheSearchGoesOn) {
  Spec spec = spec_for({Value(990), Value(991)});  // no value of this device
  const wattune::Run run = tune(spec);
  const std::vector<Outcome> refused = of_status(run, Status::clock_refused);
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_TRUE(mentions(refused.front().message, "the nearest is 990")) << refused.front().message;
  EXPECT_EQ(run.outcomes[*run.best_index].configuration.back(), Value(990));
  expect_as_found();
}

TEST_F(DeviceFailures, ClockRefusedByTheDeviceIsFoundByMeasuringIt) {
  put("refuse_clock", 1);  // a lock is taken, the clock stays where it is
  const Error error = error_of_tuning(spec_for({Value(990)}));
  EXPECT_EQ(error.code(), ExitCode::nothing_valid);
  EXPECT_TRUE(mentions(error.what(), "clock_refused")) << error.what();
  expect_as_found();
}

TEST_F(DeviceFailures, ThrottlingUnderAPowerCapRefusesTheClocksItCannotReachAndMarksTheOthers) {
  put("throttle", 0x4);  // the power cap: 1200 MHz at most
  const wattune::Run run = tune(spec_for({Value(990), Value(1800)}));
  const std::vector<Outcome> refused = of_status(run, Status::clock_refused);
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused.front().configuration.back(), Value(1800));
  EXPECT_TRUE(mentions(refused.front().message, "power cap")) << refused.front().message;
  for (const Outcome& outcome : of_status(run, Status::correct)) EXPECT_EQ(outcome.observed.at("power_capped"), 1.0);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration.back(), Value(990));
  expect_as_found();
}

TEST_F(DeviceFailures, ThrottlingByHeatInEveryWindowIsAStatus) {
  at_launch_ = [&](std::uint64_t launch) {
    if (launch == 0) put("throttle", 0x40);
  };
  const Error error = error_of_tuning(spec_for({}));
  EXPECT_EQ(error.code(), ExitCode::nothing_valid);
  EXPECT_TRUE(mentions(error.what(), "throttled")) << error.what();
}

TEST_F(DeviceFailures, TwoRunsOnOneDeviceTheSecondIsRefusedWithTheHoldersProcess) {
  const auto other = open_device(id);
  {
    Guard first(*other);
    ASSERT_TRUE(first.set("power_limit_w", 300.0).ok());
    const Error error = error_of_tuning(spec_for({Value(990)}));
    EXPECT_EQ(error.code(), ExitCode::no_device);
    EXPECT_TRUE(mentions(error.what(), "process " + std::to_string(getpid()))) << error.what();
    EXPECT_EQ(get("core_lock"), "0");
    EXPECT_NO_THROW(tune(spec_for({}))) << "measuring alone is nobody's loss";
  }
  EXPECT_NO_THROW(tune(spec_for({Value(990)})));
  expect_as_found();
}

TEST_F(DeviceFailures, DeviceUnpluggedInMidRunIsAnErrorAndKeepsWhatWasMeasured) {
  at_launch_ = [&](std::uint64_t launch) {
    if (launch == 120) put("lost", 1);
  };
  const Error error = error_of_tuning(spec_for({Value(990), Value(1410), Value(1980)}));
  EXPECT_EQ(error.code(), ExitCode::device);
  EXPECT_TRUE(mentions(error.what(), "lost")) << error.what();
  ASSERT_EQ(store_.runs().size(), 1U);
  const wattune::Run run = store_.load(store_.runs().front().head.id);
  EXPECT_FALSE(of_status(run, Status::correct).empty());
  // It comes back: its settings are still known.
  EXPECT_THROW(restore_left_behind(id), Error) << "after the watchdog has given up, a second later";
  ASSERT_EQ(settings_left_behind().size(), 1U);
  put("lost", 0);
  EXPECT_TRUE(restore_left_behind(id).complete());
  expect_as_found();
}

TEST_F(DeviceFailures, DeviceUnpluggedBeforeTheRunIsNotFound) {
  put("lost", 1);
  EXPECT_EQ(open_device(id), nullptr);
}

}  // namespace
}  // namespace wattune
