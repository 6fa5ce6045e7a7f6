#include "learn/gaussian_process.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace wattune::learn {
namespace {

constexpr double root5 = 2.23606797749978969641;
constexpr double jitter = 1e-8;
constexpr double noise_floor = 1e-5;  // of the variance of targets: what single precision of the rows can carry

/// Hyperparameters as one vector: lengths, signal, noise.
Eigen::VectorXd packed(const GaussianHyper& hyper) {
  Eigen::VectorXd v(hyper.log_length.size() + 2);
  v << hyper.log_length, hyper.log_signal, hyper.log_noise;
  return v;
}

GaussianHyper unpacked(const Eigen::VectorXd& v) {
  GaussianHyper hyper;
  hyper.log_length = v.head(v.size() - 2);
  hyper.log_signal = v[v.size() - 2];
  hyper.log_noise = v[v.size() - 1];
  return hyper;
}

/// Adds the logarithm of a normal density (without constant) and its derivative.
double add_prior(double value, double mean, double deviation, double* derivative) {
  const double z = (value - mean) / deviation;
  if (derivative != nullptr) *derivative -= z / deviation;
  return -0.5 * z * z;
}

}  // namespace

GaussianProcess::GaussianProcess(Eigen::MatrixXf candidates, const GaussianPrior& prior)
    : coordinates_(std::move(candidates)), prior_(prior) {
  hyper_.log_length = Eigen::VectorXd::Constant(coordinates_.cols(), prior.length_mean);
  hyper_.log_signal = prior.signal_mean;
  hyper_.log_noise = prior.noise_mean;
  reset_posterior();
}

void GaussianProcess::reset_posterior() {
  const float signal = static_cast<float>(std::exp(2.0 * hyper_.log_signal));
  mean_ = Eigen::VectorXf::Zero(coordinates_.rows());
  variance_ = Eigen::VectorXf::Constant(coordinates_.rows(), signal);
}

void GaussianProcess::kernel_row(std::size_t index, Eigen::Ref<Eigen::VectorXf> out) const {
  const auto row = static_cast<Eigen::Index>(index);
  out.setZero();
  for (Eigen::Index d = 0; d < coordinates_.cols(); ++d) {
    const float weight = static_cast<float>(root5 * std::exp(-hyper_.log_length[d]));
    out.array() += (weight * (coordinates_.col(d).array() - coordinates_(row, d))).square();
  }
  const float signal = static_cast<float>(std::exp(2.0 * hyper_.log_signal));
  out = out.cwiseSqrt();
  out = (signal * (1.0F + out.array() + out.array().square() * (1.0F / 3.0F)) * (-out.array()).exp()).matrix();
}

void GaussianProcess::reserve(Eigen::Index observations) {
  if (factor_.rows() >= observations) return;
  const Eigen::Index capacity = std::max<Eigen::Index>(32, 2 * observations);
  factor_.conservativeResize(capacity, capacity);
  whitened_.conservativeResize(capacity);
  rows_.conservativeResize(coordinates_.rows(), capacity);
}

void GaussianProcess::append_row(std::size_t position) {
  const auto n = static_cast<Eigen::Index>(position);
  reserve(n + 1);
  auto row = rows_.col(n);
  kernel_row(points_[position], row);
  // The new row of L: the known rows of V hold L^-1 k(X, x) at every candidate, so also at the observed one.
  const auto own = static_cast<Eigen::Index>(points_[position]);
  const Eigen::VectorXf links = rows_.row(own).head(n).transpose();
  const double noise = std::max(std::exp(2.0 * hyper_.log_noise), noise_floor) + jitter;
  const double signal = std::exp(2.0 * hyper_.log_signal);
  const double pivot2 = signal + noise - links.cast<double>().squaredNorm();
  const double pivot = std::sqrt(std::max(pivot2, 0.5 * noise));
  factor_.row(n).head(n) = links.cast<double>().transpose();
  factor_(n, n) = pivot;
  row.noalias() -= rows_.leftCols(n) * links;
  row *= static_cast<float>(1.0 / pivot);
  const double target = standardised(targets_[position]);
  whitened_[n] = (target - links.cast<double>().dot(whitened_.head(n))) / pivot;
  mean_ += static_cast<float>(whitened_[n]) * row;
  variance_.array() -= row.array().square();
}

void GaussianProcess::observe(std::size_t index, double target) {
  points_.push_back(index);
  targets_.push_back(target);
  append_row(points_.size() - 1);
}

void GaussianProcess::forget_last(std::size_t count) {
  for (; count > 0; --count) {
    const auto n = static_cast<Eigen::Index>(points_.size()) - 1;
    mean_ -= static_cast<float>(whitened_[n]) * rows_.col(n);
    variance_.array() += rows_.col(n).array().square();
    points_.pop_back();
    targets_.pop_back();
  }
}

void GaussianProcess::keep(const std::vector<std::size_t>& positions) {
  std::vector<std::size_t> points;
  std::vector<double> targets;
  for (const std::size_t position : positions) {
    points.push_back(points_[position]);
    targets.push_back(targets_[position]);
  }
  points_ = std::move(points);
  targets_ = std::move(targets);
  refit(0);
}

GaussianProcess::Pairs GaussianProcess::pairs_of(std::size_t limit) const {
  std::vector<std::size_t> chosen(std::min(limit, points_.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (i + 1) * points_.size() / chosen.size() - 1;
  Pairs pairs;
  pairs.count = static_cast<Eigen::Index>(chosen.size());
  const Eigen::Index n = pairs.count;
  Eigen::MatrixXd x(n, coordinates_.cols());
  pairs.targets.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t position = chosen[static_cast<std::size_t>(i)];
    x.row(i) = coordinates_.row(static_cast<Eigen::Index>(points_[position])).cast<double>();
    pairs.targets[i] = standardised(targets_[position]);
  }
  pairs.squares.resize(n * (n - 1) / 2, coordinates_.cols());
  for (Eigen::Index d = 0; d < x.cols(); ++d) {
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j + 1 < n; ++j) {
      const Eigen::Index length = n - 1 - j;
      pairs.squares.col(d).segment(at, length) = (x.col(d).tail(length).array() - x(j, d)).square().matrix();
      at += length;
    }
  }
  return pairs;
}

double GaussianProcess::log_posterior(const GaussianHyper& hyper, GaussianHyper* gradient) const {
  return log_posterior(pairs_of(points_.size()), hyper, gradient);
}

double GaussianProcess::log_posterior(const Pairs& pairs, const GaussianHyper& hyper, GaussianHyper* gradient) const {
  const Eigen::Index n = pairs.count;
  const Eigen::Index dimensions = coordinates_.cols();
  const double signal2 = std::exp(2.0 * hyper.log_signal);
  const double noise2 = std::exp(2.0 * hyper.log_noise);
  const Eigen::VectorXd weight = (-2.0 * hyper.log_length.array()).exp();

  const Eigen::ArrayXd s = root5 * (pairs.squares * weight).array().sqrt();
  const Eigen::ArrayXd decay = signal2 * (-s).exp();
  const Eigen::ArrayXd value_of_pair = (1.0 + s + s.square() / 3.0) * decay;
  Eigen::MatrixXd k(n, n);
  Eigen::Index at = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    k(j, j) = signal2 + noise2 + jitter;
    k.col(j).tail(n - 1 - j) = value_of_pair.segment(at, n - 1 - j).matrix();
    at += n - 1 - j;
  }
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(k);
  if (factor.info() != Eigen::Success) return -1e300;
  const Eigen::VectorXd alpha = factor.solve(pairs.targets);
  double value = -0.5 * pairs.targets.dot(alpha) - factor.matrixLLT().diagonal().array().log().sum();

  Eigen::VectorXd slope = Eigen::VectorXd::Zero(dimensions + 2);
  if (gradient != nullptr) {
    // d value / d theta = 1/2 tr((alpha alpha' - K^-1) dK/dtheta); symmetric, so one triangle without the half.
    Eigen::MatrixXd q = -factor.solve(Eigen::MatrixXd::Identity(n, n));
    q.noalias() += alpha * alpha.transpose();
    Eigen::ArrayXd q_of_pair(value_of_pair.size());
    at = 0;
    for (Eigen::Index j = 0; j + 1 < n; ++j) {
      q_of_pair.segment(at, n - 1 - j) = q.col(j).tail(n - 1 - j).array();
      at += n - 1 - j;
    }
    // dK/dlog l_d = signal^2 5/3 (1 + s) exp(-s) w_d (x_d - x'_d)^2
    const Eigen::VectorXd common = (q_of_pair * (5.0 / 3.0) * (1.0 + s) * decay).matrix();
    slope.head(dimensions) = weight.cwiseProduct(pairs.squares.transpose() * common);
    slope[dimensions] = 2.0 * (q_of_pair * value_of_pair).sum() + signal2 * q.trace();
    slope[dimensions + 1] = noise2 * q.trace();
  }
  for (Eigen::Index d = 0; d < dimensions; ++d) {
    value += add_prior(hyper.log_length[d], prior_.length_mean, prior_.length_deviation, &slope[d]);
  }
  value += add_prior(hyper.log_signal, prior_.signal_mean, prior_.signal_deviation, &slope[dimensions]);
  value += add_prior(hyper.log_noise, prior_.noise_mean, prior_.noise_deviation, &slope[dimensions + 1]);
  if (gradient != nullptr) *gradient = unpacked(slope);
  return value;
}

/// iRprop- (Igel and Huesken 2003), which Blum and Riedmiller 2013 found the most reliable for Gaussian processes.
void GaussianProcess::improve(std::size_t steps) {
  Eigen::VectorXd at = packed(hyper_);
  Eigen::VectorXd best = at;
  Eigen::VectorXd step = Eigen::VectorXd::Constant(at.size(), 0.2);
  Eigen::VectorXd before = Eigen::VectorXd::Zero(at.size());
  GaussianHyper gradient;
  const Pairs pairs = pairs_of(fit_limit);
  double best_value = -1e301;
  for (std::size_t k = 0; k < steps; ++k) {
    const double value = log_posterior(pairs, unpacked(at), &gradient);
    if (value <= -1e299) break;
    Eigen::VectorXd slope = packed(gradient);
    if (value > best_value) {
      best_value = value;
      best = at;
    }
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const double agreement = slope[i] * before[i];
      if (agreement > 0.0) step[i] = std::min(step[i] * 1.2, 1.0);
      if (agreement < 0.0) {
        step[i] = std::max(step[i] * 0.5, 1e-4);
        slope[i] = 0.0;
      }
      if (slope[i] != 0.0) at[i] += slope[i] > 0.0 ? step[i] : -step[i];
      at[i] = std::clamp(at[i], -8.0, 8.0);
    }
    before = slope;
    if (step.maxCoeff() < 2e-3) break;
  }
  hyper_ = unpacked(best);
}

void GaussianProcess::refit(std::size_t steps) {
  if (standardise_ && !targets_.empty()) {
    const Eigen::Map<const Eigen::VectorXd> y(targets_.data(), static_cast<Eigen::Index>(targets_.size()));
    offset_ = y.mean();
    const double spread = std::sqrt((y.array() - offset_).square().mean());
    scale_ = spread > 1e-12 * (1.0 + std::abs(offset_)) ? spread : 1.0;
  }
  if (steps > 0 && points_.size() > 1) improve(steps);
  recompute();
}

void GaussianProcess::recompute() {
  reset_posterior();
  const auto n = static_cast<Eigen::Index>(points_.size());
  if (n == 0) return;
  reserve(n);
  auto rows = rows_.leftCols(n);
  Eigen::MatrixXd k(n, n);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto position = static_cast<std::size_t>(i);
    kernel_row(points_[position], rows.col(i));
    y[i] = standardised(targets_[position]);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    k.row(i) = rows.row(static_cast<Eigen::Index>(points_[static_cast<std::size_t>(i)])).cast<double>();
  }
  // Single precision of the rows makes K slightly indefinite at most by rounding; the noise floor outweighs that.
  k.diagonal().array() += std::max(std::exp(2.0 * hyper_.log_noise), noise_floor) + jitter;
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> factor(k);
  factor_.topLeftCorner(n, n) = factor.matrixL();
  whitened_.head(n) = factor.matrixL().solve(y);
  const Eigen::MatrixXf lower = factor_.topLeftCorner(n, n).cast<float>();
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(rows);
  mean_.noalias() = rows * whitened_.head(n).cast<float>();
  variance_ -= rows.rowwise().squaredNorm();
}

}  // namespace wattune::learn
