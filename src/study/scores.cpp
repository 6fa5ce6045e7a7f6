#include "study/scores.hpp"

#include <algorithm>
#include <map>

#include "wattune/random.hpp"

namespace wattune::study {
namespace {

/// The 2.5 % quantile of 2000 resamples is known to about 0.3 % of probability.
constexpr std::size_t resamples = 2000;
constexpr double tail = 0.025;

Bounds bounds_of(double value, const std::vector<double>& resampled) {
  return {value, std::min(value, quantile(resampled, tail)), std::max(value, quantile(resampled, 1.0 - tail))};
}

/// Scores of searches drawn with replacement.
std::vector<double> resampled_scores(const Areas& areas, std::uint64_t seed) {
  Random random(seed, areas.space * 1000003ULL + areas.strategy);
  std::vector<double> scores(resamples);
  for (double& score : scores) {
    double sum = 0.0;
    for (std::size_t i = 0; i < areas.searches.size(); ++i)
      sum += areas.searches[static_cast<std::size_t>(random.below(areas.searches.size()))];
    score = areas.score(sum / static_cast<double>(areas.searches.size()));
  }
  return scores;
}

}  // namespace

double Areas::score(double searches_mean) const {
  return optimum > random ? (searches_mean - random) / (optimum - random) : 0.0;
}

std::vector<StudyScore> scores_by_space(const std::vector<Areas>& areas, std::uint64_t seed) {
  std::vector<StudyScore> scores;
  for (const Areas& one : areas)
    scores.push_back({one.space, one.strategy, bounds_of(one.score(mean(one.searches)), resampled_scores(one, seed))});
  return scores;
}

std::vector<StudyScore> scores_overall(const std::vector<Areas>& areas, std::size_t strategies, std::uint64_t seed) {
  std::vector<StudyScore> scores;
  for (std::size_t strategy = 0; strategy < strategies; ++strategy) {
    std::vector<double> sums(resamples, 0.0);
    double sum = 0.0;
    double spaces = 0.0;
    for (const Areas& one : areas) {
      if (one.strategy != strategy) continue;
      spaces += 1.0;
      sum += one.score(mean(one.searches));
      const std::vector<double> drawn = resampled_scores(one, seed);
      for (std::size_t i = 0; i < resamples; ++i) sums[i] += drawn[i];
    }
    for (double& value : sums) value /= spaces;
    scores.push_back({std::nullopt, strategy, bounds_of(sum / spaces, sums)});
  }
  return scores;
}

std::vector<StudyLeftOut> leave_one_out(const std::vector<StudyScore>& scores, const std::vector<bool>& may_choose) {
  std::map<std::size_t, std::map<std::size_t, double>> by_space;
  std::vector<double> total(may_choose.size(), 0.0);
  for (const StudyScore& score : scores) {
    by_space[*score.space][score.strategy] = score.score.value;
    total[score.strategy] += score.score.value;
  }
  constexpr std::size_t fewest_spaces = 3;
  std::vector<StudyLeftOut> left_out;
  if (by_space.size() < fewest_spaces || std::ranges::count(may_choose, true) < 2) return left_out;
  for (auto& [space, here] : by_space) {
    std::optional<std::size_t> chosen;
    std::optional<std::size_t> best;
    const auto elsewhere = [&total, &here = here](std::size_t strategy) { return total[strategy] - here[strategy]; };
    for (std::size_t strategy = 0; strategy < may_choose.size(); ++strategy) {
      if (!may_choose[strategy]) continue;
      if (!chosen || elsewhere(strategy) > elsewhere(*chosen)) chosen = strategy;
      if (!best || here[strategy] > here[*best]) best = strategy;
    }
    left_out.push_back({space, *chosen, here[*chosen], *best, here[*best]});
  }
  return left_out;
}

}  // namespace wattune::study
