// Plays every search of a study on a few threads and sums them up. What a search does depends on its space, strategy,
// budget and seed alone, and sums are taken in a fixed order, so that the number of threads changes nothing.
#include "wattune/strategy_study.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "study/scores.hpp"
#include "study/search_trace.hpp"
#include "wattune/error.hpp"
#include "wattune/strategy.hpp"

namespace wattune {
namespace {

using study::Areas;
using study::SearchTrace;

/// An objective of 1 % (5 %) above the optimum, as fraction of the optimum.
constexpr double within_1_percent = 1.0 / 1.01;
constexpr double within_5_percent = 1.0 / 1.05;

void check(const StudyRequest& request) {
  const auto refuse = [](const std::string& what, const std::string& hint) {
    throw Error(ExitCode::bad_input, what, "comparison of strategies", hint);
  };
  if (request.spaces.empty()) refuse("there is no space", "give at least one recording");
  if (request.strategies.empty()) refuse("there is no strategy", "name at least one");
  if (request.budgets.empty()) refuse("there is no budget", "give numbers of evaluations");
  if (request.repeats == 0) refuse("0 repeats compare nothing", "50 give means to about 1 %");
  if (std::ranges::count(request.budgets, std::uint64_t{0}) > 0)
    refuse("a budget of 0 evaluations finds nothing", "give numbers of evaluations");
  if (std::set(request.budgets.begin(), request.budgets.end()).size() != request.budgets.size())
    refuse("a budget is given twice", "each once");
  if (std::set(request.strategies.begin(), request.strategies.end()).size() != request.strategies.size())
    refuse("a strategy is named twice", "each once");
  StrategyTask task;
  task.space = &request.spaces.front()->space;
  for (const std::string& strategy : request.strategies) make_strategy(strategy, task);
}

class Study {
 public:
  explicit Study(const StudyRequest& request) : request_(request) {
    traces_.resize(request.budgets.size() * request.spaces.size() * request.strategies.size() * request.repeats);
    // Long searches first, so that no thread is left with one at the end.
    order_ = request.budgets;
    std::ranges::sort(order_, std::greater());
  }

  void play();
  [[nodiscard]] StudyResult result() const;

 private:
  /// Of all repeats.
  [[nodiscard]] std::span<const SearchTrace> traces(std::size_t space, std::size_t strategy,
                                                    std::uint64_t budget) const;
  [[nodiscard]] StudyRow row(std::size_t space, std::size_t strategy, std::uint64_t budget) const;
  [[nodiscard]] StudyCurve curve(std::size_t space, std::size_t strategy, std::uint64_t length) const;
  [[nodiscard]] Areas areas(std::size_t space, std::size_t strategy, const StudyCurve& random) const;
  /// The largest budget that leaves something to search; the smallest when none does.
  [[nodiscard]] std::uint64_t scored_budget(std::size_t space) const;
  void work();
  void play_one(std::size_t index);
  void told();

  const StudyRequest& request_;
  std::vector<std::uint64_t> order_;  ///< budgets, descending
  std::vector<SearchTrace> traces_;   ///< by budget (as order_), space, strategy, repeat
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> given_up_{false};
  std::mutex mutex_;  ///< guards what follows
  std::uint64_t done_ = 0;
  std::exception_ptr failure_;
};

void Study::play() {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads = std::min(request_.jobs == 0 ? cores : request_.jobs, traces_.size());
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < threads; ++i) workers.emplace_back([this] { work(); });
    work();
  }
  if (failure_) std::rethrow_exception(failure_);
  if (request_.stop != nullptr && request_.stop->load())
    throw Error(ExitCode::interrupted, "stopped before all searches were made");
}

void Study::work() {
  while (!given_up_ && (request_.stop == nullptr || !request_.stop->load())) {
    const std::size_t index = next_++;
    if (index >= traces_.size()) return;
    try {
      play_one(index);
      told();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      given_up_ = true;
    }
  }
}

void Study::play_one(std::size_t index) {
  const std::size_t repeat = index % request_.repeats;
  const std::size_t strategy = index / request_.repeats % request_.strategies.size();
  const std::size_t space = index / request_.repeats / request_.strategies.size() % request_.spaces.size();
  const std::size_t budget = index / request_.repeats / request_.strategies.size() / request_.spaces.size();
  traces_[index] =
      SearchTrace(*request_.spaces[space], request_.strategies[strategy], order_[budget], request_.seed + repeat);
}

void Study::told() {
  const std::scoped_lock lock(mutex_);
  ++done_;
  if (request_.progress) request_.progress(done_, traces_.size());
}

std::span<const SearchTrace> Study::traces(std::size_t space, std::size_t strategy, std::uint64_t budget) const {
  const auto position = static_cast<std::size_t>(std::ranges::find(order_, budget) - order_.begin());
  const std::size_t first =
      ((position * request_.spaces.size() + space) * request_.strategies.size() + strategy) * request_.repeats;
  return std::span(traces_).subspan(first, request_.repeats);
}

StudyReach reach(std::span<const SearchTrace> traces, double fraction) {
  double successes = 0.0;
  double evaluations = 0.0;
  double spent = 0.0;
  for (const SearchTrace& trace : traces) {
    const auto found = trace.evaluations_to(fraction);
    spent += static_cast<double>(found ? *found : trace.evaluations());
    if (!found) continue;
    successes += 1.0;
    evaluations += static_cast<double>(*found);
  }
  StudyReach reached;
  reached.success_rate = successes / static_cast<double>(traces.size());
  if (successes > 0.0) {
    reached.mean_evaluations = evaluations / successes;
    reached.expected_evaluations = spent / successes;
  }
  return reached;
}

StudyRow Study::row(std::size_t space, std::size_t strategy, std::uint64_t budget) const {
  const std::span<const SearchTrace> searches = traces(space, strategy, budget);
  std::vector<double> fractions;
  for (const SearchTrace& trace : searches) fractions.push_back(trace.fraction());
  StudyRow row;
  row.space = space;
  row.strategy = strategy;
  row.budget = budget;
  row.mean_fraction = mean(fractions);
  row.stdev = standard_deviation(fractions);
  row.within_1_percent = reach(searches, within_1_percent);
  row.within_5_percent = reach(searches, within_5_percent);
  return row;
}

std::uint64_t Study::scored_budget(std::size_t space) const {
  for (const std::uint64_t budget : order_) {
    if (budget < request_.spaces[space]->space.size()) return budget;
  }
  return order_.back();
}

StudyCurve Study::curve(std::size_t space, std::size_t strategy, std::uint64_t length) const {
  StudyCurve curve{space, strategy, std::vector<double>(length, 0.0)};
  for (const SearchTrace& trace : traces(space, strategy, length)) trace.add_to(curve.fractions);
  for (double& fraction : curve.fractions) fraction /= static_cast<double>(request_.repeats);
  return curve;
}

Areas Study::areas(std::size_t space, std::size_t strategy, const StudyCurve& random) const {
  const std::uint64_t length = scored_budget(space);
  Areas areas{space, strategy, {}, 0.0, static_cast<double>(length)};
  for (const SearchTrace& trace : traces(space, strategy, length)) areas.searches.push_back(trace.area(length));
  for (std::uint64_t n = 0; n < length; ++n) areas.random += random.fractions[n];
  return areas;
}

StudyResult Study::result() const {
  StudyResult result;
  std::vector<Areas> all;
  for (std::size_t space = 0; space < request_.spaces.size(); ++space) {
    StudyCurve random{space, std::nullopt, expected_random_curve(request_.spaces[space]->fractions, order_.front())};
    const std::size_t at = result.curves.size();
    result.curves.emplace_back();
    for (std::size_t strategy = 0; strategy < request_.strategies.size(); ++strategy) {
      for (const std::uint64_t budget : request_.budgets) {
        result.rows.push_back(row(space, strategy, budget));
        result.rows.back().random_fraction = random.fractions[budget - 1];
      }
      result.curves.push_back(curve(space, strategy, scored_budget(space)));
      all.push_back(areas(space, strategy, random));
    }
    random.fractions.resize(scored_budget(space));
    result.curves[at] = std::move(random);
  }
  result.scores = study::scores_by_space(all, request_.seed);
  result.aggregate = study::scores_overall(all, request_.strategies.size(), request_.seed);
  std::vector<bool> may_choose;
  for (const std::string& name : request_.strategies) may_choose.push_back(name != "auto");
  result.left_out = study::leave_one_out(result.scores, may_choose);
  return result;
}

}  // namespace

StudyResult judge_strategies(const StudyRequest& request) {
  check(request);
  Study study(request);
  study.play();
  return study.result();
}

}  // namespace wattune
