#include "learn/k_means.hpp"

#include <algorithm>
#include <limits>

namespace wattune::learn {
namespace {

/// Centroids spread over the points: each next one is a point drawn in proportion to its squared distance from those
/// there are. Ends early when every point is a centroid.
Eigen::MatrixXd spread(const Eigen::MatrixXd& points, std::size_t clusters, Random& random) {
  const Eigen::Index n = points.cols();
  Eigen::MatrixXd centroids(points.rows(), static_cast<Eigen::Index>(clusters));
  centroids.col(0) = points.col(static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(n))));
  Eigen::VectorXd distance = (points.colwise() - centroids.col(0)).colwise().squaredNorm();
  for (Eigen::Index k = 1; k < centroids.cols(); ++k) {
    const double total = distance.sum();
    if (total <= 0.0) return centroids.leftCols(k);
    double left = random.uniform() * total;
    Eigen::Index chosen = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (distance[i] <= 0.0) continue;
      chosen = i;
      left -= distance[i];
      if (left < 0.0) break;
    }
    centroids.col(k) = points.col(chosen);
    distance = distance.cwiseMin((points.colwise() - centroids.col(k)).colwise().squaredNorm().transpose());
  }
  return centroids;
}

/// Nearest centroid of every point; true when any changed.
bool assign(const Eigen::MatrixXd& points, KMeans& state, Eigen::VectorXd& distance) {
  bool changed = false;
  state.inertia = 0.0;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    Eigen::Index nearest = 0;
    distance[i] = (state.centroids.colwise() - points.col(i)).colwise().squaredNorm().minCoeff(&nearest);
    state.inertia += distance[i];
    std::uint32_t& mine = state.assignment[static_cast<std::size_t>(i)];
    changed = changed || mine != static_cast<std::uint32_t>(nearest);
    mine = static_cast<std::uint32_t>(nearest);
  }
  return changed;
}

/// Centroids become means; one that has lost all its points moves to the point that is farthest from its own.
void recentre(const Eigen::MatrixXd& points, KMeans& state, Eigen::VectorXd& distance) {
  state.sizes.assign(static_cast<std::size_t>(state.centroids.cols()), 0);
  for (const std::uint32_t cluster : state.assignment) ++state.sizes[cluster];
  for (std::size_t k = 0; k < state.sizes.size(); ++k) {
    if (state.sizes[k] > 0) continue;
    Eigen::Index farthest = 0;
    distance.maxCoeff(&farthest);
    std::uint32_t& mine = state.assignment[static_cast<std::size_t>(farthest)];
    if (state.sizes[mine] < 2) continue;
    --state.sizes[mine];
    mine = static_cast<std::uint32_t>(k);
    state.sizes[k] = 1;
    distance[farthest] = 0.0;
  }
  state.centroids.setZero();
  for (Eigen::Index i = 0; i < points.cols(); ++i)
    state.centroids.col(state.assignment[static_cast<std::size_t>(i)]) += points.col(i);
  for (std::size_t k = 0; k < state.sizes.size(); ++k)
    state.centroids.col(static_cast<Eigen::Index>(k)) /= static_cast<double>(std::max<std::size_t>(state.sizes[k], 1));
}

KMeans one_start(const Eigen::MatrixXd& points, const KMeansOptions& options, Random& random) {
  KMeans state;
  const std::size_t n = static_cast<std::size_t>(points.cols());
  state.centroids = spread(points, std::min(options.clusters, n), random);
  state.assignment.assign(n, std::numeric_limits<std::uint32_t>::max());
  Eigen::VectorXd distance(points.cols());
  for (std::size_t iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (!assign(points, state, distance)) break;
    recentre(points, state, distance);
  }
  assign(points, state, distance);
  return state;
}

}  // namespace

KMeans k_means(const Eigen::MatrixXd& points, const KMeansOptions& options, Random& random) {
  KMeans best;
  best.inertia = std::numeric_limits<double>::infinity();
  for (std::size_t start = 0; start < std::max<std::size_t>(options.restarts, 1); ++start) {
    KMeans state = one_start(points, options, random);
    if (state.inertia < best.inertia) best = std::move(state);
  }
  best.sizes.assign(static_cast<std::size_t>(best.centroids.cols()), 0);
  for (const std::uint32_t cluster : best.assignment) ++best.sizes[cluster];
  return best;
}

}  // namespace wattune::learn
