// A fully connected network of three layers: linear inputs, sigmoid hidden neurons, sigmoid outputs in 0..1. Trained by
// L-BFGS on the squared error to one-hot targets with a small weight decay.
// Room `learn`: mathematics without domain words. Same seed, same weights.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/lbfgs.hpp"
#include "wattune/random.hpp"

namespace wattune::learn {

struct SigmoidNetworkOptions {
  std::size_t hidden = 0;      ///< neurons of the hidden layer; 0: as many as outputs
  double decay = 1e-4;         ///< of the squared weights (not the biases), beside the mean squared error
  std::size_t restarts = 1;    ///< random starts; the lowest loss is kept
  bool cross_entropy = false;  ///< minimise that instead of the squared error
  LbfgsOptions search{.max_iterations = 300, .decrease_tolerance = 1e-5};
};

class SigmoidNetwork {
 public:
  SigmoidNetwork() = default;
  /// `inputs`: one column a sample, of the order of 1; `classes`: the output that should be 1.
  static SigmoidNetwork fit(const Eigen::MatrixXd& inputs, std::span<const std::uint32_t> classes, std::size_t outputs,
                            const SigmoidNetworkOptions& options, Random& random);
  /// From stored weights: input layer (hidden x (inputs + 1)) and output layer (outputs x (hidden + 1)), biases last.
  SigmoidNetwork(Eigen::MatrixXd first, Eigen::MatrixXd second)
      : first_(std::move(first)), second_(std::move(second)) {}

  [[nodiscard]] std::size_t inputs() const { return static_cast<std::size_t>(first_.cols()) - 1; }
  [[nodiscard]] std::size_t hidden() const { return static_cast<std::size_t>(first_.rows()); }
  [[nodiscard]] std::size_t outputs() const { return static_cast<std::size_t>(second_.rows()); }
  /// Writes the outputs, each in 0..1. `scratch` holds hidden() numbers. Allocates nothing.
  void evaluate(std::span<const double> input, std::span<double> scratch, std::span<double> out) const;
  [[nodiscard]] const Eigen::MatrixXd& first() const { return first_; }
  [[nodiscard]] const Eigen::MatrixXd& second() const { return second_; }
  [[nodiscard]] double loss() const { return loss_; }

 private:
  Eigen::MatrixXd first_, second_;
  double loss_ = 0.0;
};

}  // namespace wattune::learn
