// The OpenCL engine on a real driver (PoCL on the CPU): right results, and every expected failure as a Status.
#include <algorithm>

#include "engine_fixture.hpp"

namespace wattune {
namespace {

using support::buffer_of;
using support::local_of;
using support::read_back;
using support::request_for;
using support::scalar_of;

constexpr std::size_t elements = 4096;

const char* const vector_add = R"(
__kernel void vector_add(__global const float* a, __global const float* b, __global float* c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
)";

std::vector<float> ramp(float first, float step) {
  std::vector<float> values(elements);
  for (std::size_t i = 0; i < elements; ++i) values[i] = first + step * static_cast<float>(i);
  return values;
}

std::vector<ArgumentData> vector_arguments() {
  return {buffer_of("a", ramp(0.0F, 1.0F), ElementType::f32), buffer_of("b", ramp(0.5F, 2.0F), ElementType::f32),
          buffer_of("c", std::vector<float>(elements, -1.0F), ElementType::f32),
          scalar_of("n", static_cast<std::int32_t>(elements), ElementType::i32)};
}

Geometry geometry(std::uint64_t grid, std::uint32_t block) {
  Geometry g;
  g.grid[0] = grid;
  g.block[0] = block;
  return g;
}

RunOptions repeats(std::uint32_t count, bool cold = false, std::uint32_t depth = 32) {
  RunOptions options;
  options.repeats = count;
  options.cold = cold;
  options.queue_depth = depth;
  return options;
}

TEST(OpenClEngine, DescribesItsDevice) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const DeviceDescription& device = engine->describe();
  EXPECT_EQ(device.interface_name, "opencl");
  EXPECT_TRUE(device.id.starts_with("opencl:")) << device.id;
  EXPECT_FALSE(device.name.empty());
  EXPECT_FALSE(device.uuid.empty());
  EXPECT_GT(device.compute_units, 0U);
  EXPECT_GT(device.max_block_threads, 0U);
  EXPECT_GT(device.local_memory_bytes, 0U);
  EXPECT_TRUE(engine->accepts(Language::opencl));
  EXPECT_TRUE(engine->accepts(Language::portable));
  EXPECT_FALSE(engine->accepts(Language::cuda));
  EXPECT_TRUE(engine->partition(0));
  EXPECT_FALSE(engine->partition(1));
}

TEST(OpenClEngine, AddsVectors) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(elements / 64, 64), repeats(1));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  const auto c = read_back<float>(*arguments, 2, elements);
  for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(c[i], 0.5F + 3.0F * static_cast<float>(i)) << i;
}

TEST(OpenClEngine, TimesEveryLaunchOnceWhateverTheQueueDepth) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  for (const std::uint32_t depth : {0U, 1U, 3U, 100U}) {
    const RunResult run =
        engine->run(*compiled.kernel, *arguments, geometry(elements / 64, 64), repeats(10, false, depth));
    ASSERT_EQ(run.status, Status::correct) << run.message;
    ASSERT_EQ(run.times.size(), 10U);
    double sum = 0.0;
    for (const Seconds time : run.times) {
      EXPECT_GT(time.value(), 0.0);
      sum += time.value();
    }
    // The launches follow each other in one queue: together they fit into the window around them.
    EXPECT_LE(sum, (run.window_end - run.window_begin).value() * 1.001);
    EXPECT_GT(run.system_begin.value(), 1.0e9);
  }
}

TEST(OpenClEngine, FlushesTheCacheBeforeEachLaunch) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(elements / 64, 64), repeats(3, true));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(run.times.size(), 3U);
  EXPECT_EQ(read_back<float>(*arguments, 2, elements)[1], 3.5F);
}

TEST(OpenClEngine, WritesScalarsAndBuffersAgain) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  const std::vector<std::int32_t> ten{10};
  arguments->write(3, std::as_bytes(std::span(ten)));
  const std::vector<float> zeros(elements, 0.0F);
  arguments->write(1, std::as_bytes(std::span(zeros)));
  ASSERT_EQ(engine->run(*compiled.kernel, *arguments, geometry(elements / 64, 64), repeats(1)).status, Status::correct);
  const auto c = read_back<float>(*arguments, 2, elements);
  EXPECT_EQ(c[9], 9.0F);
  EXPECT_EQ(c[10], -1.0F);
  EXPECT_EQ(read_back<std::int32_t>(*arguments, 3, 1)[0], 10);
  EXPECT_THROW(arguments->write(3, std::as_bytes(std::span(zeros))), Error);
  EXPECT_THROW(arguments->set_local_bytes(0, 64), Error);
}

TEST(OpenClEngine, ReportsTheCompilersFirstLines) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const CompileResult result = engine->compile(request_for(
      "broken", "__kernel void broken(__global float* a) {\n  a[0] = missing_name;\n}\n", Language::opencl));
  EXPECT_EQ(result.status, Status::compile);
  EXPECT_EQ(result.kernel, nullptr);
  EXPECT_NE(result.message.find("missing_name"), std::string::npos) << result.message;
  EXPECT_LE(std::count(result.message.begin(), result.message.end(), '\n'), 12);
}

TEST(OpenClEngine, NamesTheKernelsThereAreWhenOneIsMissing) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const CompileResult result = engine->compile(request_for("vector_ad", vector_add, Language::opencl));
  EXPECT_EQ(result.status, Status::compile);
  EXPECT_NE(result.message.find("vector_add"), std::string::npos) << result.message;
}

TEST(OpenClEngine, HandsOverDefinitionsOfEveryForm) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileRequest request = request_for(
      "fill", "__kernel void fill(__global int* out) { out[0] = PLAIN; out[1] = SUM; TEXT; }\n", Language::opencl);
  request.definitions = {{"PLAIN", "7"}, {"SUM", "(1 + 2)"}, {"TEXT", "out[2] = sizeof(\"abc\")"}, {"EMPTY", ""}};
  CompileResult compiled = engine->compile(request);
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(std::vector{buffer_of("out", std::vector<std::int32_t>(3), ElementType::i32)});
  ASSERT_EQ(engine->run(*compiled.kernel, *arguments, geometry(1, 1), repeats(1)).status, Status::correct);
  EXPECT_EQ(read_back<std::int32_t>(*arguments, 0, 3), (std::vector<std::int32_t>{7, 3, 4}));
}

TEST(OpenClEngine, KeepsLineNumbersUnderPastedDefinitions) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileRequest request =
      request_for("broken", "\n__kernel void broken(__global float* a) {\n  a[0] = oops;\n}\n", Language::opencl);
  request.definitions = {{"A", "1 + 1"}, {"B", "2 + 2"}};
  const CompileResult result = engine->compile(request);
  EXPECT_EQ(result.status, Status::compile);
  EXPECT_NE(result.message.find("test.cl:3"), std::string::npos) << result.message;
}

TEST(OpenClEngine, RefusesABlockThatTheKernelForbids) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const std::string fixed =
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(__global int* out) {\n"
      "  out[get_global_id(0)] = 1;\n}\n";
  CompileResult compiled = engine->compile(request_for("fixed", fixed, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(std::vector{buffer_of("out", std::vector<std::int32_t>(16), ElementType::i32)});
  const RunResult wrong = engine->run(*compiled.kernel, *arguments, geometry(1, 16), repeats(2));
  EXPECT_EQ(wrong.status, Status::runtime);
  EXPECT_FALSE(wrong.fatal);
  EXPECT_TRUE(wrong.times.empty());
  EXPECT_NE(wrong.message.find("CL_INVALID_WORK_GROUP_SIZE (-54)"), std::string::npos) << wrong.message;
  const RunResult right = engine->run(*compiled.kernel, *arguments, geometry(2, 8), repeats(2));
  EXPECT_EQ(right.status, Status::correct) << right.message;
}

TEST(OpenClEngine, RefusesABlockBeyondTheDevice) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  const RunResult run =
      engine->run(*compiled.kernel, *arguments, geometry(1, engine->describe().max_block_threads * 2), repeats(1));
  EXPECT_EQ(run.status, Status::runtime);
  EXPECT_NE(run.message.find(std::to_string(engine->describe().max_block_threads)), std::string::npos) << run.message;
}

const char* const reverse_in_block = R"(
__kernel void reverse(__global int* data, __local int* tile) {
  int i = get_local_id(0);
  tile[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[get_local_size(0) - 1 - i];
}
)";

TEST(OpenClEngine, GivesLocalMemoryToAnArgument) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("reverse", reverse_in_block, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(std::vector{
      buffer_of("data", std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}, ElementType::i32), local_of("tile", 8)});
  arguments->set_local_bytes(1, 4 * sizeof(std::int32_t));
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(2, 4), repeats(1));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<std::int32_t>(*arguments, 0, 8), (std::vector<std::int32_t>{3, 2, 1, 0, 7, 6, 5, 4}));
}

TEST(OpenClEngine, RefusesMoreLocalMemoryThanThereIs) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("reverse", reverse_in_block, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const std::size_t too_much = engine->describe().local_memory_bytes + 4;
  const auto arguments = engine->upload(
      std::vector{buffer_of("data", std::vector<std::int32_t>(8), ElementType::i32), local_of("tile", too_much)});
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 8), repeats(1));
  EXPECT_EQ(run.status, Status::runtime);
  EXPECT_FALSE(run.fatal);
  EXPECT_NE(run.message.find(std::to_string(too_much)), std::string::npos) << run.message;
}

TEST(OpenClEngine, SeesStaticLocalMemory) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const std::string source =
      "__kernel void tile(__global int* out) {\n  __local int t[256];\n  t[get_local_id(0)] = out[0];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  out[get_global_id(0)] = t[0];\n}\n";
  CompileResult compiled = engine->compile(request_for("tile", source, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  EXPECT_GE(compiled.kernel->local_bytes(), 1024U);
}

TEST(OpenClEngine, PassesConstantMemory) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const std::string source =
      "__kernel void scale(__global float* data, __constant float* factor) {\n"
      "  data[get_global_id(0)] *= factor[get_global_id(0) % 2];\n}\n";
  CompileResult compiled = engine->compile(request_for("scale", source, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(
      std::vector{buffer_of("data", std::vector<float>{1, 1, 2, 2}, ElementType::f32),
                  buffer_of("factor", std::vector<float>{3, 5}, ElementType::f32, ArgumentKind::constant)});
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 4), repeats(1));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<float>(*arguments, 0, 4), (std::vector<float>{3, 5, 6, 10}));
}

TEST(OpenClEngine, SaysWhichArgumentDoesNotFit) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  auto data = vector_arguments();
  data[3] = scalar_of("n", 1.0, ElementType::f64);
  const auto wide = engine->upload(data);
  const RunResult wrong_size = engine->run(*compiled.kernel, *wide, geometry(1, 64), repeats(1));
  EXPECT_EQ(wrong_size.status, Status::runtime);
  EXPECT_NE(wrong_size.message.find("argument 4 (n"), std::string::npos) << wrong_size.message;
  data.pop_back();
  const auto few = engine->upload(data);
  const RunResult wrong_count = engine->run(*compiled.kernel, *few, geometry(1, 64), repeats(1));
  EXPECT_EQ(wrong_count.status, Status::runtime);
  EXPECT_NE(wrong_count.message.find("4 parameters"), std::string::npos) << wrong_count.message;
}

TEST(OpenClEngine, RefusesABufferWithoutElements) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const std::vector<ArgumentData> data{buffer_of("nothing", std::vector<float>{}, ElementType::f32)};
  EXPECT_THROW(engine->upload(data), Error);
}

TEST(OpenClEngine, CompilesAPortableKernel) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  const std::string source =
      "#include \"wattune/portable.h\"\n"
      "WT_KERNEL twice(WT_GLOBAL const float* WT_RESTRICT in, WT_GLOBAL float* WT_RESTRICT out) {\n"
      "  WT_LOCAL float tile[8];\n"
      "  tile[wt_local_id(0)] = in[wt_global_id(0)];\n"
      "  wt_barrier();\n"
      "  out[wt_global_id(0)] = 2.0f * tile[wt_local_id(0)];\n}\n";
  CompileResult compiled = engine->compile(request_for("twice", source, Language::portable));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments =
      engine->upload(std::vector{buffer_of("in", std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, ElementType::f32),
                                 buffer_of("out", std::vector<float>(8), ElementType::f32)});
  const RunResult run = engine->run(*compiled.kernel, *arguments, geometry(1, 8), repeats(2));
  ASSERT_EQ(run.status, Status::correct) << run.message;
  EXPECT_EQ(read_back<float>(*arguments, 1, 8)[7], 16.0F);
  const CompileResult broken = engine->compile(request_for("twice", source + "garbage here;\n", Language::portable));
  EXPECT_EQ(broken.status, Status::compile);
  EXPECT_NE(broken.message.find("test.cl:8"), std::string::npos) << broken.message;
}

TEST(OpenClEngine, RefusesWhatWasMadeBeforeARecovery) {
  WATTUNE_OPEN_OR_SKIP(engine, "opencl");
  CompileResult old_kernel = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(old_kernel.status, Status::correct) << old_kernel.message;
  const auto old_arguments = engine->upload(vector_arguments());
  engine->recover();
  EXPECT_THROW(engine->run(*old_kernel.kernel, *old_arguments, geometry(1, 64), repeats(1)), Error);
  CompileResult compiled = engine->compile(request_for("vector_add", vector_add, Language::opencl));
  ASSERT_EQ(compiled.status, Status::correct) << compiled.message;
  const auto arguments = engine->upload(vector_arguments());
  EXPECT_EQ(engine->run(*compiled.kernel, *arguments, geometry(1, 64), repeats(1)).status, Status::correct);
}

TEST(ListOfEngines, OpensByEveryNameItPrints) {
  const EngineListing listing = list_engines();
  if (listing.devices.empty()) GTEST_SKIP() << "skipped: no device";
  const DeviceDescription& first = listing.devices.front();
  for (const std::string& name : {std::string("auto"), std::string(), first.id, first.uuid, first.kind,
                                  first.interface_name, first.name, first.name.substr(0, first.name.size() / 2)}) {
    std::string why;
    const auto engine = support::try_open(name, why);
    ASSERT_NE(engine, nullptr) << name << ": " << why;
    EXPECT_EQ(engine->describe().id, first.id) << name;
  }
}

TEST(ListOfEngines, SaysWhatThereIsWhenADeviceIsUnknown) {
  try {
    open_engine("no-such-device");
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::no_device);
    const EngineListing listing = list_engines();
    for (const DeviceDescription& device : listing.devices) {
      EXPECT_NE(std::string(error.what()).find(device.id), std::string::npos) << error.what();
    }
    for (const Problem& problem : listing.absent) {
      EXPECT_NE(std::string(error.what()).find(problem.message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace wattune
