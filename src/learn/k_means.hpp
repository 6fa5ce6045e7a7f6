// K-means clustering: Lloyd's iteration from k-means++ starts (Arthur and Vassilvitskii 2007), best of several
// restarts. Room `learn`: mathematics without domain words. Same seed, same clusters.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wattune/random.hpp"

namespace wattune::learn {

struct KMeansOptions {
  std::size_t clusters = 6;  ///< at most as many as there are different points
  std::size_t restarts = 10;
  std::size_t max_iterations = 100;  ///< of one restart
};

struct KMeans {
  Eigen::MatrixXd centroids;              ///< one column a cluster; the mean of its points
  std::vector<std::uint32_t> assignment;  ///< cluster of each point: the nearest centroid, the first of equals
  std::vector<std::size_t> sizes;         ///< points of each cluster, at least 1
  double inertia = 0.0;                   ///< sum of squared distances to the centroids
};

/// `points`: one column a point, at least one. Fewer different points than clusters give fewer clusters.
KMeans k_means(const Eigen::MatrixXd& points, const KMeansOptions& options, Random& random);

}  // namespace wattune::learn
