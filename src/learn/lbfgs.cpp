#include "learn/lbfgs.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <vector>

namespace wattune::learn {
namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double curvature = 0.9;
constexpr int most_trials = 30;  // bisections of a line search; by then the step is 1e-9 of the first

/// The inverse Hessian as pairs of steps and gradient differences.
class Memory {
 public:
  explicit Memory(std::size_t size) : size_(size) {}

  void add(Eigen::VectorXd step, Eigen::VectorXd change) {
    const double product = step.dot(change);
    if (product <= 1e-12 * step.norm() * change.norm()) return;  // keeps the approximation positive definite
    if (pairs_.size() == size_) pairs_.pop_front();
    pairs_.push_back({std::move(step), std::move(change), 1.0 / product});
  }
  void clear() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

  /// Minus the approximate inverse Hessian times the gradient.
  [[nodiscard]] Eigen::VectorXd direction(const Eigen::VectorXd& gradient) const {
    Eigen::VectorXd q = gradient;
    std::vector<double> alphas(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alphas[i] = pairs_[i].inverse * pairs_[i].step.dot(q);
      q -= alphas[i] * pairs_[i].change;
    }
    if (!pairs_.empty()) q *= 1.0 / (pairs_.back().inverse * pairs_.back().change.squaredNorm());
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      q += (alphas[i] - pairs_[i].inverse * pairs_[i].change.dot(q)) * pairs_[i].step;
    return -q;
  }

 private:
  struct Pair {
    Eigen::VectorXd step, change;
    double inverse = 0.0;
  };
  std::size_t size_;
  std::deque<Pair> pairs_;
};

struct State {
  Eigen::VectorXd point, gradient;
  double value = 0.0;
};

/// A step along `direction` that decreases enough and is not too short; false when there is none.
bool line_search(const Differentiable& function, const State& from, const Eigen::VectorXd& direction, double step,
                 State& to, std::size_t& evaluations) {
  const double slope = from.gradient.dot(direction);
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  bool decreased = false;
  State best;
  for (int trial = 0; trial < most_trials; ++trial) {
    to.point = from.point + step * direction;
    to.value = function(to.point, to.gradient);
    ++evaluations;
    if (!(to.value <= from.value + sufficient_decrease * step * slope)) {
      high = step;
    } else if (to.gradient.dot(direction) < curvature * slope) {
      low = step;
      best = to;
      decreased = true;
    } else {
      return true;
    }
    step = std::isinf(high) ? 2.0 * low : 0.5 * (low + high);
  }
  if (decreased) to = best;
  return decreased;
}

}  // namespace

LbfgsResult minimise(const Differentiable& function, Eigen::VectorXd start, const LbfgsOptions& options) {
  LbfgsResult result;
  State now;
  now.point = std::move(start);
  now.gradient.resize(now.point.size());
  now.value = function(now.point, now.gradient);
  result.evaluations = 1;
  Memory memory(options.memory);
  std::deque<double> values{now.value};
  State next;
  next.gradient.resize(now.point.size());
  while (result.iterations < options.max_iterations) {
    if (now.gradient.lpNorm<Eigen::Infinity>() <= options.gradient_tolerance) {
      result.converged = true;
      break;
    }
    Eigen::VectorXd direction = memory.direction(now.gradient);
    double step = 1.0;
    if (memory.empty()) step = std::min(1.0, 1.0 / now.gradient.lpNorm<1>());
    if (!line_search(function, now, direction, step, next, result.evaluations)) {
      result.converged = memory.empty();
      if (result.converged) break;
      memory.clear();  // once more, down the gradient
      continue;
    }
    ++result.iterations;
    memory.add(next.point - now.point, next.gradient - now.gradient);
    std::swap(now, next);
    values.push_back(now.value);
    if (values.size() > 6) values.pop_front();
    if (values.size() == 6 &&
        values.front() - now.value <= options.decrease_tolerance * (std::abs(now.value) + 1e-12)) {
      result.converged = true;
      break;
    }
  }
  result.point = std::move(now.point);
  result.value = now.value;
  return result;
}

}  // namespace wattune::learn
