// Evaluations a second of every strategy on replayed spaces, in one thread; the evaluator is an array look-up. Targets:
// random 2 million; genetic algorithm, annealing, local searches 500,000; differential evolution and swarm 300,000;
// Bayesian optimisation 450 at budget 200 on the 11,130 configurations of dedispersion. Needs the data sets.
#include <benchmark/benchmark.h>

#include "recorded_task.hpp"

namespace {

using namespace wattune;

void searches(benchmark::State& state, const std::string& strategy, const bench::RecordedFile& file,
              std::size_t budget) {
  if (!std::filesystem::exists(bench::data_directory + file.recording)) return state.SkipWithError("no data");
  const bench::RecordedTask recorded = bench::load_task(file);
  StrategyTask task;
  task.space = &recorded.space;
  task.budget = budget;
  std::vector<double> fractions;
  std::size_t evaluations = 0;
  for (auto _ : state) {
    ++task.seed;
    const auto search = make_strategy(strategy, task);
    evaluations += bench::play(recorded, *search, {budget}, fractions);
  }
  state.counters["evaluations"] = benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const StrategyInfo& info : strategies()) {
    const bool slow = info.name == "bayesian_optimization" || info.name == "auto";
    for (const bench::RecordedFile& file : bench::recorded_files) {
      if (std::string(file.name) != "convolution A100" && std::string(file.name) != "dedispersion A100") continue;
      benchmark::RegisterBenchmark((info.name + "/" + file.name).c_str(), searches, info.name, file, slow ? 200 : 1000)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
