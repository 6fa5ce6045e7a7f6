#include "learn/extra_trees.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wattune::learn {
namespace {

/// Grows one tree after the other into shared arrays.
class Grower {
 public:
  Grower(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets, std::span<const double> importance,
         const ExtraTreesOptions& options, Random& random)
      : inputs_(&inputs), targets_(targets.transpose()), options_(&options), random_(&random) {
    const auto n = static_cast<std::size_t>(inputs.rows());
    importance_.assign(importance.begin(), importance.end());
    importance_.resize(n, 1.0);
    order_.resize(n);
    candidates_.resize(static_cast<std::size_t>(inputs.cols()));
    std::iota(candidates_.begin(), candidates_.end(), std::int32_t{0});
    left_.resize(targets_.rows());
    total_.resize(targets_.rows());
  }

  void grow() {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.emplace_back();
    grow_node(nodes_.size() - 1, 0, order_.size());
  }
  ExtraTrees finish() { return {std::move(nodes_), std::move(roots_), std::move(members_), std::move(importance_)}; }

 private:
  struct Split {
    std::int32_t input = -1;
    double threshold = 0.0;
    double score = -1.0;
  };

  [[nodiscard]] double input(std::uint32_t sample, std::int32_t which) const {
    return (*inputs_)(static_cast<Eigen::Index>(sample), which);
  }

  /// What a split explains, up to a constant of the node: sum over the sides of |sum of targets|² / importance.
  double score(std::size_t begin, std::size_t end, std::int32_t which, double threshold) {
    left_.setZero();
    double left_importance = 0.0;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t sample = order_[i];
      if (input(sample, which) > threshold) continue;
      left_ += importance_[sample] * targets_.col(static_cast<Eigen::Index>(sample));
      left_importance += importance_[sample];
      ++count;
    }
    if (count < options_->min_leaf || end - begin - count < options_->min_leaf) return -1.0;
    return left_.squaredNorm() / left_importance +
           (total_ - left_).squaredNorm() / (total_importance_ - left_importance);
  }

  /// The best of the random splits; none when no input differs or every split leaves a side too small.
  Split choose(std::size_t begin, std::size_t end) {
    total_.setZero();
    total_importance_ = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      total_ += importance_[order_[i]] * targets_.col(static_cast<Eigen::Index>(order_[i]));
      total_importance_ += importance_[order_[i]];
    }
    const auto wanted = static_cast<std::size_t>(
        std::max(1.0, std::round(options_->inputs_share * static_cast<double>(candidates_.size()))));
    Split best;
    std::size_t tried = 0;
    for (std::size_t left = candidates_.size(); left > 0 && tried < wanted; --left) {
      std::swap(candidates_[random_->below(left)], candidates_[left - 1]);  // drawn without putting back
      const std::int32_t which = candidates_[left - 1];
      double low = input(order_[begin], which);
      double high = low;
      for (std::size_t i = begin + 1; i < end; ++i) {
        const double value = input(order_[i], which);
        low = std::min(low, value);
        high = std::max(high, value);
      }
      if (!(high > low)) continue;
      ++tried;
      const double threshold = random_->uniform(low, high);
      const double explained = score(begin, end, which, threshold);
      if (explained > best.score) best = {which, threshold, explained};
    }
    return best;
  }

  void grow_node(std::size_t node, std::size_t begin, std::size_t end) {
    Split split;
    if (end - begin >= 2 * options_->min_leaf) split = choose(begin, end);
    if (split.input < 0) {
      nodes_[node] = {-1, 0.0, static_cast<std::uint32_t>(members_.size()), static_cast<std::uint32_t>(end - begin)};
      members_.insert(members_.end(), order_.begin() + static_cast<std::ptrdiff_t>(begin),
                      order_.begin() + static_cast<std::ptrdiff_t>(end));
      return;
    }
    const auto middle = std::partition(
        order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](std::uint32_t sample) { return input(sample, split.input) <= split.threshold; });
    const auto cut = static_cast<std::size_t>(middle - order_.begin());
    const std::size_t child = nodes_.size();
    nodes_[node] = {split.input, split.threshold, static_cast<std::uint32_t>(child), 0};
    nodes_.resize(child + 2);
    grow_node(child, begin, cut);
    grow_node(child + 1, cut, end);
  }

  const Eigen::MatrixXd* inputs_;
  Eigen::MatrixXd targets_;  // one column a sample, so that a sample's targets lie together
  const ExtraTreesOptions* options_;
  Random* random_;
  std::vector<double> importance_;
  std::vector<std::uint32_t> order_;
  std::vector<std::int32_t> candidates_;
  Eigen::VectorXd left_, total_;
  double total_importance_ = 0.0;
  std::vector<TreeNode> nodes_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> members_;
};

}  // namespace

ExtraTrees ExtraTrees::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                           std::span<const double> importance, const ExtraTreesOptions& options, Random& random) {
  Grower grower(inputs, targets, importance, options, random);
  for (std::size_t tree = 0; tree < std::max<std::size_t>(options.trees, 1); ++tree) grower.grow();
  return grower.finish();
}

ExtraTrees::ExtraTrees(std::vector<TreeNode> nodes, std::vector<std::uint32_t> roots,
                       std::vector<std::uint32_t> members, std::vector<double> importance)
    : nodes_(std::move(nodes)),
      roots_(std::move(roots)),
      members_(std::move(members)),
      importance_(std::move(importance)) {}

void ExtraTrees::weights(std::span<const double> input, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const double share = 1.0 / static_cast<double>(roots_.size());
  for (const std::uint32_t root : roots_) {
    const TreeNode* node = &nodes_[root];
    while (node->input >= 0) {
      const bool right = input[static_cast<std::size_t>(node->input)] > node->threshold;
      node = &nodes_[node->first + (right ? 1U : 0U)];
    }
    const auto members = std::span(members_).subspan(node->first, node->count);
    double total = 0.0;
    for (const std::uint32_t sample : members) total += importance_[sample];
    for (const std::uint32_t sample : members) out[sample] += share * importance_[sample] / total;
  }
}

}  // namespace wattune::learn
