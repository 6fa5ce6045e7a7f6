// Enumeration with lookup index, lookup, and neighbour queries. The space definitions of the public benchmark
// collection are read from ../shared/data where they are there; a synthetic space of 10^12 Cartesian points always
// runs.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "wattune/formats.hpp"
#include "wattune/neighbourhood.hpp"
#include "wattune/tune.hpp"

namespace {

using namespace wattune;  // NOLINT(google-build-using-namespace)

const std::string folder = "../shared/data/tuning_spaces/kernels/";

DeviceDescription limits() {
  DeviceDescription device;
  device.name = "any GPU";
  device.max_block_threads = 1024;
  return device;
}

void report(benchmark::State& state, const Space& space) {
  state.counters["valid"] = static_cast<double>(space.size());
  state.counters["cartesian"] = space.cartesian_size();
  state.counters["bytes_each"] = static_cast<double>(space.bytes()) / static_cast<double>(space.size());
}

void enumerate(benchmark::State& state, const std::string& file) {
  const Spec spec = read_spec(folder + file);
  const DeviceDescription device = limits();
  for (auto _ : state) {
    const Space space = build_space(spec, &device);
    benchmark::DoNotOptimize(space.size());
    state.PauseTiming();
    report(state, space);
    state.ResumeTiming();
  }
}

void enumerate_trillion(benchmark::State& state) {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  for (int p = 0; p < 12; ++p) {
    Parameter parameter;
    parameter.name = "p" + std::to_string(p);
    for (int v = 1; v <= 10; ++v) parameter.values.emplace_back(v);
    parameters.push_back(parameter);
    if (p > 0) constraints.push_back({"p" + std::to_string(p) + " >= p" + std::to_string(p - 1), ""});
  }
  for (auto _ : state) {
    const Space space = Space::build(parameters, constraints);
    report(state, space);
  }
}
BENCHMARK(enumerate_trillion)->Unit(benchmark::kMillisecond);

void find(benchmark::State& state, const std::string& file) {
  const DeviceDescription device = limits();
  const Space space = build_space(read_spec(folder + file), &device);
  Random random(1);
  Digits digits(space.parameters().size());
  for (auto _ : state) {
    space.digits(random.below(space.size()), digits);
    benchmark::DoNotOptimize(space.find(digits));
  }
}

void neighbours(benchmark::State& state, const std::string& file, NeighbourhoodKind kind) {
  const DeviceDescription device = limits();
  const Space space = build_space(read_spec(folder + file), &device);
  const Neighbourhood neighbourhood(space);
  Random random(1);
  std::vector<ConfigurationId> out;
  double found = 0.0;
  for (auto _ : state) {
    neighbourhood.neighbours(random.below(space.size()), kind, out);
    found += static_cast<double>(out.size());
  }
  state.counters["neighbours"] = benchmark::Counter(found, benchmark::Counter::kAvgIterations);
}

void add_recorded() {
  if (!std::filesystem::exists(folder)) return;
  for (const char* name : {"convolution_milo", "dedispersion_milo", "gemm_milo", "hotspot_milo", "large_T1"}) {
    const std::string file = std::string(name) + ".json";
    benchmark::RegisterBenchmark((std::string("enumerate/") + name).c_str(), [file](benchmark::State& s) {
      enumerate(s, file);
    })->Unit(benchmark::kMillisecond);
  }
  const std::string gemm = "gemm_milo.json";
  benchmark::RegisterBenchmark("find/gemm_milo", [gemm](benchmark::State& s) { find(s, gemm); });
  for (const NeighbourhoodKind kind : {NeighbourhoodKind::hamming, NeighbourhoodKind::hamming_adjacent,
                                       NeighbourhoodKind::strictly_adjacent, NeighbourhoodKind::adjacent}) {
    benchmark::RegisterBenchmark(("neighbours/" + std::string(to_string(kind)) + "/gemm_milo").c_str(),
                                 [gemm, kind](benchmark::State& s) { neighbours(s, gemm, kind); })
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  add_recorded();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
