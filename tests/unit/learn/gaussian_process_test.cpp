// The incremental posterior against the textbook's closed form, and the gradient against differences.
#include "learn/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "wattune/random.hpp"

namespace wattune::learn {
namespace {

Eigen::MatrixXf scattered(int rows, int columns, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXf x(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int d = 0; d < columns; ++d) x(i, d) = static_cast<float>(random.uniform());
  }
  return x;
}

double wave(const Eigen::MatrixXf& x, std::size_t i) {
  const auto row = static_cast<Eigen::Index>(i);
  return std::sin(4.0 * x(row, 0)) + 0.5 * x(row, 1);
}

double matern(const Eigen::MatrixXf& x, std::size_t a, std::size_t b, const GaussianHyper& hyper) {
  double r2 = 0.0;
  for (Eigen::Index d = 0; d < x.cols(); ++d) {
    const double difference =
        static_cast<double>(x(static_cast<Eigen::Index>(a), d)) - x(static_cast<Eigen::Index>(b), d);
    r2 += std::pow(difference / std::exp(hyper.log_length[d]), 2);
  }
  const double s = std::sqrt(5.0 * r2);
  return std::exp(2.0 * hyper.log_signal) * (1.0 + s + s * s / 3.0) * std::exp(-s);
}

/// Mean and variance at candidate j by equations 2.25 and 2.26 of Rasmussen and Williams.
std::pair<double, double> closed_form(const Eigen::MatrixXf& x, const std::vector<std::size_t>& seen,
                                      const GaussianProcess& process, std::size_t j) {
  const auto n = static_cast<Eigen::Index>(seen.size());
  Eigen::MatrixXd k(n, n);
  Eigen::VectorXd y(n);
  Eigen::VectorXd link(n);
  for (Eigen::Index a = 0; a < n; ++a) {
    const std::size_t at = seen[static_cast<std::size_t>(a)];
    for (Eigen::Index b = 0; b < n; ++b) k(a, b) = matern(x, at, seen[static_cast<std::size_t>(b)], process.hyper());
    k(a, a) += std::exp(2.0 * process.hyper().log_noise);
    y[a] = process.standardised(wave(x, at));
    link[a] = matern(x, at, j, process.hyper());
  }
  const Eigen::VectorXd weights = k.ldlt().solve(link);
  return {weights.dot(y), matern(x, j, j, process.hyper()) - weights.dot(link)};
}

void expect_closed_form(const Eigen::MatrixXf& x, const std::vector<std::size_t>& seen,
                        const GaussianProcess& process) {
  for (std::size_t j = 0; j < process.candidates(); j += 7) {
    const auto [mean, variance] = closed_form(x, seen, process, j);
    // Rows are kept in single precision: 1e-3 of the standardised unit is far below what a search could notice.
    EXPECT_NEAR(process.mean()[static_cast<Eigen::Index>(j)], mean, 1e-3);
    EXPECT_NEAR(process.variance()[static_cast<Eigen::Index>(j)], variance, 1e-3);
  }
}

TEST(GaussianProcess, IncrementalPosteriorIsTheClosedForm) {
  const Eigen::MatrixXf x = scattered(120, 3, 1);
  GaussianProcess process(x, {});
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < 20; ++i) {
    seen.push_back(3 * i);
    process.observe(3 * i, wave(x, 3 * i));
  }
  expect_closed_form(x, seen, process);
  process.refit(20);
  expect_closed_form(x, seen, process);
  for (std::size_t i = 20; i < 35; ++i) {
    seen.push_back(3 * i);
    process.observe(3 * i, wave(x, 3 * i));
  }
  expect_closed_form(x, seen, process);
}

TEST(GaussianProcess, ForgettingTakesObservationsBack) {
  const Eigen::MatrixXf x = scattered(60, 2, 2);
  GaussianProcess process(x, {});
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < 10; ++i) {
    seen.push_back(i);
    process.observe(i, wave(x, i));
  }
  for (std::size_t i = 20; i < 28; ++i) process.observe(i, 9.0);
  process.forget_last(8);
  EXPECT_EQ(process.observations(), 10U);
  expect_closed_form(x, seen, process);
}

TEST(GaussianProcess, KeepLeavesTheChosen) {
  const Eigen::MatrixXf x = scattered(60, 2, 3);
  GaussianProcess process(x, {});
  process.set_standardise(false);
  for (std::size_t i = 0; i < 12; ++i) process.observe(i, wave(x, i));
  process.keep({0, 5, 11});
  expect_closed_form(x, {0, 5, 11}, process);
}

TEST(GaussianProcess, GradientAgreesWithDifferences) {
  const Eigen::MatrixXf x = scattered(25, 3, 4);
  GaussianProcess process(x, {0.2, 0.8, 0.1, 0.5, -2.0, 0.7});
  for (std::size_t i = 0; i < 25; ++i) process.observe(i, wave(x, i));
  GaussianHyper at = process.hyper();
  at.log_length << -0.5, 0.3, 0.9;
  at.log_signal = 0.2;
  at.log_noise = -1.5;
  GaussianHyper gradient;
  ASSERT_GT(process.log_posterior(at, &gradient), -1e9);
  constexpr double step = 1e-5;
  const auto slope = [&](auto&& change) {
    GaussianHyper up = at;
    GaussianHyper down = at;
    change(up) += step;
    change(down) -= step;
    return (process.log_posterior(up) - process.log_posterior(down)) / (2.0 * step);
  };
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(gradient.log_length[d], slope([d](GaussianHyper& h) -> double& { return h.log_length[d]; }), 1e-4);
  }
  EXPECT_NEAR(gradient.log_signal, slope([](GaussianHyper& h) -> double& { return h.log_signal; }), 1e-4);
  EXPECT_NEAR(gradient.log_noise, slope([](GaussianHyper& h) -> double& { return h.log_noise; }), 1e-4);
}

TEST(GaussianProcess, FitFindsTheIdleCoordinate) {
  const Eigen::MatrixXf x = scattered(80, 3, 5);
  GaussianProcess process(x, {});
  for (std::size_t i = 0; i < 60; ++i) process.observe(i, wave(x, i));  // the third coordinate plays no part
  const double before = process.log_posterior(process.hyper());
  process.refit(60);
  EXPECT_GT(process.log_posterior(process.hyper()), before);
  EXPECT_GT(process.hyper().log_length[2], process.hyper().log_length[0] + 1.0);
}

}  // namespace
}  // namespace wattune::learn
