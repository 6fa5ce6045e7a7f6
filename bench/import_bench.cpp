// How long importing the recording of 11,130 entries takes (12 MB of text, packed and plain), and how large it is with
// its replay index. Targets: 50 ms packed, 30 ms plain, 10 MB. Needs the data sets; says so where they are absent.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/byte_source.hpp"
#include "wattune/formats.hpp"

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

BENCHMARK(import_packed)->Unit(benchmark::kMillisecond);
BENCHMARK(import_plain)->Unit(benchmark::kMillisecond);

}  // namespace
