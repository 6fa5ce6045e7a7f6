#include "learn/ridge_regression.hpp"

#include <Eigen/SVD>
#include <cmath>
#include <limits>

namespace wattune::learn {

RidgeRegression fit_ridge(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                          std::span<const double> importance, std::span<const double> penalties) {
  const Eigen::Index n = inputs.rows();
  Eigen::VectorXd share = Eigen::VectorXd::Ones(n);
  for (std::size_t i = 0; i < importance.size(); ++i) share[static_cast<Eigen::Index>(i)] = importance[i];
  share *= static_cast<double>(n) / share.sum();
  const double total = static_cast<double>(n);
  const Eigen::RowVectorXd input_mean = share.transpose() * inputs / total;
  const Eigen::RowVectorXd target_mean = share.transpose() * targets / total;
  const Eigen::VectorXd root = share.cwiseSqrt();
  const Eigen::MatrixXd x = root.asDiagonal() * (inputs.rowwise() - input_mean);
  const Eigen::MatrixXd y = root.asDiagonal() * (targets.rowwise() - target_mean);

  const Eigen::BDCSVD<Eigen::MatrixXd> svd(x, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::ArrayXd squares = svd.singularValues().array().square();
  const Eigen::MatrixXd projected = svd.matrixU().transpose() * y;
  const double outside = y.squaredNorm() - projected.squaredNorm();

  RidgeRegression best;
  double least = std::numeric_limits<double>::infinity();
  Eigen::ArrayXd best_shrink;
  for (const double penalty : penalties) {
    const Eigen::ArrayXd kept = squares / (squares + penalty + 1e-12);
    const double residual = outside + ((1.0 - kept).matrix().asDiagonal() * projected).squaredNorm();
    const double freedom = total - 1.0 - kept.sum();
    const double error = freedom > 0.0 ? residual / (freedom * freedom) : std::numeric_limits<double>::max();
    if (error >= least) continue;
    least = error;
    best.penalty = penalty;
    best_shrink = svd.singularValues().array() / (squares + penalty + 1e-12);
  }
  best.coefficients = svd.matrixV() * (best_shrink.matrix().asDiagonal() * projected);
  best.offset = target_mean - input_mean * best.coefficients;
  return best;
}

}  // namespace wattune::learn
