#include "wattune/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wattune/statistics.hpp"

namespace wattune {

MeanDifference compare_means(std::span<const double> chosen, std::span<const double> reference,
                             std::size_t candidates) {
  MeanDifference result;
  if (chosen.empty() || reference.empty()) return result;
  const double centre = mean(reference);
  const double difference = mean(chosen) - centre;
  const auto percent = [centre](double value) { return 100.0 * value / std::abs(centre); };
  result.percent = percent(difference);
  result.low_percent = -std::numeric_limits<double>::infinity();
  result.high_percent = std::numeric_limits<double>::infinity();
  if (chosen.size() < 2 || reference.size() < 2) return result;

  const double n1 = static_cast<double>(chosen.size());
  const double n2 = static_cast<double>(reference.size());
  const double v1 = std::pow(standard_deviation(chosen), 2) / n1;
  const double v2 = std::pow(standard_deviation(reference), 2) / n2;
  const double error = std::sqrt(v1 + v2);
  if (error == 0.0) {  // samples that do not scatter: any difference is one
    result.low_percent = result.high_percent = result.percent;
    result.probability = difference == 0.0 ? 1.0 : 0.0;
    result.established = difference != 0.0;
    return result;
  }
  const double degrees = (v1 + v2) * (v1 + v2) / (v1 * v1 / (n1 - 1.0) + v2 * v2 / (n2 - 1.0));
  const double picks = static_cast<double>(std::max<std::size_t>(candidates, 1));
  result.probability = std::min(1.0, 2.0 * picks * student_t_cdf(-std::abs(difference) / error, degrees));
  result.established = result.probability < 0.05;
  const double half = student_t_quantile(1.0 - 0.025 / picks, degrees) * error;
  result.low_percent = percent(difference - half);
  result.high_percent = percent(difference + half);
  return result;
}

}  // namespace wattune
