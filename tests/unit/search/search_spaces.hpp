// Small spaces and made-up scores for the tests of strategies, and a loop that plays the evaluator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "wattune/space.hpp"
#include "wattune/strategy.hpp"

namespace wattune::search_test {

inline Parameter parameter(std::string name, std::vector<Value> values) {
  return {std::move(name), std::move(values)};
}

inline std::vector<Value> powers_of_two(int count) {
  std::vector<Value> values;
  for (int k = 0; k < count; ++k) values.emplace_back(std::int64_t{1} << k);
  return values;
}

/// 8 x 6 x 4 x 3 x 2 combinations, less those that break a constraint: the size of a small tuning space.
inline Space small_space() {
  return Space::build(
      {parameter("x", powers_of_two(8)), parameter("y", powers_of_two(6)), parameter("tile", {1, 2, 3, 4}),
       parameter("layout", {"row", "column", "tiled"}), parameter("flag", {0, 1})},
      {{"x * y <= 256", ""}, {"flag == 0 or tile > 1", ""}});
}

inline Space single_space() {
  return Space::build({parameter("x", {7})}, {});
}

/// Two parameters that are bound so tightly that no valid configuration has a neighbour.
inline Space diagonal_space() {
  return Space::build({parameter("x", {0, 1, 2, 3, 4, 5}), parameter("y", {0, 1, 2, 3, 4, 5})}, {{"x == y", ""}});
}

/// What an evaluator answers: nothing for a failure, else the scores.
using Answer = std::function<std::vector<double>(const Space&, ConfigurationId)>;

/// A valley with its floor in the middle of the space, and a second objective that pulls elsewhere.
inline std::vector<double> valley(const Space& space, ConfigurationId id) {
  double first = 1.0;
  double second = 1.0;
  const Digits digits = space.digits(id);
  for (std::size_t p = 0; p < digits.size(); ++p) {
    const double top = std::max<double>(1.0, static_cast<double>(space.parameters()[p].values.size()) - 1.0);
    const double position = digits[p] / top;
    first += (position - 0.6) * (position - 0.6) * (1.0 + 0.3 * static_cast<double>(p));
    second += (position - 0.1) * (position - 0.1);
  }
  return {first, second};
}

inline std::vector<double> half_fails(const Space& space, ConfigurationId id) {
  if ((id * 2654435761U) % 7 < 4) return {};
  return valley(space, id);
}

inline std::vector<double> all_fail(const Space&, ConfigurationId) {
  return {};
}

/// What a strategy proposed, and how each batch ended.
struct Trace {
  std::vector<ConfigurationId> ids;
  bool over_asked = false;   ///< a batch was larger than asked for
  bool empty_batch = false;  ///< nothing was proposed though not done
};

inline Trace play(Strategy& strategy, const Space& space, const Answer& answer, std::size_t objectives,
                  std::uint64_t budget, std::size_t batch) {
  Trace trace;
  std::vector<ConfigurationId> ids;
  while (trace.ids.size() < budget && !strategy.done()) {
    ids.clear();
    const std::size_t wanted = std::min<std::size_t>(batch, budget - trace.ids.size());
    strategy.ask(wanted, ids);
    if (ids.empty()) {
      trace.empty_batch = true;
      return trace;
    }
    trace.over_asked = trace.over_asked || ids.size() > wanted;
    std::vector<std::vector<double>> scores;
    for (const ConfigurationId id : ids) {
      scores.push_back(answer(space, id));
      if (scores.back().size() > objectives) scores.back().resize(objectives);
    }
    std::vector<Scored> results;
    for (std::size_t k = 0; k < ids.size(); ++k) results.push_back({ids[k], !scores[k].empty(), scores[k]});
    strategy.tell(results);
    trace.ids.insert(trace.ids.end(), ids.begin(), ids.end());
  }
  return trace;
}

inline std::size_t count_different(const std::vector<ConfigurationId>& ids) {
  return std::set<ConfigurationId>(ids.begin(), ids.end()).size();
}

}  // namespace wattune::search_test
