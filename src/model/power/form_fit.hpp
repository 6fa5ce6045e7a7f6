// Fits one form of the power curve, with the errors of its parameters and of what follows from them.
#pragma once

#include <cstddef>
#include <span>

#include "wattune/power_model.hpp"

namespace wattune::model {

/// What is to be fitted beside P_0 and a.
struct FormRequest {
  VoltageRise rise = VoltageRise::quadratic;
  bool limit = false;
  bool memory = false;
  bool leakage = false;
  /// V is known (fitted to readings): taken from here, `rise` is ignored.
  const PowerCurve* voltage = nullptr;
};

struct FormFit {
  PowerFit fit;
  std::size_t parameters = 0;
  bool determined = false;  ///< degrees of freedom are left, and the parameters can be told apart
  bool at_low_end = false;  ///< the ridge is held at the lowest clock: the rise has no beginning in range
  bool at_high_end = false;
};

/// `samples` ascending by clock, at least as many as parameters.
FormFit fit_form(std::span<const PowerSample> samples, const FormRequest& request);

/// Fits V(f) to readings of the voltage, all of which must be there; the rise is chosen by AICc. Base and dynamic power
/// of the curve are left at 0.
FormFit fit_voltage(std::span<const PowerSample> samples);

/// Number of parameters that a request fits.
std::size_t parameters_of(const FormRequest& request);

/// Akaike's criterion of a fit with `parameters` and an estimated variance; `corrected` for few points (infinite when
/// they are too few for it). Errors below one millionth do not count: exact data must not be ranked by rounding.
double akaike(double sum_of_squares, std::size_t samples, std::size_t parameters, bool corrected);

}  // namespace wattune::model
