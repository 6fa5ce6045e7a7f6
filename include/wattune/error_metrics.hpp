// How far predictions are from what was measured, by the measures that the field uses.
// Room `learn`: mathematics without domain words.
#pragma once

#include <span>

namespace wattune {

/// Measures of a prediction's error. Relative ones divide by max(|measured|, epsilon); logarithms are decadic, of
/// (value + epsilon), so that a measured zero has a finite error.
struct ErrorMetrics {
  double mse = 0.0;           ///< mean squared error
  double rmse = 0.0;          ///< its root
  double nrmse = 0.0;         ///< root of mean squared error over mean squared measured value
  double mae = 0.0;           ///< mean absolute error
  double mre = 0.0;           ///< mean relative error
  double rmsre = 0.0;         ///< root of the mean squared relative error
  double male = 0.0;          ///< mean absolute error of the logarithm
  double rmsle = 0.0;         ///< root of the mean squared error of the logarithm
  double max_absolute = 0.0;  ///< largest absolute error
  double max_relative = 0.0;  ///< largest relative error
};

/// `measured` and `predicted` have the same length, at least 1; nothing of them may be below -epsilon / 2 for the
/// logarithms to exist. `epsilon` > 0.
ErrorMetrics error_metrics(std::span<const double> measured, std::span<const double> predicted, double epsilon = 1e-12);

}  // namespace wattune
