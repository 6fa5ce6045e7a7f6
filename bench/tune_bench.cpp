// Overhead of the tuner: everything an evaluation costs outside compiling and launching, durable store write included.
// Goal: under 100 microseconds. The engine answers at once, so all that is timed is ours.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "../tests/support/fake_engine.hpp"
#include "wattune/tune.hpp"

namespace {

using namespace wattune;  // NOLINT(google-build-using-namespace)

Spec empty_spec(std::int64_t configurations) {
  Spec spec;
  spec.name = "empty";
  spec.kernel.name = {"empty", {}};
  spec.kernel.source = "__kernel void empty(__global float* out) {}";
  spec.problem = {{"N", Value(1024), {}}};
  GridDimension x;
  x.size = LocatedText{"N", {}};
  x.divisors = {{"block_size_x", {}}};
  spec.launch.grid = {x};
  ArgumentSpec out;
  out.name = "out";
  out.size = LocatedText{"N", {}};
  spec.arguments = {out};
  spec.parameters.resize(2);
  spec.parameters[0].name = "block_size_x";
  spec.parameters[0].values = {Value(32), Value(64), Value(128), Value(256)};
  spec.parameters[1].name = "variant";
  for (std::int64_t i = 0; i < configurations / 4; ++i) spec.parameters[1].values.emplace_back(i);
  spec.metrics = {{"rate", {"N / time", {}}, "1/s"}};
  spec.strategy.name = {"brute_force", {}};
  spec.measure.finalists = 0;
  return spec;
}

void evaluation_overhead(benchmark::State& state) {
  const std::string path = "wattune_bench_" + std::to_string(getpid()) + ".db";
  TuneRequest request;
  request.spec = empty_spec(state.range(0));
  request.fresh = true;
  TuneObserver observer;
  for (auto _ : state) {
    state.PauseTiming();
    ManualClock clock;
    testing::FakeEngine engine({}, clock);
    {
      Store store = Store::open(path);
      state.ResumeTiming();
      benchmark::DoNotOptimize(tune_kernel(request, engine, store, observer, clock));
      state.PauseTiming();
    }
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix);
    state.ResumeTiming();
  }
  state.counters["us_per_evaluation"] =
      benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)) * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(evaluation_overhead)->Arg(4000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
