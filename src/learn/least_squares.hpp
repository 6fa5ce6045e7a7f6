// Non-linear least squares with bounds: projected Levenberg-Marquardt from one or several starts, with the covariance
// of the parameters.
// Room `learn`: mathematics without domain words. Damping after Nielsen 1999 (IMM-REP-1999-05), scaling after Moré 1978
// (The Levenberg-Marquardt algorithm), steps cut off at the bounds as in Kanzow, Yamashita and Fukushima 2004 (J. Comp.
// Appl. Math. 172). Held against NIST's certified data. Finds local minima only: a model with kinks or plateaus needs
// several starts. Refuses nothing: what came of a fit is said by `Termination`.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace wattune::learn {

struct LeastSquaresProblem {
  std::size_t parameters = 0;
  std::size_t residuals = 0;
  /// Writes the residuals at a point. False where the model has no value there: the step is then not taken.
  std::function<bool(std::span<const double> point, std::span<double> residuals)> evaluate;
  /// Writes d residual_i / d parameter_j at [i * parameters + j]. Left empty: central differences within the bounds.
  std::function<void(std::span<const double> point, std::span<double> derivatives)> derivatives;
  std::vector<double> lower, upper;  ///< one a parameter, or empty for none
  std::vector<double> typical;       ///< magnitude of each parameter, for steps of differences; empty: from the start
};

struct LeastSquaresOptions {
  int max_iterations = 500;           ///< accepted and rejected steps together
  double step_tolerance = 1e-12;      ///< relative size of a step, in the scaled norm, that ends the search
  double decrease_tolerance = 1e-15;  ///< relative decrease of the sum of squares, real and predicted, that ends it
  double gradient_tolerance = 1e-13;  ///< cosine of the angle between residuals and every column of the Jacobian
  double first_damping = 1e-3;        ///< in units of the scaled diagonal
};

enum class Termination {
  gradient,    ///< no direction within the bounds decreases the sum
  step,        ///< steps have become too small to matter
  decrease,    ///< the sum does not decrease any more
  iterations,  ///< max_iterations reached: not converged
  no_value,    ///< the model has no value at the start
};
std::string_view to_string(Termination termination);

struct LeastSquaresResult {
  std::vector<double> point;
  double sum_of_squares = std::numeric_limits<double>::infinity();
  Termination termination = Termination::no_value;
  int iterations = 0;
  std::vector<bool> at_bound;  ///< parameters that a bound holds; their variance is 0
  std::size_t degrees = 0;     ///< of freedom: residuals less parameters that are not at a bound
  /// Row-major, from the residuals' own variance; empty without degrees of freedom or where the data cannot tell the
  /// free parameters apart.
  std::vector<double> covariance;

  [[nodiscard]] bool converged() const {
    return termination == Termination::gradient || termination == Termination::step ||
           termination == Termination::decrease;
  }
  /// Standard error of one parameter; infinite when there is no covariance.
  [[nodiscard]] double error(std::size_t parameter) const;
};

/// The minimum that is reached from `start` (moved into the bounds first).
LeastSquaresResult least_squares(const LeastSquaresProblem& problem, std::span<const double> start,
                                 const LeastSquaresOptions& options = {});

/// The lowest of the minima that are reached from `starts` (ties: the earlier start).
LeastSquaresResult least_squares(const LeastSquaresProblem& problem, std::span<const std::vector<double>> starts,
                                 const LeastSquaresOptions& options = {});

}  // namespace wattune::learn
