// What the store adds to an evaluation: one durable append of an outcome with 20 samples, batches, and reading back.
// The file lies in the working folder, so run it on the file system in question (a tmpfs has no syncs).
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "wattune/store.hpp"

namespace {

using namespace wattune;

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file() const { return path_ / "runs.db"; }

 private:
  std::filesystem::path path_ = "store_bench." + std::to_string(getpid());
};

RunRecord head() {
  RunRecord record;
  record.key = {"gemm", "0123456789abcdef", "-O3", "GPU-42", "550", "M=4096"};
  for (int i = 0; i < 15; ++i) record.parameters.push_back({"parameter" + std::to_string(i), {0, 1}, 0, false});
  return record;
}

/// As the tuner stores it: 15 parameters, 20 samples, 6 observed quantities, 2 metrics.
Outcome outcome(std::int64_t number) {
  Outcome result;
  for (int i = 0; i < 15; ++i) result.configuration.emplace_back((number >> i) & 0x3f);
  result.time.emplace();
  for (int i = 0; i < 20; ++i) result.time->samples.emplace_back(1e-3 + i * 1e-7);
  result.time->time = {1e-3, 0.99e-3, 1.01e-3};
  result.power = Watts(300);
  result.energy = Joules(0.3);
  result.observed = {{"core_clock_mhz", 1980}, {"registers", 96},          {"local_bytes", 32768},
                     {"temperature_c", 51},    {"memory_clock_mhz", 2619}, {"raw.nvml_energy", 123456}};
  result.metrics = {{"gflops", 12345.6}, {"gflops_per_watt", 41.2}};
  result.finished_at = Seconds(1.7e9 + static_cast<double>(number));
  return result;
}

void append_one(benchmark::State& state) {
  const Folder folder;
  Store store = Store::open(folder.file());
  const std::int64_t run = store.begin_run(head());
  std::int64_t number = 0;
  for (auto _ : state) store.append(run, outcome(number++));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(append_one)->Unit(benchmark::kMicrosecond)->UseRealTime()->MinTime(2.0);

void append_reused(benchmark::State& state) {
  const Folder folder;
  Store store = Store::open(folder.file());
  constexpr std::int64_t known = 10'000;
  std::vector<Outcome> outcomes;
  for (std::int64_t i = 0; i < known; ++i) outcomes.push_back(outcome(i));
  store.append_batch(store.begin_run(head()), outcomes);
  const std::int64_t run = store.begin_run(head());
  std::size_t number = 0;
  for (auto _ : state) store.append(run, outcomes[number++ % known], true);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(append_reused)->Unit(benchmark::kMicrosecond)->UseRealTime();

void append_batch(benchmark::State& state) {
  const Folder folder;
  Store store = Store::open(folder.file());
  const std::int64_t run = store.begin_run(head());
  std::vector<Outcome> outcomes;
  for (std::int64_t i = 0; i < state.range(0); ++i) outcomes.push_back(outcome(i));
  for (auto _ : state) store.append_batch(run, outcomes);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(append_batch)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond)->UseRealTime();

void load_run(benchmark::State& state) {
  const Folder folder;
  Store store = Store::open(folder.file());
  const std::int64_t run = store.begin_run(head());
  std::vector<Outcome> outcomes;
  for (std::int64_t i = 0; i < state.range(0); ++i) outcomes.push_back(outcome(i));
  store.append_batch(run, outcomes);
  for (auto _ : state) benchmark::DoNotOptimize(store.load(run));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(load_run)->Arg(10'000)->Unit(benchmark::kMillisecond);

void open_store(benchmark::State& state) {
  const Folder folder;
  Store::open(folder.file()).begin_run(head());
  for (auto _ : state) benchmark::DoNotOptimize(Store::open(folder.file()).unfinished_run(head().key, {}));
}
BENCHMARK(open_store)->Unit(benchmark::kMicrosecond);

}  // namespace
