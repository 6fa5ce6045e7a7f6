// Linear regression of several targets with a penalty on the squared coefficients (Hoerl and Kennard 1970). The penalty
// is the one of a list with the least generalised cross-validation error (Golub, Heath and Wahba 1979).
// Room `learn`: mathematics without domain words.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace wattune::learn {

struct RidgeRegression {
  Eigen::MatrixXd coefficients;  ///< inputs x targets
  Eigen::RowVectorXd offset;     ///< one a target
  double penalty = 0.0;          ///< in units of samples: 1 weighs like one sample of standardised inputs

  [[nodiscard]] Eigen::RowVectorXd predict(const Eigen::RowVectorXd& input) const {
    return offset + input * coefficients;
  }
};

/// `inputs` (one row a sample) should be standardised. `importance`: of each sample, empty for equal ones. `penalties`:
/// at least one.
RidgeRegression fit_ridge(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                          std::span<const double> importance, std::span<const double> penalties);

}  // namespace wattune::learn
