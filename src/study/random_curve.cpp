// The expected curve of random search in closed form, so that the baseline of a comparison has no noise of its own.
#include <algorithm>
#include <functional>

#include "wattune/strategy_study.hpp"

namespace wattune {
namespace {

/// Below this probability of not having drawn any of the best, the rest adds nothing to a double near 1.
constexpr double negligible = 1e-18;

/// E[best of `draws`] from fractions in descending order, of `all` configurations.
double expected_best(const std::vector<double>& descending, double all, double draws) {
  double expected = 0.0;
  double missed = 1.0;  // P(none of the ranks so far is drawn)
  double rank = 0.0;
  for (const double fraction : descending) {
    // C(N-k-1, n) / C(N-k, n) = (N-k-n) / (N-k): one more rank to be missed.
    const double missed_this_too = missed * std::max(0.0, all - rank - draws) / (all - rank);
    expected += fraction * (missed - missed_this_too);
    missed = missed_this_too;
    if (missed < negligible) break;
    rank += 1.0;
  }
  return expected;
}

}  // namespace

std::vector<double> expected_random_curve(const std::vector<double>& fractions, std::uint64_t draws) {
  std::vector<double> descending;
  std::ranges::copy_if(fractions, std::back_inserter(descending), [](double fraction) { return fraction > 0.0; });
  std::ranges::sort(descending, std::greater());
  const auto all = static_cast<double>(fractions.size());
  std::vector<double> curve;
  for (std::uint64_t n = 1; n <= draws; ++n)
    curve.push_back(expected_best(descending, all, std::min(all, static_cast<double>(n))));
  return curve;
}

}  // namespace wattune
