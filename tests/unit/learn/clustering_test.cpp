// K-means against the best of all partitions, the minimiser against known minima, the network on what it must learn.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "learn/k_means.hpp"
#include "learn/lbfgs.hpp"
#include "learn/sigmoid_network.hpp"

namespace wattune::learn {
namespace {

Eigen::MatrixXd scattered(int dimensions, int count, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXd points(dimensions, count);
  for (Eigen::Index i = 0; i < points.size(); ++i) points.data()[i] = random.normal();
  return points;
}

double inertia_of(const Eigen::MatrixXd& points, unsigned partition) {
  double total = 0.0;
  for (unsigned side = 0; side < 2; ++side) {
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(points.rows());
    double count = 0.0;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      if (((partition >> i) & 1U) != side) continue;
      mean += points.col(i);
      count += 1.0;
    }
    if (count == 0.0) return std::numeric_limits<double>::infinity();
    mean /= count;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      if (((partition >> i) & 1U) == side) total += (points.col(i) - mean).squaredNorm();
    }
  }
  return total;
}

TEST(KMeans, FindsTheBestOfAllPartitions) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Eigen::MatrixXd points = scattered(2, 11, seed);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned partition = 0; partition < 1024; ++partition) least = std::min(least, inertia_of(points, partition));
    Random random(seed);
    const KMeans found = k_means(points, {.clusters = 2, .restarts = 20}, random);
    // Restarts make a miss of a two-cluster optimum among 11 points all but impossible.
    EXPECT_NEAR(found.inertia, least, 1e-9) << "seed " << seed;
  }
}

TEST(KMeans, GivesFewerClustersThanAskedForFewerPoints) {
  Eigen::MatrixXd points(1, 4);
  points << 1.0, 1.0, 5.0, 5.0;
  Random random(1);
  const KMeans found = k_means(points, {.clusters = 4}, random);
  EXPECT_EQ(found.centroids.cols(), 2);
  EXPECT_EQ(found.inertia, 0.0);
  EXPECT_EQ(found.assignment[0], found.assignment[1]);
  EXPECT_NE(found.assignment[0], found.assignment[2]);
}

TEST(Lbfgs, ReachesTheMinimumOfRosenbrocksFunction) {
  const auto rosenbrock = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    const double a = x[1] - x[0] * x[0];
    const double b = 1.0 - x[0];
    gradient[0] = -400.0 * a * x[0] - 2.0 * b;
    gradient[1] = 200.0 * a;
    return 100.0 * a * a + b * b;
  };
  const LbfgsResult result = minimise(rosenbrock, Eigen::Vector2d(-1.2, 1.0), {.decrease_tolerance = 0.0});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.point[0], 1.0, 1e-5);
  EXPECT_NEAR(result.point[1], 1.0, 1e-5);
  EXPECT_LT(result.iterations, 100U);
}

TEST(Lbfgs, GetsAlongWithKinks) {
  const auto kinked = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    gradient[0] = x[0] > 3.0 ? 1.0 : -1.0;
    gradient[1] = 2.0 * x[1];
    return std::abs(x[0] - 3.0) + x[1] * x[1];
  };
  const LbfgsResult result = minimise(kinked, Eigen::Vector2d(-4.0, 2.0));
  EXPECT_NEAR(result.point[0], 3.0, 1e-3);
  EXPECT_NEAR(result.point[1], 0.0, 0.05);
}

TEST(SigmoidNetwork, LearnsExclusiveOr) {
  Eigen::MatrixXd inputs(2, 4);
  inputs << -1, -1, 1, 1, -1, 1, -1, 1;
  const std::vector<std::uint32_t> classes = {0, 1, 1, 0};
  Random random(7);
  // Two hidden neurons are the fewest that can; some starts end in a local minimum.
  const SigmoidNetwork network = SigmoidNetwork::fit(inputs, classes, 2, {.decay = 1e-6, .restarts = 20}, random);
  std::vector<double> hidden(network.hidden());
  std::vector<double> out(2);
  for (Eigen::Index i = 0; i < 4; ++i) {
    const std::vector<double> input = {inputs(0, i), inputs(1, i)};
    network.evaluate(input, hidden, out);
    EXPECT_GT(out[classes[static_cast<std::size_t>(i)]], 0.9);
    EXPECT_LT(out[1 - classes[static_cast<std::size_t>(i)]], 0.1);
  }
}

TEST(SigmoidNetwork, IsTheSameWithTheSameSeed) {
  const Eigen::MatrixXd inputs = scattered(5, 30, 3);
  std::vector<std::uint32_t> classes;
  for (Eigen::Index i = 0; i < 30; ++i) classes.push_back(inputs(0, i) > 0.0 ? 1 : inputs(1, i) > 0.0 ? 2 : 0);
  Random one(5);
  Random two(5);
  const SigmoidNetwork a = SigmoidNetwork::fit(inputs, classes, 3, {}, one);
  const SigmoidNetwork b = SigmoidNetwork::fit(inputs, classes, 3, {.cross_entropy = false}, two);
  EXPECT_EQ(a.first(), b.first());
  EXPECT_EQ(a.second(), b.second());
}

}  // namespace
}  // namespace wattune::learn
