// The engine of virtual GPUs: what it promises through the port.
#include "engine/virtual/virtual_engine.hpp"

#include <gtest/gtest.h>

#include "sim/instances.hpp"
#include "wattune/error.hpp"

namespace wattune {
namespace {

CompileRequest request(double registers = 32) {
  CompileRequest asked;
  asked.kernel = "k";
  asked.profile.emplace();
  asked.profile->registers = registers;
  asked.profile->fp32 = 1e10;
  return asked;
}

class VirtualEngine : public ::testing::Test {
 protected:
  std::unique_ptr<Engine> open(const std::string& id = "virtual:a100?noise=0") { return open_engine(id, clock_); }
  ManualClock clock_;
  const Geometry geometry_{{1080, 2, 1}, {256, 1, 1}, 0};
};

TEST_F(VirtualEngine, DescribesThePreset) {
  const DeviceDescription d = open()->describe();
  EXPECT_EQ(d.kind, "virtual");
  EXPECT_EQ(d.interface_name, "virtual");
  EXPECT_EQ(d.id, "virtual:a100?noise=0");
  EXPECT_NE(d.name.find("(simulated)"), std::string::npos);
  EXPECT_EQ(d.compute_units, 108U);
  EXPECT_EQ(d.max_block_threads, 1024U);
  EXPECT_EQ(d.max_core_clock, megahertz(1410));
}

TEST_F(VirtualEngine, IsChosenByItsIdAlone) {
  for (const char* name : {"virtual:a100", "virtual:rtx_a4000", "virtual:v100", "virtual:titan_rtx", "virtual:hd7970",
                           "VIRTUAL:A100", "virtual:a100_pcie_40gb"})
    EXPECT_EQ(open_engine(name, clock_)->describe().interface_name, "virtual") << name;
  EXPECT_THROW(open_engine("virtual:h900", clock_), Error);
  EXPECT_TRUE(is_virtual("virtual:a100"));
  EXPECT_FALSE(is_virtual("cuda:0"));
  EXPECT_NE(simulated_clock_for("virtual:a100"), nullptr);
  EXPECT_EQ(simulated_clock_for("auto"), nullptr);
  try {
    EXPECT_NE(open_engine("auto")->describe().interface_name, "virtual");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::no_device);
  }
}

TEST_F(VirtualEngine, RunsTheProfileInTheShapeOfTheLaunch) {
  const auto engine = open();
  const CompileResult compiled = engine->compile(request());
  ASSERT_EQ(compiled.status, Status::correct);
  EXPECT_EQ(compiled.kernel->registers(), 32U);
  const auto arguments = engine->upload({});
  RunOptions options;
  options.repeats = 5;
  const Seconds before = clock_.monotonic();
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry_, options);
  ASSERT_EQ(run.status, Status::correct);
  ASSERT_EQ(run.times.size(), 5U);
  KernelProfile shaped = *request().profile;
  shaped.blocks = 2160;
  shaped.threads = 256;
  const Seconds exact = evaluate_exact(*find_virtual_gpu("a100"), shaped).time;
  EXPECT_NEAR(run.times[0] / exact, 1.0, 1e-9);
  EXPECT_EQ(run.window_begin, before);
  EXPECT_NEAR((run.window_end - run.window_begin) / exact, 5.0, 1e-6) << "launches take their time on the clock";
  EXPECT_NEAR(in_megahertz(*engine->probe_core_clock()), 1410.0, 1e-6);
  options.timed = false;
  EXPECT_TRUE(engine->run(*compiled.kernel, *arguments, geometry_, options).times.empty());
}

TEST_F(VirtualEngine, PartitionsToComputeUnits) {
  const auto engine = open();
  const CompileResult compiled = engine->compile(request());
  const auto arguments = engine->upload({});
  const Seconds all = engine->run(*compiled.kernel, *arguments, geometry_, {}).times[0];
  ASSERT_TRUE(engine->partition(54));
  EXPECT_NEAR(engine->run(*compiled.kernel, *arguments, geometry_, {}).times[0] / all, 2.0, 0.05);
  EXPECT_FALSE(engine->partition(109));
  ASSERT_TRUE(engine->partition(0));
  EXPECT_EQ(engine->run(*compiled.kernel, *arguments, geometry_, {}).times[0], all);
}

TEST_F(VirtualEngine, WhatCannotRunIsAStatus) {
  const auto engine = open();
  CompileRequest greedy = request();
  greedy.profile->local_bytes = 1e6;
  const CompileResult refused = engine->compile(greedy);
  EXPECT_EQ(refused.status, Status::runtime);
  EXPECT_NE(refused.message.find("1000000 bytes of local memory"), std::string::npos) << refused.message;
  const CompileResult compiled = engine->compile(request(128));
  const auto arguments = engine->upload({});
  const RunResult run = engine->run(*compiled.kernel, *arguments, {{1, 1, 1}, {1024, 1, 1}, 0}, {});
  EXPECT_EQ(run.status, Status::runtime);
  EXPECT_FALSE(run.fatal);
  EXPECT_NE(run.message.find("registers"), std::string::npos) << run.message;
}

TEST_F(VirtualEngine, NoProfileIsTheUsersFault) {
  CompileRequest asked = request();
  asked.profile.reset();
  EXPECT_THROW(static_cast<void>(open()->compile(asked)), Error);
}

TEST_F(VirtualEngine, RecoversFromADriverResetButNotFromUnplugging) {
  for (const bool unplugged : {false, true}) {
    const auto engine = open(unplugged ? "virtual:a100?unplugged=0.2" : "virtual:a100?driver_reset=0.2");
    const CompileResult compiled = engine->compile(request());
    const auto arguments = engine->upload({});
    RunOptions options;
    options.repeats = 100000;
    const RunResult run = engine->run(*compiled.kernel, *arguments, geometry_, options);
    EXPECT_EQ(run.status, Status::runtime);
    EXPECT_TRUE(run.fatal);
    if (unplugged) {
      EXPECT_THROW(engine->recover(), Error);
    } else {
      engine->recover();
      EXPECT_EQ(engine->run(*compiled.kernel, *arguments, geometry_, {}).status, Status::correct);
    }
  }
}

}  // namespace
}  // namespace wattune
