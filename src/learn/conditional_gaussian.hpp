// A normal distribution over a vector of fixed length, learnt from samples of it, and what is left of it when some of
// its components have been seen. Covariance: the leading principal components plus a diagonal.
// Room `learn`: mathematics without domain words. Means are zero: it describes deviations from a prediction.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace wattune::learn {

struct ConditionalGaussianOptions {
  std::size_t rank = 4;                 ///< principal components
  double floor = 0.005;                 ///< standard deviation of the noise of one component at least
  std::vector<std::size_t> exact = {};  ///< components that are zero by definition
};

class ConditionalGaussian {
 public:
  ConditionalGaussian() = default;
  /// `deviations`: one row a sample, at least one; `importance`: of each sample, empty for equal ones.
  ConditionalGaussian(const Eigen::MatrixXd& deviations, std::span<const double> importance,
                      const ConditionalGaussianOptions& options);
  /// From stored parts: covariance = loadings * loadings' + diagonal(noise).
  ConditionalGaussian(Eigen::MatrixXd loadings, Eigen::VectorXd noise)
      : loadings_(std::move(loadings)), noise_(std::move(noise)) {}

  [[nodiscard]] Eigen::Index size() const { return noise_.size(); }
  [[nodiscard]] const Eigen::MatrixXd& loadings() const { return loadings_; }
  [[nodiscard]] const Eigen::VectorXd& noise() const { return noise_; }

  struct Posterior {
    Eigen::VectorXd mean;
    Eigen::VectorXd variance;  ///< of a measurement: noise included; a component seen has its noise left
  };
  /// Given that `seen` components had `values`.
  [[nodiscard]] Posterior given(std::span<const std::size_t> seen, std::span<const double> values) const;

  /// The component, not in `seen` and allowed, whose sight leaves the least total variance; size() when there is none.
  [[nodiscard]] std::size_t most_informative(std::span<const std::size_t> seen,
                                             std::span<const std::uint8_t> allowed) const;

 private:
  /// Covariance of the factors that is left after `seen`.
  [[nodiscard]] Eigen::MatrixXd factor_covariance(std::span<const std::size_t> seen) const;

  Eigen::MatrixXd loadings_;  // components x rank
  Eigen::VectorXd noise_;     // variances
};

}  // namespace wattune::learn
