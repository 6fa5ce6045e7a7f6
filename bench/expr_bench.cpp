// Speed of expressions: one evaluation at a time, columns of rows at once, and compiling.
// Expressions are constraints of published tuning spaces (GEMM, convolution, hotspot).
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "wattune/expression.hpp"

namespace {

using wattune::Expression;
using wattune::Scalar;

struct Rule {
  const char* text;
  std::vector<std::string> names;
};

const std::array<Rule, 5>& rules() {
  static const std::array<Rule, 5> all = {
      Rule{"a*b <= 1024", {"a", "b"}},
      Rule{"32 <= a*b <= 1024", {"a", "b"}},
      Rule{"KWG % ((MDIMC*NDIMC)/MDIMA) == 0", {"KWG", "MDIMC", "NDIMC", "MDIMA"}},
      Rule{"not (MWG == 128 and NWG == 128 and MDIMC == 8 and NDIMC == 8)", {"MWG", "NWG", "MDIMC", "NDIMC"}},
      Rule{
          "use_shmem == 0 or (((block_size_x*tile_size_x+(filter_width-1)))*((block_size_y*tile_size_y+"
          "(filter_height-1)))) < 12*1024",
          {"use_shmem", "block_size_x", "tile_size_x", "filter_width", "block_size_y", "tile_size_y", "filter_height"}},
  };
  return all;
}

constexpr std::size_t rows = 4096;

/// Value of a variable in a row: powers of two, so that divisions of the rules come out whole as in the real spaces.
std::int64_t sample(std::size_t variable, std::size_t row) {
  return std::int64_t{8} << ((row >> (2 * variable)) % 4);
}

void scalar(benchmark::State& state) {
  const Rule& rule = rules()[static_cast<std::size_t>(state.range(0))];
  const Expression expression = Expression::compile(rule.text, rule.names);
  std::vector<Scalar> slots;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < rule.names.size(); ++v) slots.push_back(Scalar::of(sample(v, row)));
  }
  for (auto _ : state) {
    std::size_t valid = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::span<const Scalar> here(slots.data() + row * rule.names.size(), rule.names.size());
      valid += expression.evaluate(here).value.truthy() ? 1 : 0;
    }
    benchmark::DoNotOptimize(valid);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows));
  state.SetLabel(rule.text);
}

void columns(benchmark::State& state) {
  const Rule& rule = rules()[static_cast<std::size_t>(state.range(0))];
  const Expression expression = Expression::compile(rule.text, rule.names);
  std::vector<std::vector<double>> values(rule.names.size());
  std::vector<Expression::Column> inputs;
  for (std::size_t v = 0; v < rule.names.size(); ++v) {
    for (std::size_t row = 0; row < rows; ++row) values[v].push_back(static_cast<double>(sample(v, row)));
    inputs.push_back({values[v].data(), 1, true});
  }
  std::vector<std::uint8_t> truth(rows);
  std::vector<std::uint8_t> errors(rows);
  for (auto _ : state) {
    if (!expression.evaluate_truth(inputs, rows, truth.data(), errors.data())) {
      state.SkipWithError("declined");
      break;
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows));
  state.SetLabel(rule.text);
}

void compile(benchmark::State& state) {
  const Rule& rule = rules()[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) benchmark::DoNotOptimize(Expression::compile(rule.text, rule.names));
  state.SetLabel(rule.text);
}

BENCHMARK(scalar)->DenseRange(0, 4);
BENCHMARK(columns)->DenseRange(0, 4);
BENCHMARK(compile)->DenseRange(0, 4);

}  // namespace
