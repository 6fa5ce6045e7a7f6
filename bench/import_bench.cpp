// How long importing the recording of 11,130 entries takes (12 MB of text, packed and plain), and how large it is with
// its replay index. Targets: 50 ms packed, 30 ms plain, 10 MB. Needs the data sets; says so where they are absent.
// Then a made-up cache of 200 MB, read in pieces: what the process needs at most (peak_megabytes), which is to stay
// below three times the recording plus 32 MB. Last, a replay of everything: evaluations a second through the loop of
// `wattune tune --replay`, store included.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/byte_source.hpp"
#include "wattune/formats.hpp"
#include "wattune/replay.hpp"

namespace {

const std::string packed = WATTUNE_SOURCE_DIR "/../shared/data/tuning_spaces/dedispersion_milo/A100.json.gz";

void import_repeatedly(benchmark::State& state, const std::string& path) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const wattune::RecordedSpace space = wattune::import_recording(path);
    bytes = space.bytes() + wattune::RecordedIndex(space).bytes();
  }
  state.counters["megabytes"] = static_cast<double>(bytes) / 1e6;
}

void import_packed(benchmark::State& state) {
  if (!std::filesystem::exists(packed)) return state.SkipWithError("no data");
  import_repeatedly(state, packed);
}

void import_plain(benchmark::State& state) {
  if (!std::filesystem::exists(packed)) return state.SkipWithError("no data");
  const auto text = wattune::io::read_text(packed, std::size_t{1} << 30U);
  const auto path = std::filesystem::temp_directory_path() / ("wattune_bench_" + std::to_string(::getpid()) + ".json");
  std::ofstream(path, std::ios::binary).write(text->data(), static_cast<std::streamsize>(text->size()));
  import_repeatedly(state, path.string());
  std::filesystem::remove(path);
}

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() / (name + "_" + std::to_string(::getpid()) + ".json");
}

/// 235,000 entries of four parameters with 32 times each, as Kernel Tuner writes them.
void write_large(const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  out << "{\n\"device_name\": \"made up\",\n\"kernel_name\": \"k\",\n\"problem_size\": [\n1\n],\n"
         "\"tune_params_keys\": [\n\"a\",\n\"b\",\n\"c\",\n\"d\"\n],\n\"tune_params\": {\"a\": [], \"b\": [], "
         "\"c\": [], \"d\": []},\n\"objective\": \"time\",\n\"cache\": {";
  std::string times;
  for (int i = 0; i < 32; ++i) times += (i == 0 ? "" : ", ") + std::to_string(3.5 + i / 1024.0) + "2840003967";
  for (int i = 0; i < 235'000; ++i) {
    const std::string values[] = {std::to_string(i % 11), std::to_string(i / 11 % 20), std::to_string(i / 220 % 100),
                                  std::to_string(i / 22000)};
    out << (i == 0 ? "\n\"" : ",\n\"") << values[0] << ',' << values[1] << ',' << values[2] << ',' << values[3]
        << "\": {\"a\": " << values[0] << ", \"b\": " << values[1] << ", \"c\": " << values[2]
        << ", \"d\": " << values[3] << ", \"time\": " << 3.515 + i * 1e-9 << ", \"times\": [" << times
        << "], \"compile_time\": 918.59, \"verification_time\": 0, \"benchmark_time\": 126.383, \"GFLOP/s\": "
        << 1948.157 + i << ", \"strategy_time\": 0, \"framework_time\": 105.242}";
  }
  out << "}\n}";
}

double peak_megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

void import_large(benchmark::State& state) {
  const auto path = scratch("wattune_large");
  write_large(path);
  state.counters["file_megabytes"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  import_repeatedly(state, path.string());
  state.counters["peak_megabytes"] = peak_megabytes();
  std::filesystem::remove(path);
}

void replay_all(benchmark::State& state) {
  if (!std::filesystem::exists(packed)) return state.SkipWithError("no data");
  const wattune::RecordedSpace recording = wattune::import_recording(packed);
  wattune::ReplayRequest request;
  request.recording = &recording;
  request.spec = wattune::spec_of(recording);
  request.spec.strategy.name = {"random_sample", {}};
  wattune::TuneObserver silent;
  for (auto _ : state) {
    wattune::Store store = wattune::Store::open(":memory:");
    benchmark::DoNotOptimize(wattune::replay(request, store, silent));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(recording.size()));
}

BENCHMARK(import_large)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(import_packed)->Unit(benchmark::kMillisecond);
BENCHMARK(import_plain)->Unit(benchmark::kMillisecond);
BENCHMARK(replay_all)->Unit(benchmark::kMillisecond);

}  // namespace
