#include "engine/cuda/clock_probe.hpp"

#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace wattune::engine::cuda {
namespace {

// 200 microseconds: a timer that steps by one microsecond (older devices) still gives half a per cent; both ends are
// read at a step of the timer.
constexpr const char* source = R"(
__device__ unsigned long long timer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}
__device__ unsigned long long next_step() {
  const unsigned long long before = timer();
  unsigned long long now = before;
  while (now == before) now = timer();
  return now;
}
extern "C" __global__ void wattune_clock_probe(double* hertz) {
  const unsigned long long begin = next_step();
  const long long first = clock64();
  unsigned long long end = begin;
  while (end - begin < 200000) end = next_step();
  const long long last = clock64();
  hertz[0] = double(last - first) / (double(end - begin) * 1e-9);
}
)";

}  // namespace

ClockProbe::ClockProbe(Engine& engine) {
  CompileRequest request;
  request.kernel = "wattune_clock_probe";
  request.source = source;
  request.source_name = "clock probe";
  request.language = Language::cuda;
  CompileResult compiled = engine.compile(request);
  if (compiled.status != Status::correct) return;
  kernel_ = std::move(compiled.kernel);
  ArgumentData argument;
  argument.name = "hertz";
  argument.type = ElementType::f64;
  argument.bytes.resize(sizeof(double));
  result_ = engine.upload(std::array{argument});
}

std::optional<Hertz> ClockProbe::read(Engine& engine) {
  if (!kernel_) return std::nullopt;
  RunOptions options;
  options.timed = false;
  if (engine.run(*kernel_, *result_, Geometry{}, options).status != Status::correct) return std::nullopt;
  double hertz = 0.0;
  result_->read(0, std::as_writable_bytes(std::span(&hertz, 1)));
  if (!(hertz > 0.0)) return std::nullopt;
  return Hertz(hertz);
}

}  // namespace wattune::engine::cuda
