#include "wattune/error_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace wattune {

ErrorMetrics error_metrics(std::span<const double> measured, std::span<const double> predicted, double epsilon) {
  ErrorMetrics sum;
  double square = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double error = std::abs(predicted[i] - measured[i]);
    const double relative = error / std::max(std::abs(measured[i]), epsilon);
    const double logarithm = std::abs(std::log10((predicted[i] + epsilon) / (measured[i] + epsilon)));
    sum.mse += error * error;
    sum.mae += error;
    sum.mre += relative;
    sum.rmsre += relative * relative;
    sum.male += logarithm;
    sum.rmsle += logarithm * logarithm;
    sum.max_absolute = std::max(sum.max_absolute, error);
    sum.max_relative = std::max(sum.max_relative, relative);
    square += measured[i] * measured[i];
  }
  const double n = static_cast<double>(measured.size());
  ErrorMetrics metrics = sum;
  metrics.mse = sum.mse / n;
  metrics.rmse = std::sqrt(metrics.mse);
  metrics.nrmse = square > 0.0 ? std::sqrt(sum.mse / square) : 0.0;
  metrics.mae = sum.mae / n;
  metrics.mre = sum.mre / n;
  metrics.rmsre = std::sqrt(sum.rmsre / n);
  metrics.male = sum.male / n;
  metrics.rmsle = std::sqrt(sum.rmsle / n);
  return metrics;
}

}  // namespace wattune
