// Trees, ridge regression and the conditional distribution against closed forms and brute force.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "learn/conditional_gaussian.hpp"
#include "learn/extra_trees.hpp"
#include "learn/ridge_regression.hpp"

namespace wattune::learn {
namespace {

Eigen::MatrixXd scattered(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd x(rows, columns);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x;
}

std::vector<double> row_of(const Eigen::MatrixXd& x, Eigen::Index row) {
  std::vector<double> values;
  for (Eigen::Index j = 0; j < x.cols(); ++j) values.push_back(x(row, j));
  return values;
}

TEST(ExtraTrees, WeightsAreAMeanOfTrainingSamples) {
  const Eigen::MatrixXd x = scattered(40, 6, 1);
  const Eigen::MatrixXd y = x.leftCols(2).array().sin().matrix();
  Random random(2);
  const ExtraTrees forest = ExtraTrees::fit(x, y, {}, {}, random);
  std::vector<double> weights(40);
  for (Eigen::Index i = 0; i < 40; ++i) {
    forest.weights(row_of(x, i), weights);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
    EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 0.0);
    // A sample is in its own leaf of every tree, and leaves of two are the rule.
    EXPECT_EQ(std::max_element(weights.begin(), weights.end()) - weights.begin(), i);
  }
}

TEST(ExtraTrees, LeavesOfOneReproduceTheSamples) {
  const Eigen::MatrixXd x = scattered(25, 3, 4);
  Random random(5);
  const ExtraTrees forest = ExtraTrees::fit(x, x, {}, {.trees = 5, .min_leaf = 1}, random);
  std::vector<double> weights(25);
  forest.weights(row_of(x, 7), weights);
  EXPECT_NEAR(weights[7], 1.0, 1e-12);
}

TEST(ExtraTrees, FindsTheInputThatMatters) {
  const Eigen::MatrixXd x = scattered(200, 10, 6);
  Eigen::MatrixXd y(200, 1);
  for (Eigen::Index i = 0; i < 200; ++i) y(i, 0) = x(i, 3) > 0.2 ? 1.0 : 0.0;
  Random random(7);
  const ExtraTrees forest = ExtraTrees::fit(x, y, {}, {}, random);
  const Eigen::MatrixXd unseen = scattered(200, 10, 8);
  std::vector<double> weights(200);
  int right = 0;
  for (Eigen::Index i = 0; i < 200; ++i) {
    forest.weights(row_of(unseen, i), weights);
    const double predicted = Eigen::Map<const Eigen::VectorXd>(weights.data(), 200).dot(y.col(0));
    right += (predicted > 0.5) == (unseen(i, 3) > 0.2) ? 1 : 0;
  }
  EXPECT_GE(right, 185);  // those near the threshold may fall to either side
}

TEST(Ridge, IsTheClosedForm) {
  const Eigen::MatrixXd x = scattered(30, 4, 9);
  const Eigen::MatrixXd y = scattered(30, 2, 10);
  const std::vector<double> penalties = {3.0};
  const RidgeRegression fit = fit_ridge(x, y, {}, penalties);
  const Eigen::MatrixXd centred = x.rowwise() - x.colwise().mean();
  const Eigen::MatrixXd truth = (centred.transpose() * centred + 3.0 * Eigen::MatrixXd::Identity(4, 4))
                                    .ldlt()
                                    .solve(centred.transpose() * (y.rowwise() - y.colwise().mean()));
  EXPECT_LT((fit.coefficients - truth).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((fit.predict(x.colwise().mean()) - y.colwise().mean()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Ridge, ChoosesAStrongPenaltyForNoiseAndAWeakOneForALaw) {
  const Eigen::MatrixXd x = scattered(40, 20, 11);
  const std::vector<double> penalties = {0.01, 1.0, 100.0, 10000.0};
  EXPECT_GE(fit_ridge(x, scattered(40, 3, 12), {}, penalties).penalty, 100.0);
  EXPECT_EQ(fit_ridge(x, x.leftCols(3) * 2.0, {}, penalties).penalty, 0.01);
}

TEST(ConditionalGaussian, IsTheTextbooksConditional) {
  const Eigen::MatrixXd deviations = scattered(60, 3, 13) * scattered(3, 8, 14) + 0.1 * scattered(60, 8, 15);
  const ConditionalGaussian gaussian(deviations, {}, {.rank = 3});
  const Eigen::MatrixXd covariance =
      gaussian.loadings() * gaussian.loadings().transpose() + Eigen::MatrixXd(gaussian.noise().asDiagonal());
  const std::vector<std::size_t> seen = {2, 5};
  const std::vector<double> values = {0.7, -0.4};
  const auto posterior = gaussian.given(seen, values);
  const std::vector<int> at = {2, 5};
  const Eigen::MatrixXd known = covariance(at, at);
  const Eigen::MatrixXd link = covariance(Eigen::all, at);
  const Eigen::VectorXd mean = link * known.ldlt().solve(Eigen::Vector2d(0.7, -0.4));
  const Eigen::MatrixXd left = covariance - link * known.ldlt().solve(link.transpose());
  for (Eigen::Index i = 0; i < 8; ++i) {
    if (i == 2 || i == 5) continue;
    EXPECT_NEAR(posterior.mean[i], mean[i], 1e-9);
    EXPECT_NEAR(posterior.variance[i], left(i, i), 1e-9);
  }
  EXPECT_EQ(posterior.mean[2], 0.7);
}

TEST(ConditionalGaussian, AsksForWhatLeavesLeast) {
  const Eigen::MatrixXd deviations = scattered(50, 2, 16) * scattered(2, 7, 17) + 0.2 * scattered(50, 7, 18);
  const ConditionalGaussian gaussian(deviations, {}, {.rank = 2});
  const std::vector<std::uint8_t> allowed = {1, 1, 1, 0, 1, 1, 1};
  const std::vector<std::size_t> seen = {4};
  const std::size_t chosen = gaussian.most_informative(seen, allowed);
  // Brute force over what the factors leave in all components.
  std::size_t best = 0;
  double least = 1e300;
  for (std::size_t c = 0; c < 7; ++c) {
    if (allowed[c] == 0 || c == 4) continue;
    const std::vector<std::size_t> both = {4, c};
    const auto posterior = gaussian.given(both, std::vector<double>{0.0, 0.0});
    // A seen component keeps only its noise in the answer; the criterion counts what its factors leave as well.
    Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(2, 2);
    for (const std::size_t s : both) {
      const auto row = gaussian.loadings().row(static_cast<Eigen::Index>(s));
      precision += row.transpose() * row / gaussian.noise()[static_cast<Eigen::Index>(s)];
    }
    const double total = (gaussian.loadings() * precision.inverse()).cwiseProduct(gaussian.loadings()).sum();
    EXPECT_GT(posterior.variance.minCoeff(), 0.0);
    if (total < least) {
      least = total;
      best = c;
    }
  }
  EXPECT_EQ(chosen, best);
}

}  // namespace
}  // namespace wattune::learn
