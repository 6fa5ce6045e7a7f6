// The CUDA engine over a fake driver: order of calls, limits, and what each error becomes.
#include "engine/cuda/cuda_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "engine_fixture.hpp"
#include "fake_cuda.hpp"

namespace wattune::engine::cuda {
namespace {

namespace fake = support::fake_cuda;
using support::buffer_of;
using support::local_of;
using support::scalar_of;

class CudaEngineTest : public ::testing::Test {
 protected:
  CudaEngineTest() {
    fake::state() = fake::State{};
    open();
  }
  ~CudaEngineTest() override {
    arguments_.reset();
    kernel_.reset();
    engine_.reset();
    EXPECT_EQ(fake::state().retained, 0);
    EXPECT_EQ(fake::state().bad_frees, 0);
    EXPECT_TRUE(fake::state().objects.empty());
    EXPECT_TRUE(fake::state().allocations.empty());
  }

  void open() {
    const std::vector<FoundDevice> devices = discover(driver_, "13.0");
    engine_ =
        std::make_unique<CudaEngine>(driver_, devices.at(0), Compiler(nvrtc_, devices.at(0).capability, {}), clock_);
  }
  void prepare(std::vector<ArgumentData> data = {buffer_of("a", std::vector<float>(16), ElementType::f32),
                                                 scalar_of("n", 16, ElementType::i32)}) {
    CompileResult compiled = engine_->compile(support::request_for("k", "__global__ void k() {}", Language::cuda));
    ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
    kernel_ = std::move(compiled.kernel);
    arguments_ = engine_->upload(data);
  }
  RunResult run(std::uint32_t repeats = 1, bool cold = false, std::uint32_t depth = 32) {
    return engine_->run(*kernel_, *arguments_, geometry_, RunOptions{repeats, cold, depth});
  }

  DriverApi driver_ = fake::driver();
  NvrtcApi nvrtc_ = fake::nvrtc();
  ManualClock clock_;
  Geometry geometry_{{4, 1, 1}, {64, 1, 1}, 0};
  std::unique_ptr<CudaEngine> engine_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceArguments> arguments_;
};

TEST_F(CudaEngineTest, DescribesTheDevice) {
  const DeviceDescription& d = engine_->describe();
  EXPECT_EQ(d.id, "cuda:0");
  EXPECT_EQ(d.uuid, "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
  EXPECT_EQ(d.pci_bus, "0000:3b:00.0");
  EXPECT_EQ(d.architecture, "sm_90");
  EXPECT_EQ(d.compute_units, 132U);
  EXPECT_EQ(d.local_memory_bytes, 49152U);
  EXPECT_EQ(d.local_memory_optin_bytes, 232448U);
  EXPECT_EQ(d.max_core_clock, megahertz(1980));
  EXPECT_NE(d.driver.find("CUDA 13.0, NVRTC 13.0"), std::string::npos) << d.driver;
}

TEST_F(CudaEngineTest, TimesEachLaunchBetweenItsOwnEvents) {
  prepare();
  fake::state().log.clear();
  const RunResult result = run(5, false, 2);
  ASSERT_EQ(result.status, Status::correct) << result.message;
  ASSERT_EQ(result.times.size(), 5U);
  for (const Seconds time : result.times) EXPECT_DOUBLE_EQ(time.value(), 0.25e-3);
  // At most two launches are ever in flight: before the third there is a synchronisation.
  int in_flight = 0;
  for (const std::string& entry : fake::state().log) {
    if (entry == "launch") ++in_flight;
    if (entry == "sync" && in_flight > 0) --in_flight;
    EXPECT_LE(in_flight, 2);
  }
  EXPECT_EQ(fake::state().launches, 5);
  EXPECT_EQ(kernel_->registers(), 40U);
}

TEST_F(CudaEngineTest, FlushesOutsideTheTimedPart) {
  prepare();
  fake::state().log.clear();
  ASSERT_EQ(run(3, true).status, Status::correct);
  EXPECT_EQ(fake::state().flushes, 3);
  const auto& log = fake::state().log;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i] != "launch") continue;
    ASSERT_GE(i, 2U);
    EXPECT_EQ(log[i - 1], "record");
    EXPECT_EQ(log[i - 2], "flush");
    EXPECT_EQ(log[i + 1], "record");
  }
}

TEST_F(CudaEngineTest, HandsOverParametersInOrder) {
  prepare();
  ASSERT_EQ(run().status, Status::correct);
  std::int32_t n = 0;
  std::memcpy(&n, fake::state().launched_parameters.at(1).data(), sizeof(n));
  EXPECT_EQ(n, 16);
  Address address = 0;
  std::memcpy(&address, fake::state().launched_parameters.at(0).data(), sizeof(address));
  EXPECT_EQ(fake::state().allocations.count(address), 1U);
}

TEST_F(CudaEngineTest, RefusesArgumentsThatDoNotSuitTheKernel) {
  fake::state().parameters = {8, 8};
  prepare();
  const RunResult size = run();
  EXPECT_EQ(size.status, Status::runtime);
  EXPECT_NE(size.message.find("argument 2 (n) has 4 bytes"), std::string::npos) << size.message;
  fake::state().parameters = {8, 4, 4};
  prepare();
  const RunResult count = run();
  EXPECT_EQ(count.status, Status::runtime);
  EXPECT_NE(count.message.find("3 parameters"), std::string::npos) << count.message;
  EXPECT_EQ(fake::state().launches, 0);
}

TEST_F(CudaEngineTest, FillsConstantSymbolsAndSkipsTheirParameter) {
  fake::state().parameters = {8};
  fake::state().symbols["filter"] = 8;
  prepare({buffer_of("a", std::vector<float>(4), ElementType::f32),
           buffer_of("filter", std::vector<float>{1.5F, 2.5F}, ElementType::f32, ArgumentKind::constant)});
  ASSERT_EQ(run().status, Status::correct);
  float second = 0.0F;
  std::memcpy(&second, fake::state().symbol_contents["filter"].data() + 4, sizeof(second));
  EXPECT_EQ(second, 2.5F);
  fake::state().symbols["filter"] = 4;
  const RunResult small = run();
  EXPECT_EQ(small.status, Status::runtime);
  EXPECT_NE(small.message.find("filter has 4 bytes"), std::string::npos) << small.message;
}

TEST_F(CudaEngineTest, PassesAConstantWithoutSymbolAsAPointer) {
  fake::state().parameters = {8, 8};
  prepare({buffer_of("a", std::vector<float>(4), ElementType::f32),
           buffer_of("filter", std::vector<float>{1.5F}, ElementType::f32, ArgumentKind::constant)});
  EXPECT_EQ(run().status, Status::correct);
}

TEST_F(CudaEngineTest, OptsInToLargeSharedMemoryOnly) {
  prepare({buffer_of("a", std::vector<float>(4), ElementType::f32), scalar_of("n", 1, ElementType::i32),
           local_of("t", 1024)});
  geometry_.shared_bytes = 1024;
  ASSERT_EQ(run().status, Status::correct);
  EXPECT_EQ(fake::state().last_shared_bytes, 2048U);  // local arguments join the dynamic shared memory
  EXPECT_EQ(fake::state().max_dynamic_shared, 0);
  geometry_.shared_bytes = 100 * 1024;
  ASSERT_EQ(run().status, Status::correct);
  EXPECT_EQ(fake::state().max_dynamic_shared, 101 * 1024);
  geometry_.shared_bytes = 300 * 1024;
  const RunResult refused = run();
  EXPECT_EQ(refused.status, Status::runtime);
  EXPECT_FALSE(refused.fatal);
  EXPECT_NE(refused.message.find("232448"), std::string::npos) << refused.message;
}

TEST_F(CudaEngineTest, RefusesImpossibleGeometry) {
  fake::state().kernel_max_threads = 256;
  prepare();
  geometry_.block = {32, 16, 1};
  EXPECT_NE(run().message.find("allows 256"), std::string::npos);
  geometry_.block = {1, 1, 65};
  EXPECT_NE(run().message.find("dimension 2"), std::string::npos);
  geometry_.block = {32, 1, 1};
  geometry_.grid = {1, 70000, 1};
  EXPECT_NE(run().message.find("65535"), std::string::npos);
  geometry_.grid = {1, 0, 1};
  EXPECT_EQ(run().status, Status::runtime);
  EXPECT_EQ(fake::state().launches, 0);
}

TEST_F(CudaEngineTest, ALaunchThatWantsTooMuchIsNotFatal) {
  prepare();
  fake::state().launch_error = error_launch_out_of_resources;
  const RunResult result = run(3);
  EXPECT_EQ(result.status, Status::runtime);
  EXPECT_FALSE(result.fatal);
  EXPECT_TRUE(result.times.empty());
  fake::state().launch_error = success;
  EXPECT_EQ(run(3).status, Status::correct);
}

TEST_F(CudaEngineTest, AnIllegalAddressIsFatalUntilRecovered) {
  prepare();
  fake::state().sync_error = 700;
  const RunResult result = run(3);
  EXPECT_EQ(result.status, Status::runtime);
  EXPECT_TRUE(result.fatal);
  EXPECT_NE(result.message.find("CUDA_ERROR_ILLEGAL_ADDRESS (700): what it means"), std::string::npos)
      << result.message;
  engine_->recover();
  EXPECT_EQ(fake::state().resets, 1);
  EXPECT_THROW(run(), Error);  // kernel and arguments are of the lost context
  std::vector<float> values(16);
  EXPECT_THROW(arguments_->read(0, std::as_writable_bytes(std::span(values))), Error);
  prepare();
  EXPECT_EQ(run(3).times.size(), 3U);
}

TEST_F(CudaEngineTest, MapsCompilerAndLoaderFailures) {
  const CompileRequest request = support::request_for("k", "", Language::cuda);
  fake::state().compile_log = "k.cu(1): error: expected a declaration";
  EXPECT_EQ(engine_->compile(request).status, Status::compile);
  fake::state().compile_log = "ptxas error : Entry function 'k' uses too much shared data";
  EXPECT_EQ(engine_->compile(request).status, Status::runtime);
  fake::state().compile_log.clear();
}

TEST_F(CudaEngineTest, MapsFailuresToLoadAKernel) {
  // Compiling does not load (other launches may be under way); the first use does.
  fake::state().load_error = 218;  // CUDA_ERROR_INVALID_PTX
  prepare();
  EXPECT_EQ(kernel_->registers(), 0U);
  const RunResult invalid = run();
  EXPECT_EQ(invalid.status, Status::compile);
  EXPECT_FALSE(invalid.fatal);
  EXPECT_NE(invalid.message.find("218"), std::string::npos) << invalid.message;
  fake::state().load_error = error_out_of_memory;
  prepare();
  EXPECT_EQ(run().status, Status::runtime);
  fake::state().load_error = 700;
  prepare();
  EXPECT_TRUE(run().fatal);
  EXPECT_EQ(fake::state().launches, 0);
}

TEST_F(CudaEngineTest, CompilesOnOtherThreadsWithoutTouchingTheContext) {
  prepare();
  ASSERT_EQ(run().status, Status::correct);
  const std::set<void*> before = fake::state().objects;
  CompileResult compiled;
  std::thread([&] { compiled = engine_->compile(support::request_for("k", "", Language::cuda)); }).join();
  ASSERT_EQ(compiled.status, Status::correct);
  EXPECT_EQ(fake::state().objects, before);  // no module yet
  EXPECT_EQ(compiled.kernel->registers(), 40U);
  EXPECT_EQ(fake::state().objects.size(), before.size() + 1);
}

TEST_F(CudaEngineTest, ThrowsWhenMemoryIsNotSufficient) {
  ArgumentData huge = buffer_of("huge", std::vector<float>{}, ElementType::f32);
  EXPECT_THROW(engine_->upload(std::vector{huge}), Error);
  huge.bytes.resize(fake::memory_limit + 1);
  try {
    engine_->upload(std::vector{buffer_of("first", std::vector<float>(4), ElementType::f32), huge});
    FAIL() << "uploaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::device);
    EXPECT_NE(std::string(error.what()).find("huge"), std::string::npos);
  }
  EXPECT_TRUE(fake::state().allocations.empty());  // the first one was given back
}

TEST_F(CudaEngineTest, PartitionsOnlyToWhatWasAskedFor) {
  prepare();
  EXPECT_TRUE(engine_->partition(72));
  EXPECT_EQ(run(2).times.size(), 2U);
  EXPECT_FALSE(engine_->partition(30));  // the device would give 32
  EXPECT_TRUE(engine_->partition(8));    // from one partition to another
  EXPECT_EQ(run(2).times.size(), 2U);
  EXPECT_FALSE(engine_->partition(133));
  EXPECT_TRUE(engine_->partition(132));
  EXPECT_TRUE(engine_->partition(0));
  EXPECT_EQ(run(2).times.size(), 2U);
}

TEST_F(CudaEngineTest, KeepsThePartitionThroughARecovery) {
  prepare();
  ASSERT_TRUE(engine_->partition(16));
  fake::state().sync_error = 719;
  EXPECT_TRUE(run().fatal);
  engine_->recover();
  EXPECT_EQ(fake::state().greens, 2);
}

TEST_F(CudaEngineTest, CannotPartitionWithAnOlderDriver) {
  prepare();
  driver_.split_by_count = nullptr;
  EXPECT_FALSE(engine_->partition(72));
  EXPECT_TRUE(engine_->partition(0));
}

TEST_F(CudaEngineTest, AcceptsItsLanguages) {
  EXPECT_TRUE(engine_->accepts(Language::cuda));
  EXPECT_TRUE(engine_->accepts(Language::portable));
  EXPECT_FALSE(engine_->accepts(Language::opencl));
}

TEST(CudaCompiler, ChoosesTheArchitecture) {
  fake::state() = fake::State{};
  const NvrtcApi api = fake::nvrtc();
  const CompileRequest request = support::request_for("k", "", Language::cuda);
  EXPECT_EQ(Compiler(api, 90, {}).options_for(request).front(), "--gpu-architecture=sm_90");
  EXPECT_EQ(Compiler(api, 120, {}).options_for(request).front(), "--gpu-architecture=compute_90");
  EXPECT_EQ(Compiler(api, 86, {}).options_for(request).front(), "--gpu-architecture=compute_80");
  EXPECT_TRUE(Compiler(api, 120, {}).compile(request).is_ptx);
  EXPECT_FALSE(Compiler(api, 90, {}).compile(request).is_ptx);
}

TEST(CudaCompiler, LetsTheUserDecide) {
  const NvrtcApi api = fake::nvrtc();
  CompileRequest request = support::request_for("k", "", Language::cuda);
  request.options = {"-arch=sm_90a", "-std=c++20", "-O3", "--use_fast_math"};
  request.definitions = {{"N", "4"}};
  EXPECT_EQ(Compiler(api, 90, {"/cuda/include"}).options_for(request),
            (std::vector<std::string>{"-default-device", "-I/cuda/include", "-arch=sm_90a", "-std=c++20",
                                      "--use_fast_math", "-DN=4"}));
}

TEST(CudaDriver, ExplainsWhyItDoesNotStart) {
  DriverApi api = fake::driver();
  EXPECT_FALSE(initialise(api).has_value());
  api.init = [](unsigned) { return Result{100}; };
  const std::optional<Problem> problem = initialise(api);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->where, "cuda");
  EXPECT_NE(problem->message.find("(100)"), std::string::npos);
  EXPECT_FALSE(problem->hint.empty());
}

TEST(CudaDriver, KnowsWhichErrorsSpoilTheContext) {
  for (const Result code : {214, 700, 702, 710, 716, 719}) EXPECT_TRUE(is_sticky(code)) << code;
  for (const Result code : {0, 1, 2, 218, 400, 500, 701}) EXPECT_FALSE(is_sticky(code)) << code;
}

}  // namespace
}  // namespace wattune::engine::cuda
