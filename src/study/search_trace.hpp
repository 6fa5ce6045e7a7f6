// One search on a recorded space, as the few numbers that a study keeps of it: when the best changed, and to what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wattune/strategy_study.hpp"

namespace wattune::study {

class SearchTrace {
 public:
  SearchTrace() = default;
  /// Searches until `budget` evaluations are spent or nothing is left to propose.
  SearchTrace(const StudySpace& space, const std::string& strategy, std::uint64_t budget, std::uint64_t seed);

  /// Fraction of the optimum at the end; 0 when nothing succeeded.
  [[nodiscard]] double fraction() const { return steps_.empty() ? 0.0 : steps_.back().fraction; }
  /// Evaluations made.
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  /// Evaluations until a fraction of at least `wanted` was found.
  [[nodiscard]] std::optional<std::uint64_t> evaluations_to(double wanted) const;
  /// Sum of the fraction after each of the evaluations 1 … `length`.
  [[nodiscard]] double area(std::uint64_t length) const;
  /// Adds the fraction after each evaluation to `curve`.
  void add_to(std::vector<double>& curve) const;

 private:
  struct Step {
    std::uint64_t evaluation;
    double fraction;
  };
  std::vector<Step> steps_;  ///< each better than the one before
  std::uint64_t evaluations_ = 0;
};

}  // namespace wattune::study
