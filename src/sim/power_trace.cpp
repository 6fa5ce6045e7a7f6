#include "sim/power_trace.hpp"

#include <algorithm>
#include <cmath>

namespace wattune::sim {

double PowerTrace::Stretch::power(double time) const {
  return towards + (first - towards) * std::exp(-rate * (time - begin));
}

double PowerTrace::Stretch::energy_at(double time) const {
  const double t = time - begin;
  // (1 - exp(-rate t)) / rate, also for a rate of zero.
  const double weight = rate * t > 1e-12 ? -std::expm1(-rate * t) / rate : t;
  return energy + towards * t + (first - towards) * weight;
}

void PowerTrace::append(double seconds, double first, double towards, double rate) {
  if (!(seconds > 0.0)) return;
  stretches_.push_back({end_, first, towards, rate, energy_});
  end_ += seconds;
  energy_ = stretches_.back().energy_at(end_);
}

const PowerTrace::Stretch& PowerTrace::at(double time) const {
  const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), time,
                                      [](double t, const Stretch& stretch) { return t < stretch.begin; });
  return after == stretches_.begin() ? stretches_.front() : *(after - 1);
}

double PowerTrace::energy(double time) const {
  if (stretches_.empty()) return 0.0;
  time = std::clamp(time, stretches_.front().begin, end_);
  return at(time).energy_at(time);
}

double PowerTrace::mean(double begin, double end) const {
  if (stretches_.empty()) return 0.0;
  begin = std::max(begin, stretches_.front().begin);
  end = std::min(end, end_);
  if (end <= begin) return at(std::max(end, stretches_.front().begin)).power(std::max(end, stretches_.front().begin));
  return (energy(end) - energy(begin)) / (end - begin);
}

void PowerTrace::forget_before(double time) {
  while (stretches_.size() > 1 && stretches_[1].begin <= time) stretches_.pop_front();
}

}  // namespace wattune::sim
