// From the areas under searches' curves to scores with bounds: by space, over all spaces, and with a space left out.
#pragma once

#include <cstdint>
#include <vector>

#include "wattune/strategy_study.hpp"

namespace wattune::study {

/// Areas of one strategy's searches on one space, with those of random search and of the optimum.
struct Areas {
  std::size_t space = 0;
  std::size_t strategy = 0;
  std::vector<double> searches;
  double random = 0.0;
  double optimum = 0.0;

  /// Share of the area between random search and the optimum that a mean area of `searches` closes; 0 where random
  /// search leaves nothing to close.
  [[nodiscard]] double score(double searches_mean) const;
};

/// One score for each of `areas`, in their order.
std::vector<StudyScore> scores_by_space(const std::vector<Areas>& areas, std::uint64_t seed);
/// Mean over the spaces, by strategy.
std::vector<StudyScore> scores_overall(const std::vector<Areas>& areas, std::size_t strategies, std::uint64_t seed);
/// `may_choose`: by strategy, whether it stands for choice.
std::vector<StudyLeftOut> leave_one_out(const std::vector<StudyScore>& scores, const std::vector<bool>& may_choose);

}  // namespace wattune::study
