// Whether two sets of samples have different means, also when one of them was picked as the best of many.
// Room `learn`: mathematics without domain words.
#pragma once

#include <cstddef>
#include <span>

namespace wattune {

/// Mean of `chosen` against that of `reference`.
struct MeanDifference {
  double percent = 0.0;      ///< (chosen / reference - 1) x 100
  double low_percent = 0.0;  ///< 95 % interval of it, widened for the selection
  double high_percent = 0.0;
  double probability = 1.0;  ///< that chance alone makes such a difference among that many candidates
  bool established = false;  ///< probability < 0.05
};

/// Welch's test for unequal variances, two-sided. `candidates`: out of how many the chosen one was picked by these same
/// samples; the probability is multiplied by it (Bonferroni), since the luckiest of many differs by chance alone. The
/// samples count as independent; readings of a slow sensor are not, so that an established difference is the optimistic
/// case and one that is not established is certain not to be. Not established with fewer than two samples of either.
MeanDifference compare_means(std::span<const double> chosen, std::span<const double> reference,
                             std::size_t candidates = 1);

}  // namespace wattune
