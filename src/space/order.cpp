#include "space/order.hpp"

#include <algorithm>
#include <limits>

#include "space/rows.hpp"
#include "wattune/random.hpp"

namespace wattune::space {
namespace {

/// Up to here every order is considered (dynamic programming over subsets), beyond it each step is greedy.
constexpr std::size_t exact_limit = 10;
constexpr std::size_t sample_count = 64;

/// Local view: parameters are 0 .. n-1, rules are lists of these with a selectivity.
struct LocalRule {
  std::vector<std::uint32_t> scope;
  double selectivity = 1.0;
};

/// Fraction of combinations that satisfy the rule, from a small sample; never 0, since a sample does not prove that.
double selectivity(const Model& model, const Rule& rule, const std::vector<Domain>& domains) {
  Random random(rule.source + 1);
  std::vector<Scalar> slots = model.slots;
  for (const std::uint32_t p : rule.scope) slots[p] = domains[p].scalars.front();
  std::size_t hits = 0;
  for (std::size_t i = 0; i < sample_count; ++i) {
    for (const std::uint32_t p : rule.scope) {
      const Domain& domain = domains[p];
      if (domain.size() > 1) slots[p] = domain.scalars[static_cast<std::size_t>(random.below(domain.size()))];
    }
    const Evaluation result = rule.expression.evaluate(slots);
    if (!result.ok() || result.value.truthy()) ++hits;
  }
  return (static_cast<double>(hits) + 0.25) / (static_cast<double>(sample_count) + 0.5);
}

/// Order with the smallest sum of estimated partial assignments over all depths but the last.
std::vector<std::uint32_t> best_order(std::span<const double> sizes, std::span<const LocalRule> rules) {
  const std::size_t n = sizes.size();
  const std::size_t subsets = std::size_t{1} << n;
  std::vector<double> estimate(subsets, 1.0);
  for (std::size_t set = 1; set < subsets; ++set) {
    for (std::size_t v = 0; v < n; ++v) {
      if ((set >> v & 1U) != 0) estimate[set] *= sizes[v];
    }
  }
  for (const LocalRule& rule : rules) {
    std::size_t scope = 0;
    for (const std::uint32_t v : rule.scope) scope |= std::size_t{1} << v;
    for (std::size_t set = 1; set < subsets; ++set) {
      if ((set & scope) == scope) estimate[set] *= rule.selectivity;
    }
  }
  std::vector<double> cost(subsets, std::numeric_limits<double>::infinity());
  std::vector<std::uint8_t> last(subsets, 0);
  cost[0] = 0.0;
  for (std::size_t set = 1; set < subsets; ++set) {
    for (std::size_t v = 0; v < n; ++v) {
      if ((set >> v & 1U) == 0) continue;
      const double candidate = cost[set ^ (std::size_t{1} << v)];
      // On equal cost the later parameter comes last, so that the given order is kept where it is as good.
      if (candidate <= cost[set]) {
        cost[set] = candidate;
        last[set] = static_cast<std::uint8_t>(v);
      }
    }
    cost[set] += estimate[set];
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t set = subsets - 1, depth = n; set != 0; set ^= std::size_t{1} << last[set])
    order[--depth] = last[set];
  return order;
}

std::vector<std::uint32_t> greedy_order(std::span<const double> sizes, std::span<const LocalRule> rules) {
  const std::size_t n = sizes.size();
  std::vector<std::uint32_t> order;
  std::vector<bool> chosen(n, false);
  std::vector<std::size_t> missing;
  for (const LocalRule& rule : rules) missing.push_back(rule.scope.size());
  while (order.size() < n) {
    std::size_t best = n;
    double best_growth = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < n; ++v) {
      if (chosen[v]) continue;
      double growth = sizes[v];
      for (std::size_t r = 0; r < rules.size(); ++r) {
        const std::vector<std::uint32_t>& scope = rules[r].scope;
        if (std::find(scope.begin(), scope.end(), v) == scope.end()) continue;
        // A rule completed now counts in full; one that comes nearer to completion counts a little.
        growth *= missing[r] == 1 ? rules[r].selectivity : 1.0 - 0.5 / static_cast<double>(missing[r]);
      }
      if (growth < best_growth) {
        best_growth = growth;
        best = v;
      }
    }
    chosen[best] = true;
    order.push_back(static_cast<std::uint32_t>(best));
    for (std::size_t r = 0; r < rules.size(); ++r) {
      const std::vector<std::uint32_t>& scope = rules[r].scope;
      if (std::find(scope.begin(), scope.end(), best) != scope.end()) --missing[r];
    }
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> choose_order(const Model& model, const std::vector<Domain>& domains,
                                        std::span<const std::uint32_t> parameters, std::span<const std::size_t> rules) {
  if (parameters.size() < 2) return {parameters.begin(), parameters.end()};
  std::vector<double> sizes;
  for (const std::uint32_t p : parameters) sizes.push_back(static_cast<double>(domains[p].size()));
  std::vector<LocalRule> local;
  for (const std::size_t r : rules) {
    LocalRule rule;
    for (const std::uint32_t p : model.rules[r].scope) {
      const auto at = std::find(parameters.begin(), parameters.end(), p);
      if (at != parameters.end()) rule.scope.push_back(static_cast<std::uint32_t>(at - parameters.begin()));
    }
    rule.selectivity = selectivity(model, model.rules[r], domains);
    local.push_back(std::move(rule));
  }
  std::vector<std::uint32_t> order =
      sizes.size() <= exact_limit ? best_order(sizes, local) : greedy_order(sizes, local);
  for (std::uint32_t& v : order) v = parameters[v];
  return order;
}

}  // namespace wattune::space
