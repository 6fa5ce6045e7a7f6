// The CUDA engine on a real GPU: everything the fake driver cannot prove. Changes no setting of the device.
#include <algorithm>
#include <cstdlib>

#include "engine_fixture.hpp"

namespace wattune {
namespace {

using support::buffer_of;
using support::read_back;
using support::scalar_of;

CompileRequest cuda_source(const std::string& kernel, const std::string& source) {
  CompileRequest request = support::request_for(kernel, source, Language::cuda);
  request.source_name = "test.cu";
  return request;
}

Geometry geometry(std::uint64_t grid, std::uint32_t block, std::uint64_t shared_bytes = 0) {
  Geometry g;
  g.grid[0] = grid;
  g.block[0] = block;
  g.shared_bytes = shared_bytes;
  return g;
}

RunOptions repeats(std::uint32_t count, bool cold = false) {
  RunOptions options;
  options.repeats = count;
  options.cold = cold;
  return options;
}

double median_of(std::vector<Seconds> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2].value();
}

const char* const vector_add = R"(
extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
)";

std::vector<ArgumentData> vector_arguments(std::size_t count) {
  std::vector<float> a(count);
  for (std::size_t i = 0; i < count; ++i) a[i] = static_cast<float>(i % 1000);
  return {buffer_of("a", a, ElementType::f32), buffer_of("b", std::vector<float>(count, 0.5F), ElementType::f32),
          buffer_of("c", std::vector<float>(count, -1.0F), ElementType::f32),
          scalar_of("n", static_cast<std::int32_t>(count), ElementType::i32)};
}

TEST(CudaDevice, DescribesItself) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  const DeviceDescription& d = engine->describe();
  EXPECT_TRUE(d.uuid.starts_with("GPU-")) << d.uuid;
  EXPECT_EQ(d.uuid.size(), 40U);
  EXPECT_EQ(d.pci_bus.size(), 12U) << d.pci_bus;
  EXPECT_TRUE(d.architecture.starts_with("sm_"));
  EXPECT_GT(d.compute_units, 0U);
  EXPECT_GE(d.local_memory_optin_bytes, d.local_memory_bytes);
  EXPECT_GT(d.last_level_cache_bytes, 0U);
  EXPECT_GT(d.max_core_clock.value(), 1e8);
  std::printf("%s, %s, %s, driver %s, %u SMs, L2 %.1f MB, %.0f MHz\n", d.name.c_str(), d.architecture.c_str(),
              d.uuid.c_str(), d.driver.c_str(), d.compute_units, static_cast<double>(d.last_level_cache_bytes) / 1e6,
              d.max_core_clock.value() / 1e6);
}

TEST(CudaDevice, AddsVectors) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  constexpr std::size_t count = 1 << 20;
  CompileResult compiled = engine->compile(cuda_source("vector_add", vector_add));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  EXPECT_GT(compiled.kernel->registers(), 0U);
  EXPECT_GT(compiled.kernel->max_block_threads(), 0U);
  const auto arguments = engine->upload(vector_arguments(count));
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(count / 256, 256), repeats(50));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  ASSERT_EQ(run.times.size(), 50U);
  const auto c = read_back<float>(*arguments, 2, count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(c[i], static_cast<float>(i % 1000) + 0.5F) << i;
  double sum = 0.0;
  for (const Seconds time : run.times) {
    EXPECT_GT(time.value(), 0.0);
    sum += time.value();
  }
  EXPECT_LE(sum, (run.window_end - run.window_begin).value());
}

TEST(CudaDevice, ColdLaunchesAreSlowerThanWarmOnes) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  constexpr std::size_t count = 1 << 20;  // 12 MB in all: inside the L2 of a large GPU
  CompileResult compiled = engine->compile(cuda_source("vector_add", vector_add));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  if (engine->describe().last_level_cache_bytes < 24U << 20U) GTEST_SKIP() << "skipped: small L2";
  const auto arguments = engine->upload(vector_arguments(count));
  engine->run(*compiled.kernel, *arguments, geometry(count / 256, 256), repeats(10));
  const RunResult warm = engine->run(*compiled.kernel, *arguments, geometry(count / 256, 256), repeats(51));
  const RunResult cold = engine->run(*compiled.kernel, *arguments, geometry(count / 256, 256), repeats(51, true));
  ASSERT_EQ(cold.status, Status::correct) << cold.message;
  std::printf("warm %.2f us, cold %.2f us\n", median_of(warm.times) * 1e6, median_of(cold.times) * 1e6);
  EXPECT_GT(median_of(cold.times), median_of(warm.times));
}

TEST(CudaDevice, RunsTemplatesConstantsAndLargeSharedMemory) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  const std::string source =
      "__constant__ float factors[2];\n"
      "template <int Offset, typename T> __global__ void scale(T* data) {\n"
      "  extern __shared__ float tile[];\n"
      "  tile[Offset + threadIdx.x] = data[threadIdx.x] * factors[threadIdx.x % 2];\n"
      "  __syncthreads();\n"
      "  data[threadIdx.x] = tile[Offset + blockDim.x - 1 - threadIdx.x];\n}\n";
  CompileResult compiled = engine->compile(cuda_source("scale<OFFSET, float>", source));
  EXPECT_EQ(compiled.status, Status::compile);  // OFFSET is not defined
  CompileRequest request = cuda_source("scale<OFFSET, float>", source);
  request.definitions = {{"OFFSET", "20000"}};
  compiled = engine->compile(request);
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(
      std::vector{buffer_of("data", std::vector<float>{1, 2, 3, 4}, ElementType::f32),
                  buffer_of("factors", std::vector<float>{10, 100}, ElementType::f32, ArgumentKind::constant)});
  const std::uint64_t bytes = (20000 + 4) * sizeof(float);
  if (engine->describe().local_memory_optin_bytes < bytes) GTEST_SKIP() << "skipped: little shared memory";
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 4, bytes), repeats(1));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<float>(*arguments, 0, 4), (std::vector<float>{400, 30, 200, 10}));
  const RunResult refused = engine->run(*compiled.kernel, *arguments, geometry(1, 4, 10 * bytes), repeats(1));
  EXPECT_EQ(refused.status, Status::runtime);
  EXPECT_FALSE(refused.fatal);
}

TEST(CudaDevice, ChecksArgumentsBeforeTheLaunch) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  CompileResult compiled = engine->compile(cuda_source("vector_add", vector_add));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  auto data = vector_arguments(256);
  data.pop_back();
  const auto arguments = engine->upload(data);
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 256), repeats(1));
  if (run.status == Status::correct) GTEST_SKIP() << "skipped: this driver does not tell a kernel's parameters";
  EXPECT_NE(run.message.find("4 parameters"), std::string::npos) << run.message;
  EXPECT_FALSE(run.fatal);
}

TEST(CudaDevice, RefusesABlockThatNeedsTooManyRegisters) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  CompileResult compiled = engine->compile(cuda_source(
      "few", "extern \"C\" __global__ void __launch_bounds__(128) few(float* a) { a[threadIdx.x] = 1.0f; }\n"));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  EXPECT_EQ(compiled.kernel->max_block_threads(), 128U);
  const auto arguments = engine->upload(std::vector{buffer_of("a", std::vector<float>(256), ElementType::f32)});
  EXPECT_EQ(engine->run(*compiled.kernel, *arguments, geometry(1, 256), repeats(1)).status, Status::runtime);
  EXPECT_EQ(engine->run(*compiled.kernel, *arguments, geometry(2, 128), repeats(1)).status, Status::correct);
}

TEST(CudaDevice, RunsAPortableKernelLikeOpenCl) {
  const std::string source =
      "#include \"wattune/portable.h\"\n"
      "WT_CONSTANT_ARRAY(float, factor, 1)\n"
      "WT_KERNEL twice(WT_GLOBAL const float* WT_RESTRICT in, WT_GLOBAL float* WT_RESTRICT out\n"
      "                WT_CONSTANT_ARGUMENT(float, factor)) {\n"
      "  WT_LOCAL float tile[32];\n"
      "  tile[wt_local_id(0)] = in[wt_global_id(0)];\n"
      "  wt_barrier();\n"
      "  out[wt_global_id(0)] = factor[0] * tile[31 - wt_local_id(0)];\n}\n";
  std::vector<std::vector<float>> results;
  for (const char* device : {"cuda", "opencl"}) {
    std::string why;
    const auto engine = support::try_open(device, why);
    if (engine == nullptr) GTEST_SKIP() << "skipped: " << why;
    CompileRequest request = support::request_for("twice", source, Language::portable);
    CompileResult compiled = engine->compile(request);
    ASSERT_EQ(compiled.status, Status::correct) << device << ": " << compiled.message;
    std::vector<float> in(64);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const auto arguments = engine->upload(
        std::vector{buffer_of("in", in, ElementType::f32), buffer_of("out", std::vector<float>(64), ElementType::f32),
                    buffer_of("factor", std::vector<float>{3}, ElementType::f32, ArgumentKind::constant)});
    const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(2, 32), repeats(3));
    ASSERT_EQ(run.status, Status::correct) << device << ": " << run.message;
    results.push_back(read_back<float>(*arguments, 1, 64));
    EXPECT_EQ(results.back()[0], 93.0F) << device;
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(CudaDevice, SlowsDownOnFewerMultiprocessors) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  const std::string source =
      "extern \"C\" __global__ void fma_loop(float* a) {\n"
      "  float x = a[threadIdx.x], y = x + 1.0f;\n"
      "  for (int i = 0; i < 20000; ++i) { x = x * 1.0001f + 0.5f; y = y * 0.9999f + 0.25f; }\n"
      "  a[threadIdx.x] = x + y;\n}\n";
  CompileResult compiled = engine->compile(cuda_source("fma_loop", source));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(std::vector{buffer_of("a", std::vector<float>(256), ElementType::f32)});
  const Geometry g = geometry(engine->describe().compute_units * 8ULL, 256);
  engine->run(*compiled.kernel, *arguments, g, repeats(5));
  const RunResult all = engine->run(*compiled.kernel, *arguments, g, repeats(9));
  ASSERT_EQ(all.status, Status::correct) << all.message;
  if (!engine->partition(16)) GTEST_SKIP() << "skipped: no partitions of 16 multiprocessors here";
  const RunResult part = engine->run(*compiled.kernel, *arguments, g, repeats(9));
  ASSERT_EQ(part.status, Status::correct) << part.message;
  const double ratio = median_of(part.times) / median_of(all.times);
  const double expected = engine->describe().compute_units / 16.0;
  std::printf("16 multiprocessors: %.2f times as long, %.2f expected\n", ratio, expected);
  EXPECT_GT(ratio, 0.7 * expected);
  EXPECT_LT(ratio, 1.3 * expected);
  const RunResult cold = engine->run(*compiled.kernel, *arguments, g, repeats(2, true));
  EXPECT_EQ(cold.status, Status::correct) << cold.message;
  // Buffers and kernels made inside a partition work, too, and survive leaving it.
  CompileResult inside = engine->compile(cuda_source("vector_add", vector_add));
  ASSERT_EQ(inside.status, Status::correct) << inside.message;
  const auto more = engine->upload(vector_arguments(256));
  EXPECT_EQ(engine->run(*inside.kernel, *more, geometry(1, 256), repeats(1)).status, Status::correct);
  ASSERT_TRUE(engine->partition(0));
  EXPECT_EQ(engine->run(*inside.kernel, *more, geometry(1, 256), repeats(1)).status, Status::correct);
  const RunResult again = engine->run(*compiled.kernel, *arguments, g, repeats(9));
  ASSERT_EQ(again.status, Status::correct) << again.message;
  EXPECT_LT(median_of(again.times), 1.3 * median_of(all.times));
}

TEST(CudaDevice, RecoversFromAnIllegalAddress) {
  WATTUNE_OPEN_OR_SKIP(engine, "cuda");
  CompileResult bad = engine->compile(
      cuda_source("wild", "extern \"C\" __global__ void wild(float* a) { a[(1ull << 40) + threadIdx.x] = 1.0f; }\n"));
  ASSERT_EQ(bad.status, Status::correct) << bad.message;
  {
    const auto arguments = engine->upload(std::vector{buffer_of("a", std::vector<float>(4), ElementType::f32)});
    const RunResult run = engine->run(*bad.kernel, *arguments, geometry(1, 4), repeats(3));
    EXPECT_EQ(run.status, Status::runtime);
    EXPECT_TRUE(run.fatal);
    std::printf("%s\n", run.message.c_str());
  }
  try {
    engine->recover();
  } catch (const Error& error) {
    // Driver 580 on an H200 gives the process no context again: then the error says what to do.
    EXPECT_NE(std::string(error.what()).find("run the same command again"), std::string::npos) << error.what();
    GTEST_SKIP() << "skipped: " << error.what();
  }
  CompileResult compiled = engine->compile(cuda_source("vector_add", vector_add));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments(256));
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 256), repeats(3));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<float>(*arguments, 2, 256)[255], 255.5F);
}

TEST(OpenClDevice, AddsVectorsOnTheGpu) {
  const EngineListing listing = list_engines();
  const auto gpu = std::find_if(listing.devices.begin(), listing.devices.end(), [](const DeviceDescription& d) {
    return d.interface_name == "opencl" && d.kind == "gpu";
  });
  if (gpu == listing.devices.end()) GTEST_SKIP() << "skipped: no OpenCL GPU";
  WATTUNE_OPEN_OR_SKIP(engine, gpu->id);
  CompileResult compiled = engine->compile(support::request_for(
      "vector_add",
      "__kernel void vector_add(__global const float* a, __global const float* b, __global float* c, int n) {\n"
      "  int i = get_global_id(0);\n  if (i < n) c[i] = a[i] + b[i];\n}\n",
      Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments(1 << 16));
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry((1 << 16) / 256, 256), repeats(20));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<float>(*arguments, 2, 1 << 16)[999], 999.5F);
  std::printf("%s %s %s %s: %.2f us\n", gpu->id.c_str(), gpu->name.c_str(), gpu->uuid.c_str(), gpu->pci_bus.c_str(),
              median_of(run.times) * 1e6);
}

}  // namespace
}  // namespace wattune
