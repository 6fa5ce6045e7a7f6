// Clocks as parameters of a run: their values, what is set when, and that everything is as it was afterwards.
#include "tune/hardware.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "fake_device.hpp"
#include "fake_engine.hpp"
#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

using testing::FakeBehaviour;
using testing::FakeControl;
using testing::FakeDevice;
using testing::FakeEngine;
using testing::FakeKernel;

std::vector<double> clocks(double first, double last, double step) {
  std::vector<double> values;
  for (double value = first; value <= last; value += step) values.push_back(value);
  return values;
}

ParameterSpec parameter(const std::string& name, std::vector<Value> values) {
  ParameterSpec spec;
  spec.name = name;
  spec.values = std::move(values);
  return spec;
}

class HardwareTest : public ::testing::Test {
 protected:
  HardwareTest() : state_(std::filesystem::temp_directory_path() / ("wattune-hardware-" + std::to_string(::getpid()))) {
    ::setenv("WATTUNE_STATE_DIR", state_.c_str(), 1);
    ::unsetenv("WATTUNE_NO_CONTROL");
  }
  ~HardwareTest() override {
    ::unsetenv("WATTUNE_STATE_DIR");
    ::unsetenv("WATTUNE_NO_CONTROL");
    std::filesystem::remove_all(state_);
  }

  static Spec spec_for(std::vector<ParameterSpec> parameters) {
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
    spec.parameters = std::move(parameters);
    spec.strategy.name = {"brute_force", {}};
    return spec;
  }

  std::vector<Value> resolved(const std::string& text) {
    ParameterSpec given = parameter("core_clock_mhz", {});
    given.supported = LocatedText{text, {"clocks.toml", 4, 20}};
    return tune::with_supported_values(spec_for({given}), &device_, {}).parameters.front().values;
  }

  wattune::Run tune(const Spec& spec) {
    FakeBehaviour behaviour;
    behaviour.time = [this](const FakeKernel& kernel, std::uint64_t) {
      EXPECT_FALSE(kernel.definitions.contains("core_clock_mhz")) << "a setting is no definition";
      return Seconds(1.0 / clock_control_.now / std::stod(kernel.definitions.at("width")));
    };
    FakeEngine engine(behaviour, clock_);
    TuneRequest request;
    request.spec = spec;
    request.device = &device_;
    TuneObserver quiet;
    return tune_kernel(request, engine, store_, quiet, clock_);
  }

  std::filesystem::path state_;
  ManualClock clock_{Seconds(10.0)};
  FakeDevice device_{clock_};
  FakeControl& clock_control_ = device_.add_control("core_clock_mhz", clocks(210.0, 1410.0, 15.0));
  Store store_ = Store::open(":memory:");
};

TEST_F(HardwareTest, SupportedValuesAreTheDevices) {
  EXPECT_EQ(resolved("supported").size(), 81U);
  EXPECT_EQ(resolved("equidistant(7)"), (std::vector<Value>{Value(210), Value(405), Value(615), Value(810), Value(1005),
                                                            Value(1215), Value(1410)}));
  EXPECT_EQ(resolved("around(1005, 10)").size(), 13U);  // 915 .. 1095
  EXPECT_EQ(resolved("around(1005, 10, 3)"), (std::vector<Value>{Value(915), Value(1005), Value(1095)}));
}

TEST_F(HardwareTest, FaultyTextsAreErrorsWithTheirPlace) {
  for (const char* text : {"equidistant(0)", "equidistant()", "around(5)", "around(x, 3)", "around(3000, 1)"}) {
    try {
      resolved(text);
      ADD_FAILURE() << text << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_EQ(error.problems().front().where, "clocks.toml:4:20");
    }
  }
}

TEST_F(HardwareTest, AnAliasIsTheSameSetting) {
  EXPECT_EQ(hardware_setting("nvml_gr_clock"), "core_clock_mhz");
  EXPECT_EQ(hardware_setting("nvml_pwr_limit"), "power_limit_w");
  EXPECT_EQ(hardware_setting("sm"), "compute_units");
  EXPECT_EQ(hardware_setting("block_size_x"), "");
  const Spec twice = spec_for({parameter("core_clock_mhz", {Value(210)}), parameter("nvml_gr_clock", {Value(225)}),
                               parameter("width", {Value(1)})});
  EXPECT_THROW(tune(twice), Error);
}

TEST_F(HardwareTest, TheSearchFindsKernelAndClockAndRestores) {
  clock_control_.now = 705.0;
  const wattune::Run run = tune(spec_for({parameter("width", {Value(1), Value(2), Value(4)}),
                                          parameter("core_clock_mhz", {Value(210), Value(810), Value(1410)})}));
  ASSERT_TRUE(run.best_index);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration, (std::vector<Value>{Value(4), Value(1410)}));
  EXPECT_EQ(clock_control_.now, 705.0) << "what was found, not the factory's default";
  EXPECT_TRUE(run.head.parameters[1].device);
  ASSERT_TRUE(run.default_index);
  EXPECT_EQ(run.outcomes[*run.default_index].configuration.back(), Value(1410)) << "default: the highest clock";
}

TEST_F(HardwareTest, ABatchIsOrderedSoThatClocksChangeRarely) {
  Spec spec = spec_for({parameter("width", {Value(1), Value(2), Value(4), Value(8), Value(16)}),
                        parameter("core_clock_mhz", {Value(210), Value(810), Value(1410)})});
  spec.measure.finalists = 0;
  const wattune::Run run = tune(spec);
  EXPECT_EQ(run.outcomes.size(), 15U);
  EXPECT_LE(clock_control_.sets.size(), 4U) << "the default's clock and one change for each clock of the batch";
}

TEST_F(HardwareTest, ARefusedClockIsAStatusAndTheSearchGoesOn) {
  clock_control_.refused = 1410.0;
  const wattune::Run run = tune(
      spec_for({parameter("width", {Value(1), Value(2)}), parameter("core_clock_mhz", {Value(810), Value(1410)})}));
  EXPECT_EQ(std::count_if(run.outcomes.begin(), run.outcomes.end(),
                          [](const Outcome& o) { return o.status == Status::clock_refused; }),
            2);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration.back(), Value(810));
}

TEST_F(HardwareTest, AClockThatTheDeviceDoesNotReachIsRefused) {
  clock_control_.stuck = 1410.0;
  clock_control_.now = 600.0;
  const wattune::Run run =
      tune(spec_for({parameter("width", {Value(2)}), parameter("core_clock_mhz", {Value(600), Value(1410)})}));
  const auto refused = std::find_if(run.outcomes.begin(), run.outcomes.end(),
                                    [](const Outcome& o) { return o.status == Status::clock_refused; });
  ASSERT_NE(refused, run.outcomes.end());
  EXPECT_EQ(refused->configuration.back(), Value(1410));
  EXPECT_NE(refused->message.find("600"), std::string::npos) << refused->message;
}

TEST_F(HardwareTest, TheLockForbidsIt) {
  ::setenv("WATTUNE_NO_CONTROL", "1", 1);
  try {
    tune(spec_for({parameter("width", {Value(1)}), parameter("core_clock_mhz", {Value(810)})}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::permission);
  }
  EXPECT_TRUE(clock_control_.sets.empty());
}

TEST_F(HardwareTest, NothingIsSetWithoutASettingInTheSpec) {
  tune(spec_for({parameter("width", {Value(1), Value(2)})}));
  EXPECT_TRUE(clock_control_.sets.empty());
  EXPECT_FALSE(std::filesystem::exists(state_));
}

TEST_F(HardwareTest, ComputeUnitsNeedNoControl) {
  ::setenv("WATTUNE_NO_CONTROL", "1", 1);
  const wattune::Run run = tune(spec_for({parameter("width", {Value(1)}), parameter("compute_units", {Value(0)})}));
  EXPECT_EQ(run.outcomes.front().status, Status::correct) << "the fake engine has no partitions but can be whole";
}

TEST_F(HardwareTest, WhatTheDeviceCannotSetIsNamed) {
  try {
    tune(spec_for({parameter("width", {Value(1)}), parameter("power_limit_w", {Value(150)})}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
    EXPECT_NE(std::string(error.what()).find("power_limit_w"), std::string::npos);
  }
}

}  // namespace
}  // namespace wattune
