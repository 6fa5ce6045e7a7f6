// Unconstrained minimisation of a function with a gradient: limited-memory BFGS (Nocedal and Wright 2006,
// algorithm 7.5) with a weak-Wolfe line search by bisection (Lewis and Overton 2013), which also gets along with kinks.
// Room `learn`: mathematics without domain words. Finds a local minimum near the start.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>

namespace wattune::learn {

struct LbfgsOptions {
  std::size_t max_iterations = 500;
  std::size_t memory = 10;           ///< pairs of steps and gradient differences that are kept
  double gradient_tolerance = 1e-6;  ///< largest absolute component of the gradient that counts as zero
  double decrease_tolerance = 1e-9;  ///< relative decrease, over five iterations, that ends the search
};

struct LbfgsResult {
  Eigen::VectorXd point;
  double value = 0.0;
  std::size_t iterations = 0;
  std::size_t evaluations = 0;
  bool converged = false;  ///< a tolerance ended the search, not the number of iterations
};

/// Value at a point; writes the gradient. May be infinite where the function has no value, but not at the start.
using Differentiable = std::function<double(const Eigen::VectorXd& point, Eigen::VectorXd& gradient)>;

LbfgsResult minimise(const Differentiable& function, Eigen::VectorXd start, const LbfgsOptions& options = {});

}  // namespace wattune::learn
