// Gaussian process regression over a fixed, finite set of candidates, kept up to date one observation at a time.
// Room `learn`. Every candidate has a posterior mean and variance after each observation for O(n M) work (n
// observations, M candidates): the rows of V = L^-1 K(X, candidates) are kept, and one row is added. Kernel: Matern 5/2
// with one length for each coordinate (Rasmussen and Williams 2006, ch. 4 and 5), a signal and a noise level; all are
// fitted to the maximum of the posterior. Refuses nothing: a prior keeps few or constant targets from degenerate fits.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace wattune::learn {

/// Natural logarithms of what shapes the process, in units of the coordinates and of the standardised targets.
struct GaussianHyper {
  Eigen::VectorXd log_length;  ///< one a coordinate
  double log_signal = 0.0;     ///< standard deviation of the function
  double log_noise = -2.5;     ///< standard deviation of an observation around it
};

/// Where the prior puts them: normal distributions of the logarithms.
struct GaussianPrior {
  double length_mean = 0.0, length_deviation = 1.0;
  double signal_mean = 0.0, signal_deviation = 0.5;
  double noise_mean = -3.0, noise_deviation = 1.0;
};

class GaussianProcess {
 public:
  /// `candidates`: one row a candidate, one column a coordinate (of the order of 1).
  GaussianProcess(Eigen::MatrixXf candidates, const GaussianPrior& prior);

  /// Adds one observation of candidate `index`. The target is in the user's unit; see refit() for the scale.
  void observe(std::size_t index, double target);
  /// Takes back the last `count` observations.
  void forget_last(std::size_t count);
  /// Keeps these observations (positions in the order observed) only.
  void keep(const std::vector<std::size_t>& positions);

  /// Standardises the targets anew (unless `standardise` was switched off), improves the hyperparameters by at most
  /// `steps` steps of iRprop from where they are (on an even subset when there are more than `fit_limit` observations),
  /// and recomputes all posteriors: O(steps min(n, fit_limit)^3 + n^2 M).
  void refit(std::size_t steps);
  void set_standardise(bool on) { standardise_ = on; }
  static constexpr std::size_t fit_limit = 150;

  [[nodiscard]] std::size_t observations() const { return points_.size(); }
  [[nodiscard]] std::size_t candidates() const { return static_cast<std::size_t>(coordinates_.rows()); }
  /// Posterior of the function at all candidates, in standardised units.
  [[nodiscard]] const Eigen::VectorXf& mean() const { return mean_; }
  [[nodiscard]] const Eigen::VectorXf& variance() const { return variance_; }
  /// A target in standardised units, and back.
  [[nodiscard]] double standardised(double target) const { return (target - offset_) / scale_; }
  [[nodiscard]] double unstandardised(double value) const { return offset_ + scale_ * value; }
  [[nodiscard]] const GaussianHyper& hyper() const { return hyper_; }
  /// Takes effect at the next refit().
  void set_hyper(const GaussianHyper& hyper) { hyper_ = hyper; }
  /// The targets observed, as given.
  [[nodiscard]] const std::vector<double>& targets() const { return targets_; }
  /// Logarithm of the posterior density of hyperparameters given all observations, up to a constant.
  [[nodiscard]] double log_posterior(const GaussianHyper& hyper, GaussianHyper* gradient = nullptr) const;

 private:
  /// What log_posterior needs of the observations: squared differences of each pair and coordinate, and targets.
  struct Pairs {
    Eigen::Index count = 0;
    Eigen::MatrixXd squares;  // pair x coordinate; pairs (i, j), i > j, column after column of the lower triangle
    Eigen::VectorXd targets;
  };
  [[nodiscard]] Pairs pairs_of(std::size_t limit) const;
  [[nodiscard]] double log_posterior(const Pairs& pairs, const GaussianHyper& hyper, GaussianHyper* gradient) const;
  void reset_posterior();
  void recompute();
  void append_row(std::size_t position);
  void improve(std::size_t steps);
  void kernel_row(std::size_t index, Eigen::Ref<Eigen::VectorXf> out) const;
  void reserve(Eigen::Index observations);

  Eigen::MatrixXf coordinates_;  // candidates x dimensions, columns contiguous
  GaussianPrior prior_;
  GaussianHyper hyper_;
  bool standardise_ = true;
  double offset_ = 0.0;
  double scale_ = 1.0;
  std::vector<std::size_t> points_;  // candidate of each observation
  std::vector<double> targets_;      // as given
  Eigen::MatrixXd factor_;           // lower Cholesky factor of K(X, X) + noise, in the leading n x n block
  Eigen::VectorXd whitened_;         // L^-1 (standardised targets)
  Eigen::MatrixXf rows_;             // candidates x n: column i = row i of V
  Eigen::VectorXf mean_;
  Eigen::VectorXf variance_;
};

}  // namespace wattune::learn
