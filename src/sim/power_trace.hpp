// Power of a device over time, as it was: a list of stretches in which it runs exponentially towards a value, as heat
// and leakage do. Answers means over any window exactly; knows nothing of sensors.
#pragma once

#include <cstddef>
#include <deque>

namespace wattune::sim {

class PowerTrace {
 public:
  /// The next stretch: at t after its beginning the power is towards + (first - towards) exp(-rate t). W, 1/s.
  void append(double seconds, double first, double towards, double rate);

  /// Seconds since the beginning of the trace.
  [[nodiscard]] double end() const { return end_; }
  /// Energy from the beginning to `time`, J; time outside the trace is taken as its nearest end.
  [[nodiscard]] double energy(double time) const;
  /// Mean over [begin, end], W; the power at `end` when the two are equal. Before the trace it was as at its beginning.
  [[nodiscard]] double mean(double begin, double end) const;
  /// Drops stretches that end before `time`; windows must not reach there any more.
  void forget_before(double time);
  [[nodiscard]] std::size_t size() const { return stretches_.size(); }

 private:
  struct Stretch {
    double begin, first, towards, rate;
    double energy;  ///< before it
    [[nodiscard]] double power(double time) const;
    [[nodiscard]] double energy_at(double time) const;
  };
  [[nodiscard]] const Stretch& at(double time) const;

  std::deque<Stretch> stretches_;
  double end_ = 0.0;
  double energy_ = 0.0;  ///< up to the end
};

}  // namespace wattune::sim
