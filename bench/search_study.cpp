// The study behind docs/strategies.md: mean fraction of the optimum of every strategy on recorded spaces, by budget.
// One line a space and strategy, as CSV on standard output; seeds 1 … N decide everything, so that the table can be
// made again. Usage: WATTUNE_STUDY_SEEDS=200 search_study (Google Benchmark's flags have no effect on the table).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "recorded_task.hpp"
#include "wattune/statistics.hpp"

namespace {

using namespace wattune;

const std::vector<std::size_t> budgets = {25, 50, 100, 200, 400};

/// Each budget is a run of its own, since a strategy may know its budget.
void study(benchmark::State& state, const bench::RecordedFile& file) {
  if (!std::filesystem::exists(bench::data_directory + file.recording)) return state.SkipWithError("no data");
  const char* wanted = std::getenv("WATTUNE_STUDY_SEEDS");
  const int seeds = wanted != nullptr ? std::atoi(wanted) : 20;
  const bench::RecordedTask recorded = bench::load_task(file);
  for (auto _ : state) {
    for (const StrategyInfo& info : strategies()) {
      std::string line = fmt::format("{},{},{}", file.name, info.name, seeds);
      for (const std::size_t budget : budgets) {
        std::vector<double> fractions;
        for (int seed = 1; seed <= seeds; ++seed) {
          StrategyTask task;
          task.space = &recorded.space;
          task.seed = static_cast<std::uint64_t>(seed);
          task.budget = budget;
          const auto search = make_strategy(info.name, task);
          std::vector<double> at_budget;
          bench::play(recorded, *search, {budget}, at_budget);
          fractions.push_back(at_budget.front());
        }
        const double error = standard_deviation(fractions) / std::sqrt(static_cast<double>(seeds));
        line += fmt::format(",{:.4f},{:.4f}", mean(fractions), error);
      }
      fmt::print("{}\n", line);
    }
  }
}

const bool registered = [] {
  fmt::print(
      "space,strategy,seeds,mean_25,error_25,mean_50,error_50,mean_100,error_100,mean_200,error_200,mean_400,error_"
      "400\n");
  for (const bench::RecordedFile& file : bench::recorded_files) {
    benchmark::RegisterBenchmark(file.name, study, file)->Iterations(1)->Unit(benchmark::kSecond);
  }
  return true;
}();

}  // namespace
