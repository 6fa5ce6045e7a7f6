// From outcomes to numbers that can be compared: the named quantities of an outcome, user metrics, and objectives.
// Room `analysis`. Everything derives from stored outcomes; names are the ones users write in metrics and objectives.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/expression.hpp"
#include "wattune/outcome.hpp"
#include "wattune/run.hpp"

namespace wattune {

/// A quantity of a correct outcome by name: "time" (s), "time_ms", "time_us", "power" (W), "energy" (J), "energy_mj",
/// "edp" (J s), "ed2p" (J s²), a metric, or an observed quantity. Nothing when the outcome does not have it.
std::optional<double> quantity(const Outcome& outcome, std::string_view name);

/// Names that quantity() knows without metrics and observations.
std::span<const std::string_view> built_in_quantities();

/// SI unit of a built-in quantity ("s", "ms", "J", …), "" otherwise.
std::string_view built_in_unit(std::string_view name);

/// One metric to compute: its name and its expression over parameters, constants, quantities and earlier metrics.
struct MetricDefinition {
  std::string name;
  std::string expression;
  std::string origin;  ///< place in the user's file, for messages
};

/// Compiled metrics of a task.
class MetricSet {
 public:
  MetricSet() = default;
  /// Throws Error(bad_input) with a caret for a faulty expression. Names that are neither parameters, constants,
  /// built-in quantities nor earlier metrics are taken for observed quantities. `time_scale`: what `time` is in, per
  /// second (1e3: expressions written for milliseconds, as in other tools).
  MetricSet(std::span<const std::string> parameters, std::span<const std::pair<std::string, Value>> constants,
            std::span<const MetricDefinition> metrics, double time_scale = 1.0);

  /// Fills `outcome.metrics` of a correct outcome. A metric whose inputs are missing or whose value is not finite
  /// (division by zero) is left out: a number is printed only when there is one.
  void evaluate(Outcome& outcome) const;

 private:
  struct Metric {
    std::string name;
    Expression expression;
  };
  std::vector<std::string> names_;  ///< slots: parameters, constants, quantities and metrics
  std::vector<Value> constants_;
  std::size_t parameters_ = 0;
  double time_scale_ = 1.0;
  std::vector<Metric> metrics_;
};

/// What is optimised, in order of importance.
class ObjectiveSet {
 public:
  explicit ObjectiveSet(std::vector<ObjectiveRecord> objectives);

  [[nodiscard]] const std::vector<ObjectiveRecord>& all() const { return objectives_; }
  /// Scores to minimise, one per objective (negated where it is to be maximised). Nothing for a failed outcome. Where
  /// energy was skipped as hopeless, the lower bound that was recorded instead ("energy_at_least_j").
  /// Throws Error(bad_input) when a correct outcome lacks the quantity, saying what would provide it.
  [[nodiscard]] std::optional<std::vector<double>> scores(const Outcome& outcome) const;
  /// "minimise time" or "maximise gflops, then minimise energy".
  [[nodiscard]] std::string describe() const;

 private:
  std::vector<ObjectiveRecord> objectives_;
};

/// Position of the best correct outcome by the first objective (ties: the earlier one); nothing when none is correct.
std::optional<std::size_t> best_outcome(std::span<const Outcome> outcomes, const ObjectiveSet& objectives);

/// Positions of the `count` best correct outcomes by the first objective, best first.
std::vector<std::size_t> best_outcomes(std::span<const Outcome> outcomes, const ObjectiveSet& objectives,
                                       std::size_t count);

}  // namespace wattune
