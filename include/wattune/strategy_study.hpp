// Judging search strategies on recorded spaces: how near the optimum a budget brings them, against random search.
// Room `study`. Searches run in parallel without a device; the seed decides everything, whatever the number of threads.
// Method after Willemsen, Schoonhoven, Filipovič, Tørring, van Nieuwpoort and van Werkhoven 2024, "A methodology for
// comparing optimization algorithms for auto-tuning", Future Generation Computer Systems 159; budgets are evaluations.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wattune/recorded_space.hpp"
#include "wattune/space.hpp"
#include "wattune/spec.hpp"
#include "wattune/statistics.hpp"

namespace wattune {

/// A recorded space as a task for strategies: every configuration's score is known.
struct StudySpace {
  std::string name;
  Space space;
  std::vector<double> scores;  ///< told to strategies, to be minimised; by configuration, meaningless for a failure
  /// Fraction of the optimum, by configuration: optimum / value where less is better, value / optimum where more is.
  /// 0: it failed.
  std::vector<double> fractions;

  [[nodiscard]] std::size_t failures() const;
};

/// The recording as `spec` sees it (spec_of(recording) with further constraints or another objective): its recorded
/// points. Throws Error: bad_input as replay() does and when an objective is not positive (a fraction of the optimum
/// then means nothing), nothing_valid when no configuration succeeded.
StudySpace study_space(const RecordedSpace& recording, const Spec& spec, std::string name);

struct StudyRequest {
  std::vector<const StudySpace*> spaces;  ///< at least one; outlive the study
  std::vector<std::string> strategies;    ///< by name, with their default options
  std::vector<std::uint64_t> budgets;     ///< evaluations; each is a search of its own: a strategy may know its budget
  std::uint64_t repeats = 50;             ///< searches for each space, strategy and budget
  std::uint64_t seed = 0;                 ///< repeat r searches with seed + r
  std::size_t jobs = 0;                   ///< threads; 0: as many as cores
  const std::atomic<bool>* stop = nullptr;  ///< set to give up
  /// Called from any thread, one at a time, after each search.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// How searches reach values within some per cent of the optimum.
struct StudyReach {
  double success_rate = 0.0;               ///< share of the searches, 0..1
  std::optional<double> mean_evaluations;  ///< of those that succeed, to the first such value
  /// All evaluations spent until then, failures included, by the number of successes: what one success costs when the
  /// search is repeated until it succeeds (Hansen et al. 2021, COCO, "expected running time"). Nothing without success.
  std::optional<double> expected_evaluations;
};

/// One space, strategy and budget.
struct StudyRow {
  std::size_t space = 0;     ///< position in StudyRequest::spaces
  std::size_t strategy = 0;  ///< position in StudyRequest::strategies
  std::uint64_t budget = 0;
  double mean_fraction = 0.0;    ///< of the optimum, at the end of the budget; a search without any success counts 0
  double stdev = 0.0;            ///< of the fraction, over the searches
  double random_fraction = 0.0;  ///< what random search is expected to reach with this budget
  StudyReach within_1_percent;   ///< objective at most 1.01 times the optimum (at least 1 / 1.01 where more is better)
  StudyReach within_5_percent;
};

/// Performance over evaluations of one space: curve[n - 1] is the mean fraction of the optimum after n evaluations.
struct StudyCurve {
  std::size_t space = 0;
  std::optional<std::size_t> strategy;  ///< nothing: the expected curve of random search
  std::vector<double> fractions;
};

/// Share of the area between the expected curve of random search and the optimum that a strategy's curve closes: 1 when
/// the first evaluation finds the optimum, 0 as random search, negative below it. Over evaluations 1 … the largest
/// budget that does not cover the space (budgets that do ask for no search). The bounds hold 95 % of the scores that
/// other seeds would give on the same spaces (percentile bootstrap over the searches); they say nothing about other
/// spaces.
struct StudyScore {
  std::optional<std::size_t> space;  ///< nothing: mean over all spaces
  std::size_t strategy = 0;
  Bounds score;
};

/// What choosing the strategy of the best mean score on all other spaces gives on the space left out. `auto` is not
/// chosen: it is what is being judged.
struct StudyLeftOut {
  std::size_t space = 0;
  std::size_t chosen = 0;  ///< strategy
  double score = 0.0;      ///< of the chosen one, here
  std::size_t best = 0;    ///< strategy that scores best here
  double best_score = 0.0;
};

struct StudyResult {
  std::vector<StudyRow> rows;          ///< by space, then strategy, then budget, as requested
  std::vector<StudyCurve> curves;      ///< by space: random search, then the strategies
  std::vector<StudyScore> scores;      ///< by space, then strategy
  std::vector<StudyScore> aggregate;   ///< by strategy
  std::vector<StudyLeftOut> left_out;  ///< by space; empty with fewer than 3 spaces or 2 strategies to choose from
};

/// Plays all searches. Throws Error: bad_input for an empty request, a budget of 0 or an unknown strategy, interrupted
/// when stopped.
StudyResult judge_strategies(const StudyRequest& request);

/// Expected fraction of the optimum of the best of n configurations drawn at random without replacement, for
/// n = 1 … `draws` (draws beyond the space change nothing). `fractions` as in StudySpace: failures are 0 and cost a
/// draw. Exact: with the values ranked, P(none of the k best is drawn) = C(N - k, n) / C(N, n).
std::vector<double> expected_random_curve(const std::vector<double>& fractions, std::uint64_t draws);

}  // namespace wattune
