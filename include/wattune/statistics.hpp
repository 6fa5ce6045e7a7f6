// Order statistics and intervals used wherever a number is reported with its uncertainty.
// Room `learn`: mathematics without domain words.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattune {

/// Middle value (mean of the two middle ones for an even count). `values` must not be empty.
double median(std::span<const double> values);
/// Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996), `p` in 0..1.
double quantile(std::span<const double> values, double p);
double mean(std::span<const double> values);
/// Sample standard deviation (n - 1); 0 for fewer than two values.
double standard_deviation(std::span<const double> values);

/// A central value and its bounds.
struct Bounds {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Median with the distribution-free interval from order statistics (binomial with p = 1/2; Conover 1999, section 3.2)
/// of at least `confidence`. With too few values for that confidence (fewer than 6 for 95 %) the bounds are minimum and
/// maximum.
Bounds median_interval(std::span<const double> values, double confidence = 0.95);

/// Mean with Student's t interval.
Bounds mean_interval(std::span<const double> values, double confidence = 0.95);

/// P(T <= t) of Student's t with `degrees` > 0 of freedom (they need not be whole).
double student_t_cdf(double t, double degrees);
/// P(F >= f) of the F distribution: how often chance alone does as well; 1 for f <= 0.
double f_distribution_tail(double f, double numerator_degrees, double denominator_degrees);
/// Quantile of Student's t with `degrees` > 0 of freedom: P(T <= result) = p, 0 < p < 1.
double student_t_quantile(double p, double degrees);
/// Quantile of the standard normal distribution (Acklam's rational approximation refined by one Halley step).
double normal_quantile(double p);

}  // namespace wattune
