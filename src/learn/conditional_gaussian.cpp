#include "learn/conditional_gaussian.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace wattune::learn {

ConditionalGaussian::ConditionalGaussian(const Eigen::MatrixXd& deviations, std::span<const double> importance,
                                         const ConditionalGaussianOptions& options) {
  const Eigen::Index n = deviations.rows();
  Eigen::VectorXd share = Eigen::VectorXd::Ones(n);
  for (std::size_t i = 0; i < importance.size(); ++i) share[static_cast<Eigen::Index>(i)] = importance[i];
  share /= share.sum();
  Eigen::MatrixXd rows = share.cwiseSqrt().asDiagonal() * deviations;
  for (const std::size_t component : options.exact) rows.col(static_cast<Eigen::Index>(component)).setZero();
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeThinV);
  const Eigen::Index rank =
      std::min<Eigen::Index>(static_cast<Eigen::Index>(options.rank), svd.singularValues().size());
  loadings_ = svd.matrixV().leftCols(rank) * svd.singularValues().head(rank).asDiagonal();
  const Eigen::VectorXd total = rows.colwise().squaredNorm();
  const Eigen::VectorXd explained = loadings_.rowwise().squaredNorm();
  noise_ = (total - explained).cwiseMax(options.floor * options.floor);
  for (const std::size_t component : options.exact) {
    loadings_.row(static_cast<Eigen::Index>(component)).setZero();
    noise_[static_cast<Eigen::Index>(component)] = 1e-12;
  }
}

Eigen::MatrixXd ConditionalGaussian::factor_covariance(std::span<const std::size_t> seen) const {
  Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(loadings_.cols(), loadings_.cols());
  for (const std::size_t component : seen) {
    const auto i = static_cast<Eigen::Index>(component);
    precision += loadings_.row(i).transpose() * loadings_.row(i) / noise_[i];
  }
  return precision.llt().solve(Eigen::MatrixXd::Identity(loadings_.cols(), loadings_.cols()));
}

ConditionalGaussian::Posterior ConditionalGaussian::given(std::span<const std::size_t> seen,
                                                          std::span<const double> values) const {
  const Eigen::MatrixXd covariance = factor_covariance(seen);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(loadings_.cols());
  for (std::size_t s = 0; s < seen.size(); ++s) {
    const auto i = static_cast<Eigen::Index>(seen[s]);
    right += loadings_.row(i).transpose() * (values[s] / noise_[i]);
  }
  Posterior posterior;
  posterior.mean = loadings_ * (covariance * right);
  posterior.variance = (loadings_ * covariance).cwiseProduct(loadings_).rowwise().sum() + noise_;
  for (std::size_t s = 0; s < seen.size(); ++s) {
    // What was measured is believed up to its noise; the deviation of a component from the factors is its own.
    const auto i = static_cast<Eigen::Index>(seen[s]);
    posterior.mean[i] = values[s];
    posterior.variance[i] = noise_[i];
  }
  return posterior;
}

std::size_t ConditionalGaussian::most_informative(std::span<const std::size_t> seen,
                                                  std::span<const std::uint8_t> allowed) const {
  const Eigen::MatrixXd covariance = factor_covariance(seen);
  const Eigen::MatrixXd spread = loadings_.transpose() * loadings_;
  std::size_t best = static_cast<std::size_t>(size());
  double most = -1.0;
  for (std::size_t c = 0; c < static_cast<std::size_t>(size()); ++c) {
    if (allowed[c] == 0 || std::find(seen.begin(), seen.end(), c) != seen.end()) continue;
    const auto i = static_cast<Eigen::Index>(c);
    const Eigen::VectorXd reach = covariance * loadings_.row(i).transpose();
    // Rank-one update of the factors' covariance: what the total of all components loses.
    const double removed = (reach.transpose() * spread * reach).value() / (noise_[i] + loadings_.row(i).dot(reach));
    if (removed <= most) continue;
    most = removed;
    best = c;
  }
  return best;
}

}  // namespace wattune::learn
