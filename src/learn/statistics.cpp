#include "wattune/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace wattune {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

/// Continued fraction for the regularised incomplete beta function (Lentz's method; Numerical Recipes, section 6.4).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, 1.0 - x);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
  double f = 1.0;
  double c = 1.0;
  double d = 0.0;
  for (int i = 0; i <= 300; ++i) {
    const int m = i / 2;
    double numerator = 1.0;
    if (i > 0) {
      numerator = i % 2 == 0 ? m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
                             : -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    }
    d = 1.0 + numerator * d;
    d = 1.0 / (std::abs(d) < 1e-300 ? 1e-300 : d);
    c = 1.0 + numerator / (std::abs(c) < 1e-300 ? 1e-300 : c);
    f *= c * d;
    if (std::abs(1.0 - c * d) < 1e-14) break;
  }
  return front * (f - 1.0);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  if (copy.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(copy.begin(), middle));
}

double quantile(std::span<const double> values, double p) {
  const std::vector<double> order = sorted(values);
  const double position = p * static_cast<double>(order.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, order.size() - 1);
  return order[below] + (position - static_cast<double>(below)) * (order[above] - order[below]);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0.0;
  const double centre = mean(values);
  double sum = 0.0;
  for (const double v : values) sum += (v - centre) * (v - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Bounds median_interval(std::span<const double> values, double confidence) {
  const std::vector<double> order = sorted(values);
  const std::size_t n = order.size();
  Bounds bounds{median(values), order.front(), order.back()};
  // Largest k with P(B < k or B > n - k) <= 1 - confidence for B ~ Binomial(n, 1/2); the interval is [x_(k),
  // x_(n-k+1)].
  const double half = (1.0 - confidence) / 2.0;
  double probability = std::exp(-static_cast<double>(n) * std::numbers::ln2);
  double cumulative = 0.0;
  if (probability == 0.0) {  // n > 1074: the normal approximation is exact to far below one rank
    const double rank = static_cast<double>(n) / 2.0 + normal_quantile(half) * std::sqrt(static_cast<double>(n)) / 2.0;
    const auto k = static_cast<std::size_t>(std::max(1.0, std::floor(rank)));
    return {bounds.value, order[k - 1], order[n - k]};
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < n / 2; ++i) {
    cumulative += probability;
    if (cumulative > half) break;
    k = i + 1;
    probability *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  if (k > 0) {
    bounds.low = order[k - 1];
    bounds.high = order[n - k];
  }
  return bounds;
}

Bounds mean_interval(std::span<const double> values, double confidence) {
  const double centre = mean(values);
  if (values.size() < 2) return {centre, centre, centre};
  const double n = static_cast<double>(values.size());
  // A recording asks thousands of times for the same number of samples, and the quantile takes ten times what the rest
  // does.
  struct Known {
    double degrees = 0.0;
    double confidence = 0.0;
    double quantile = 0.0;
  };
  thread_local Known known;
  if (known.degrees != n - 1.0 || known.confidence != confidence)
    known = {n - 1.0, confidence, student_t_quantile(0.5 + confidence / 2.0, n - 1.0)};
  const double half = known.quantile * standard_deviation(values) / std::sqrt(n);
  return {centre, centre - half, centre + half};
}

double student_t_cdf(double t, double degrees) {
  const double tail = 0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
  return t > 0.0 ? 1.0 - tail : tail;
}

double f_distribution_tail(double f, double numerator_degrees, double denominator_degrees) {
  if (f <= 0.0) return 1.0;
  return incomplete_beta(denominator_degrees / 2.0, numerator_degrees / 2.0,
                         denominator_degrees / (denominator_degrees + numerator_degrees * f));
}

double normal_quantile(double p) {
  static constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                                 1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  static constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                                 6.680131188771972e+01, -1.328068155288572e+01};
  static constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                 -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  static constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                                 3.754408661907416e+00};
  double x = 0.0;
  if (p < 0.02425 || p > 1.0 - 0.02425) {
    const double q = std::sqrt(-2.0 * std::log(p < 0.5 ? p : 1.0 - p));
    x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
        ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
    if (p > 0.5) x = -x;
  } else {
    const double q = p - 0.5;
    const double r = q * q;
    x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
        (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
  }
  const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
  const double u = error * std::sqrt(2.0 * std::numbers::pi) * std::exp(x * x / 2.0);
  return x - u / (1.0 + x * u / 2.0);
}

double student_t_quantile(double p, double degrees) {
  if (p == 0.5) return 0.0;
  double low = -1.0;
  double high = 1.0;
  while (student_t_cdf(low, degrees) > p) low *= 2.0;
  while (student_t_cdf(high, degrees) < p) high *= 2.0;
  for (int i = 0; i < 200 && high - low > 1e-13 * std::max(1.0, std::abs(low)); ++i) {
    const double middle = 0.5 * (low + high);
    (student_t_cdf(middle, degrees) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace wattune
