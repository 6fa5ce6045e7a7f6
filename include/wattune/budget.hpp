// How much a search may spend: evaluations, time, a fraction of the space, no improvement, a target; whichever ends
// first. Room `tune`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wattune/spec.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// Counts what has been spent against a BudgetSpec. Time is passed in, so that recorded durations can drive it.
class Budget {
 public:
  /// `space_size`: number of valid configurations (for `fraction`). Throws Error(bad_input) for a limit that allows
  /// nothing (0 evaluations, 0 s, fraction outside (0, 1]).
  Budget(const BudgetSpec& spec, std::uint64_t space_size);

  /// One evaluation ended; `score` (to minimise) when it succeeded; `elapsed` since the start of the search.
  void spend(std::optional<double> score, Seconds elapsed);
  /// Time went by without an evaluation.
  void pass(Seconds elapsed) { elapsed_ = elapsed; }

  [[nodiscard]] bool exhausted() const;
  /// Spent share of the nearest limit, 0..1; 0 when there is no limit at all.
  [[nodiscard]] double fraction() const;
  /// Evaluations that may still be made (the space's size bounds it).
  [[nodiscard]] std::uint64_t remaining_evaluations() const;
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  /// The limit on evaluations, if evaluations are limited.
  [[nodiscard]] std::optional<std::uint64_t> evaluation_limit() const { return evaluation_limit_; }
  /// Seconds left by the time limit or, from the rate so far, by the limit on evaluations.
  [[nodiscard]] std::optional<Seconds> remaining_time() const;
  /// Which limit ended the search, in words ("500 evaluations"); "" while none has.
  [[nodiscard]] std::string reason() const;

 private:
  std::optional<std::uint64_t> evaluation_limit_;
  std::optional<Seconds> time_limit_;
  std::optional<std::uint64_t> no_improvement_;
  std::optional<double> target_;
  std::uint64_t space_size_;
  std::uint64_t evaluations_ = 0;
  std::uint64_t since_improvement_ = 0;
  std::optional<double> best_;
  Seconds elapsed_;
};

}  // namespace wattune
