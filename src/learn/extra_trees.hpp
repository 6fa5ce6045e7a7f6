// Extremely randomised trees (Geurts, Ernst and Wehenkel 2006) for several targets at once: at every node a few inputs
// are drawn, each with one random threshold, and the best of these splits is taken.
// Room `learn`: mathematics without domain words. A tree's answer is a mean of training samples, so a forest's is a
// weighted mean of them: weights() gives those weights, which serve any number of targets and say which samples are
// near. Never answers outside the range of the training targets. Same seed, same forest.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wattune/random.hpp"

namespace wattune::learn {

struct ExtraTreesOptions {
  std::size_t trees = 150;
  double inputs_share = 0.5;  ///< of the inputs that are tried at a node; at least one
  std::size_t min_leaf = 2;   ///< samples in a leaf at least
};

/// One node of all trees; children lie side by side.
struct TreeNode {
  std::int32_t input = -1;  ///< -1: a leaf
  double threshold = 0.0;   ///< samples up to it go to the left child
  std::uint32_t first = 0;  ///< left child (the right one is next), or first member of the leaf
  std::uint32_t count = 0;  ///< members of the leaf
};

class ExtraTrees {
 public:
  ExtraTrees() = default;
  /// `inputs`: one row a sample; `targets`: one row a sample, one column a target; `importance`: of each sample in
  /// means and splits, empty for equal ones. At least one sample.
  static ExtraTrees fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                        std::span<const double> importance, const ExtraTreesOptions& options, Random& random);
  /// From stored parts.
  ExtraTrees(std::vector<TreeNode> nodes, std::vector<std::uint32_t> roots, std::vector<std::uint32_t> members,
             std::vector<double> importance);

  [[nodiscard]] std::size_t samples() const { return importance_.size(); }
  /// Writes the weight of every training sample; they sum to 1. Allocates nothing.
  void weights(std::span<const double> input, std::span<double> out) const;

  [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& roots() const { return roots_; }
  [[nodiscard]] const std::vector<std::uint32_t>& members() const { return members_; }
  [[nodiscard]] const std::vector<double>& importance() const { return importance_; }

 private:
  std::vector<TreeNode> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> members_;  ///< samples of all leaves
  std::vector<double> importance_;
};

}  // namespace wattune::learn
