// CUDA C++ through the real NVRTC, which needs no GPU: machine code for Hopper, and failures as a Status.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/cuda/compiler.hpp"
#include "engine_fixture.hpp"

namespace wattune::engine::cuda {
namespace {

constexpr int hopper = 90;

CompileRequest request(const std::string& kernel, const std::string& source) {
  CompileRequest r = support::request_for(kernel, source, Language::cuda);
  r.source_name = "test.cu";
  return r;
}

class Nvrtc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!load_nvrtc(0).api) GTEST_SKIP() << "skipped: " << to_string(load_nvrtc(0).problem);
    compiler_ = std::make_unique<Compiler>(*load_nvrtc(0).api, hopper, load_nvrtc(0).include_folders);
  }

  std::unique_ptr<Compiler> compiler_;
};

/// CUBINs are ELF files.
bool is_elf(const std::string& bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

TEST_F(Nvrtc, MakesMachineCode) {
  const Image image = compiler_->compile(
      request("vector_add",
              "extern \"C\" __global__ void vector_add(const float* a, const float* b, float* c, int n) {\n"
              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n"));
  ASSERT_EQ(image.status, Status::correct) << image.message;
  EXPECT_TRUE(is_elf(image.bytes));
  EXPECT_FALSE(image.is_ptx);
  EXPECT_EQ(image.lowered_name, "vector_add");
}

TEST_F(Nvrtc, InstantiatesATemplateByItsNameExpression) {
  const std::string source =
      "template <int Size, typename T>\n__global__ void fill(T* out) { out[threadIdx.x] = T(Size); }\n";
  const Image image = compiler_->compile(request("fill<16, float>", source));
  ASSERT_EQ(image.status, Status::correct) << image.message;
  EXPECT_TRUE(image.lowered_name.starts_with("_Z")) << image.lowered_name;
  EXPECT_NE(image.bytes.find(image.lowered_name), std::string::npos);
}

TEST_F(Nvrtc, FindsAMangledKernel) {
  const Image image = compiler_->compile(request("plain", "__global__ void plain(int* a) { *a = 1; }\n"));
  ASSERT_EQ(image.status, Status::correct) << image.message;
  EXPECT_EQ(image.lowered_name, "_Z5plainPi");
}

TEST_F(Nvrtc, ReportsErrorsWithTheUsersLines) {
  CompileRequest r =
      request("broken", "\nextern \"C\" __global__ void broken(float* a) {\n  a[0] = missing_name;\n}\n");
  r.definitions = {{"TILE", "16"}};
  const Image image = compiler_->compile(r);
  EXPECT_EQ(image.status, Status::compile);
  EXPECT_NE(image.message.find("test.cu(3)"), std::string::npos) << image.message;
  EXPECT_NE(image.message.find("missing_name"), std::string::npos) << image.message;
}

TEST_F(Nvrtc, ReportsAMissingKernel) {
  const Image image =
      compiler_->compile(request("absent", "extern \"C\" __global__ void present(float* a) { *a = 1; }\n"));
  EXPECT_EQ(image.status, Status::compile);
  EXPECT_NE(image.message.find("absent"), std::string::npos) << image.message;
}

TEST_F(Nvrtc, ReportsAnUnknownOption) {
  CompileRequest r = request("k", "extern \"C\" __global__ void k() {}\n");
  r.options = {"--no-such-option"};
  const Image image = compiler_->compile(r);
  EXPECT_EQ(image.status, Status::compile);
  EXPECT_NE(image.message.find("no-such-option"), std::string::npos) << image.message;
}

TEST_F(Nvrtc, CountsTooMuchSharedMemoryAsRuntime) {
  const Image image = compiler_->compile(
      request("large",
              "extern \"C\" __global__ void large(float* a) {\n  __shared__ float t[40000];\n"
              "  t[threadIdx.x] = a[threadIdx.x];\n  __syncthreads();\n  a[threadIdx.x] = t[0];\n}\n"));
  EXPECT_EQ(image.status, Status::runtime);
  EXPECT_NE(image.message.find("shared"), std::string::npos) << image.message;
}

TEST_F(Nvrtc, TakesDefinitionsOfEveryFormAndOptimisationLevels) {
  CompileRequest r =
      request("k<TILE>", "template <int T> __global__ void k(int* out) { *out = T + SUM + sizeof(TEXT) + FLAG(1); }\n");
  r.definitions = {{"TILE", "16"}, {"SUM", "1 + 2"}, {"TEXT", "\"a b\""}, {"FLAG(x)", "(x)"}, {"EMPTY", ""}};
  r.options = {"-O3", "-use_fast_math", "-lineinfo"};
  const Image image = compiler_->compile(r);
  EXPECT_EQ(image.status, Status::correct) << image.message;
}

TEST_F(Nvrtc, FindsTheToolkitsHeaders) {
  if (load_nvrtc(0).include_folders.empty()) GTEST_SKIP() << "skipped: no toolkit headers";
  const Image image = compiler_->compile(request(
      "half_sum",
      "#include <cuda_fp16.h>\nextern \"C\" __global__ void half_sum(__half* a) { a[0] = __hadd(a[0], a[1]); }\n"));
  EXPECT_EQ(image.status, Status::correct) << image.message;
}

TEST_F(Nvrtc, TreatsUnmarkedFunctionsAsDeviceCode) {
  const Image image = compiler_->compile(
      request("k", "int twice(int a) { return 2 * a; }\nextern \"C\" __global__ void k(int* a) { *a = twice(*a); }\n"));
  EXPECT_EQ(image.status, Status::correct) << image.message;
}

TEST_F(Nvrtc, CompilesAPortableKernel) {
  const std::string source =
      "#include \"wattune/portable.h\"\n"
      "WT_KERNEL twice(WT_GLOBAL const float* WT_RESTRICT in, WT_GLOBAL float* WT_RESTRICT out) {\n"
      "  WT_LOCAL float tile[32];\n"
      "  tile[wt_local_id(0)] = in[wt_global_id(0)];\n"
      "  wt_barrier();\n"
      "  out[wt_global_id(0)] = wt_fma(2.0f, tile[wt_local_id(0)], 0.0f);\n}\n";
  CompileRequest r = request("twice", source);
  r.language = Language::portable;
  const Image image = compiler_->compile(r);
  ASSERT_EQ(image.status, Status::correct) << image.message;
  EXPECT_EQ(image.lowered_name, "twice");
  r.source = source + "garbage here;\n";
  const Image broken = compiler_->compile(r);
  EXPECT_EQ(broken.status, Status::compile);
  EXPECT_NE(broken.message.find("test.cu(8)"), std::string::npos) << broken.message;
}

TEST_F(Nvrtc, MakesPtxForADeviceNewerThanItself) {
  const Compiler future(*load_nvrtc(0).api, 990, {});
  const Image image = future.compile(request("k", "extern \"C\" __global__ void k(int* a) { *a = 1; }\n"));
  ASSERT_EQ(image.status, Status::correct) << image.message;
  EXPECT_TRUE(image.is_ptx);
  EXPECT_NE(image.bytes.find(".entry k"), std::string::npos);
}

}  // namespace
}  // namespace wattune::engine::cuda
