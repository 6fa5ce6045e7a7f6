#include "learn/sigmoid_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattune::learn {
namespace {

template <class Derived>
auto sigmoid(const Eigen::ArrayBase<Derived>& x) {
  return 1.0 / (1.0 + (-x).exp());
}

/// Loss and gradient of all weights as one vector: first layer column after column, then the second.
class Loss {
 public:
  Loss(const Eigen::MatrixXd& inputs, std::span<const std::uint32_t> classes, Eigen::Index hidden, Eigen::Index outputs,
       const SigmoidNetworkOptions& options)
      : options_(&options), hidden_(hidden), outputs_(outputs) {
    inputs_.resize(inputs.rows() + 1, inputs.cols());
    inputs_ << inputs, Eigen::RowVectorXd::Ones(inputs.cols());
    targets_ = Eigen::MatrixXd::Zero(outputs, inputs.cols());
    for (Eigen::Index i = 0; i < inputs.cols(); ++i) targets_(classes[static_cast<std::size_t>(i)], i) = 1.0;
    middle_ = Eigen::MatrixXd::Ones(hidden + 1, inputs.cols());
  }

  [[nodiscard]] Eigen::Index first_size() const { return hidden_ * inputs_.rows(); }
  [[nodiscard]] Eigen::Index size() const { return first_size() + outputs_ * (hidden_ + 1); }
  [[nodiscard]] Eigen::Index input_rows() const { return inputs_.rows(); }

  double operator()(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) {
    const Eigen::Map<const Eigen::MatrixXd> first(weights.data(), hidden_, inputs_.rows());
    const Eigen::Map<const Eigen::MatrixXd> second(weights.data() + first_size(), outputs_, hidden_ + 1);
    const double share = 1.0 / static_cast<double>(inputs_.cols());
    sums_.noalias() = first * inputs_;
    middle_.topRows(hidden_) = sigmoid(sums_.array()).matrix();
    sums_.noalias() = second * middle_;
    out_ = sigmoid(sums_.array()).matrix();
    delta_ = out_ - targets_;
    double loss = 0.0;
    if (options_->cross_entropy) {
      const auto clamped = out_.array().max(1e-12).min(1.0 - 1e-12);
      loss = -share * (targets_.array() * clamped.log() + (1.0 - targets_.array()) * (1.0 - clamped).log()).sum();
      delta_ *= share;
    } else {
      loss = share * delta_.squaredNorm();
      delta_ = (2.0 * share * delta_.array() * out_.array() * (1.0 - out_.array())).matrix();
    }
    Eigen::Map<Eigen::MatrixXd> first_gradient(gradient.data(), hidden_, inputs_.rows());
    Eigen::Map<Eigen::MatrixXd> second_gradient(gradient.data() + first_size(), outputs_, hidden_ + 1);
    second_gradient.noalias() = delta_ * middle_.transpose();
    const auto active = middle_.topRows(hidden_).array();
    back_.noalias() = second.leftCols(hidden_).transpose() * delta_;
    back_ = (back_.array() * active * (1.0 - active)).matrix();
    first_gradient.noalias() = back_ * inputs_.transpose();
    const auto decayed = [&](const auto& layer, auto& slope) {
      const Eigen::Index columns = layer.cols() - 1;
      slope.leftCols(columns) += 2.0 * options_->decay * layer.leftCols(columns);
      return options_->decay * layer.leftCols(columns).squaredNorm();
    };
    loss += decayed(first, first_gradient) + decayed(second, second_gradient);
    return loss;
  }

 private:
  const SigmoidNetworkOptions* options_;
  Eigen::Index hidden_, outputs_;
  Eigen::MatrixXd inputs_, targets_, middle_, sums_, out_, delta_, back_;
};

/// Uniform in +-sqrt(6 / (inputs + outputs)) of each layer (Glorot and Bengio 2010), times 4 for sigmoids.
Eigen::VectorXd random_weights(const Loss& loss, Eigen::Index hidden, Eigen::Index outputs, Random& random) {
  Eigen::VectorXd weights(loss.size());
  const double first = 4.0 * std::sqrt(6.0 / static_cast<double>(loss.input_rows() + hidden));
  const double second = 4.0 * std::sqrt(6.0 / static_cast<double>(hidden + outputs));
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    const double bound = i < loss.first_size() ? first : second;
    weights[i] = random.uniform(-bound, bound);
  }
  return weights;
}

}  // namespace

SigmoidNetwork SigmoidNetwork::fit(const Eigen::MatrixXd& inputs, std::span<const std::uint32_t> classes,
                                   std::size_t outputs, const SigmoidNetworkOptions& options, Random& random) {
  const auto out = static_cast<Eigen::Index>(outputs);
  const Eigen::Index hidden = options.hidden == 0 ? out : static_cast<Eigen::Index>(options.hidden);
  Loss loss(inputs, classes, hidden, out, options);
  LbfgsResult best;
  best.value = std::numeric_limits<double>::infinity();
  for (std::size_t start = 0; start < std::max<std::size_t>(options.restarts, 1); ++start) {
    LbfgsResult result =
        minimise([&](const Eigen::VectorXd& point, Eigen::VectorXd& gradient) { return loss(point, gradient); },
                 random_weights(loss, hidden, out, random), options.search);
    if (result.value < best.value) best = std::move(result);
  }
  SigmoidNetwork network;
  network.first_ = Eigen::Map<const Eigen::MatrixXd>(best.point.data(), hidden, inputs.rows() + 1);
  network.second_ = Eigen::Map<const Eigen::MatrixXd>(best.point.data() + loss.first_size(), out, hidden + 1);
  network.loss_ = best.value;
  return network;
}

void SigmoidNetwork::evaluate(std::span<const double> input, std::span<double> scratch, std::span<double> out) const {
  const auto layer = [](const Eigen::MatrixXd& weights, std::span<const double> in, std::span<double> result) {
    const Eigen::Map<const Eigen::VectorXd> x(in.data(), weights.cols() - 1);
    Eigen::Map<Eigen::VectorXd> y(result.data(), weights.rows());
    y = weights.col(weights.cols() - 1);
    for (Eigen::Index j = 0; j < x.size(); ++j) y += weights.col(j) * x[j];
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = 1.0 / (1.0 + std::exp(-y[i]));
  };
  layer(first_, input, scratch);
  layer(second_, scratch.first(hidden()), out);
}

}  // namespace wattune::learn
