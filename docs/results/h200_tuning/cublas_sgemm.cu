// Yardstick for the tuned GEMM: cuBLAS SGEMM in plain fp32 (no TF32) on the same problem, random data, median of 30.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call)                                                   \
  do {                                                                \
    if (const auto status = (call); static_cast<int>(status) != 0) {  \
      std::fprintf(stderr, "%s failed: %d\n", #call, (int)status);    \
      std::exit(1);                                                   \
    }                                                                 \
  } while (0)

int main() {
  constexpr int n = 4096;
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<float> host(static_cast<size_t>(n) * n);
  float* matrices[3];
  for (float*& matrix : matrices) {
    for (float& value : host) value = uniform(generator);
    CHECK(cudaMalloc(&matrix, host.size() * sizeof(float)));
    CHECK(cudaMemcpy(matrix, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  cudaEvent_t begin;
  cudaEvent_t end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  const float alpha = 1.0F;
  const float beta = 0.0F;
  std::vector<float> times;
  for (int i = 0; i < 40; ++i) {
    CHECK(cudaEventRecord(begin));
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, matrices[0], n, matrices[1], n, &beta, matrices[2], n));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0.0F;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= 10) times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2] * 1e-3;
  std::printf("{\"time_s\": %.9g, \"gflops\": %.6g}\n", seconds, 2.0 * n * n * n / seconds / 1e9);
  return 0;
}
