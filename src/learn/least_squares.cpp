#include "learn/least_squares.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace wattune::learn {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::span<const double> view(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
std::span<double> view(Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

Vector vector_or(const std::vector<double>& values, const Vector& otherwise) {
  return values.empty() ? otherwise
                        : Vector(Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size())));
}

/// One search: the point, what belongs to it, and the damping.
class Search {
 public:
  Search(const LeastSquaresProblem& problem, std::span<const double> start, const LeastSquaresOptions& options)
      : problem_(problem),
        options_(options),
        n_(static_cast<Eigen::Index>(problem.parameters)),
        m_(static_cast<Eigen::Index>(problem.residuals)),
        point_(Eigen::Map<const Vector>(start.data(), n_)),
        residuals_(m_),
        jacobian_(m_, n_),
        scale_(Vector::Zero(n_)),
        damping_(options.first_damping) {
    const double infinity = std::numeric_limits<double>::infinity();
    lower_ = vector_or(problem.lower, Vector::Constant(n_, -infinity));
    upper_ = vector_or(problem.upper, Vector::Constant(n_, infinity));
    typical_ = vector_or(problem.typical, point_.cwiseAbs());
    point_ = bounded(point_);
  }

  LeastSquaresResult run() {
    if (evaluate(point_, residuals_)) {
      linearise();
      termination_ = Termination::iterations;
      while (iterations_ < options_.max_iterations && termination_ == Termination::iterations) {
        ++iterations_;
        step();
      }
    }
    return result();
  }

 private:
  [[nodiscard]] Vector bounded(const Vector& point) const { return point.cwiseMax(lower_).cwiseMin(upper_); }

  bool evaluate(const Vector& point, Vector& residuals) const {
    return problem_.evaluate(view(point), view(residuals)) && residuals.allFinite();
  }

  /// Jacobian, gradient and scale at the current point.
  void linearise() {
    if (problem_.derivatives) {
      problem_.derivatives(view(point_), {jacobian_.data(), static_cast<std::size_t>(jacobian_.size())});
    } else {
      for (Eigen::Index j = 0; j < n_; ++j) jacobian_.col(j) = difference(j);
    }
    if (!jacobian_.allFinite()) jacobian_ = jacobian_.unaryExpr([](double v) { return std::isfinite(v) ? v : 0.0; });
    gradient_ = jacobian_.transpose() * residuals_;
    scale_ = scale_.cwiseMax(jacobian_.colwise().norm().transpose());
  }

  /// Central difference; at a bound the second-order difference to one side.
  Vector difference(Eigen::Index j) const {
    static const double root = std::cbrt(std::numeric_limits<double>::epsilon());
    const double magnitude = std::max(std::abs(point_[j]), typical_[j]);
    const double h = root * (magnitude > 0.0 ? magnitude : 1.0);
    const auto at = [&](double shift, Vector& out) {
      Vector moved = point_;
      moved[j] += shift;
      return moved[j] >= lower_[j] && moved[j] <= upper_[j] && evaluate(moved, out);
    };
    Vector ahead(m_), behind(m_), further(m_);
    const bool up = at(h, ahead);
    const bool down = at(-h, behind);
    if (up && down) return (ahead - behind) / (2.0 * h);
    if (up)
      return at(2.0 * h, further) ? Vector((4.0 * ahead - 3.0 * residuals_ - further) / (2.0 * h))
                                  : Vector((ahead - residuals_) / h);
    if (down)
      return at(-2.0 * h, further) ? Vector((further + 3.0 * residuals_ - 4.0 * behind) / (2.0 * h))
                                   : Vector((residuals_ - behind) / h);
    return Vector::Zero(m_);
  }

  /// A bound holds the parameter when the sum would decrease beyond it.
  [[nodiscard]] bool held(Eigen::Index j) const {
    return (point_[j] <= lower_[j] && gradient_[j] >= 0.0) || (point_[j] >= upper_[j] && gradient_[j] <= 0.0);
  }

  [[nodiscard]] std::vector<Eigen::Index> free_parameters() const {
    std::vector<Eigen::Index> free;
    for (Eigen::Index j = 0; j < n_; ++j) {
      if (!held(j) && scale_[j] > 0.0) free.push_back(j);
    }
    return free;
  }

  [[nodiscard]] bool gradient_vanishes(const std::vector<Eigen::Index>& free) const {
    const double norm = residuals_.norm();
    return std::all_of(free.begin(), free.end(), [&](Eigen::Index j) {
      return std::abs(gradient_[j]) <= options_.gradient_tolerance * norm * jacobian_.col(j).norm();
    });
  }

  /// Solves min |J d + r|^2 + damping |S d|^2 over the free parameters by QR: J is not squared, which keeps its digits.
  [[nodiscard]] Vector direction(const std::vector<Eigen::Index>& free) const {
    const auto k = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m_ + k, k);
    Vector right = Vector::Zero(m_ + k);
    right.head(m_) = -residuals_;
    const double root = std::sqrt(damping_);
    for (Eigen::Index i = 0; i < k; ++i) {
      const double s = scale_[free[static_cast<std::size_t>(i)]];
      system.col(i).head(m_) = jacobian_.col(free[static_cast<std::size_t>(i)]) / s;
      system(m_ + i, i) = root;
    }
    const Vector solved = system.householderQr().solve(right);
    Vector d = Vector::Zero(n_);
    for (Eigen::Index i = 0; i < k; ++i) {
      const Eigen::Index j = free[static_cast<std::size_t>(i)];
      d[j] = solved[i] / scale_[j];
    }
    return d;
  }

  void step() {
    const std::vector<Eigen::Index> free = free_parameters();
    const double sum = residuals_.squaredNorm();
    if (sum == 0.0 || gradient_vanishes(free)) {
      termination_ = Termination::gradient;
      return;
    }
    const Vector target = bounded(point_ + direction(free));
    const Vector move = target - point_;
    const double predicted = -2.0 * gradient_.dot(move) - (jacobian_ * move).squaredNorm();
    const double size = scale_.cwiseProduct(move).norm();
    const bool tiny = size <= options_.step_tolerance * scale_.cwiseProduct(point_).norm();
    Vector tried(m_);
    const bool valued = predicted > 0.0 && evaluate(target, tried);
    const double actual = valued ? sum - tried.squaredNorm() : -1.0;
    if (actual > 0.0) {
      point_ = target;
      residuals_ = tried;
      linearise();
      const double quality = 2.0 * std::min(actual / predicted, 1.0) - 1.0;
      damping_ *= std::max(1.0 / 3.0, 1.0 - quality * quality * quality);
      growth_ = 2.0;
      if (actual <= options_.decrease_tolerance * sum && predicted <= options_.decrease_tolerance * sum)
        termination_ = Termination::decrease;
    } else {
      damping_ *= growth_;
      growth_ *= 2.0;
      if (valued && predicted <= options_.decrease_tolerance * sum) termination_ = Termination::decrease;
    }
    if (tiny || !std::isfinite(damping_)) termination_ = Termination::step;
  }

  LeastSquaresResult result() {
    LeastSquaresResult result;
    result.point.assign(point_.data(), point_.data() + n_);
    result.termination = termination_;
    result.iterations = iterations_;
    result.at_bound.assign(problem_.parameters, false);
    if (termination_ == Termination::no_value) return result;
    result.sum_of_squares = residuals_.squaredNorm();
    std::vector<Eigen::Index> free;
    for (Eigen::Index j = 0; j < n_; ++j) {
      const bool bound = point_[j] <= lower_[j] || point_[j] >= upper_[j];
      result.at_bound[static_cast<std::size_t>(j)] = bound;
      if (!bound) free.push_back(j);
    }
    result.degrees = problem_.residuals > free.size() ? problem_.residuals - free.size() : 0;
    covariance(free, result);
    return result;
  }

  /// s^2 (J'J)^-1 from the QR factors of J with columns of length 1.
  void covariance(const std::vector<Eigen::Index>& free, LeastSquaresResult& result) const {
    if (result.degrees == 0) return;
    const auto k = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd columns(m_, k);
    Vector lengths(k);
    for (Eigen::Index i = 0; i < k; ++i) {
      columns.col(i) = jacobian_.col(free[static_cast<std::size_t>(i)]);
      lengths[i] = columns.col(i).norm();
      if (lengths[i] > 0.0) columns.col(i) /= lengths[i];
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(columns);
    factors.setThreshold(1e-9);  // what central differences can tell apart
    if (factors.rank() < k) return;
    const Eigen::MatrixXd inverse =
        factors.matrixR().topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(k, k));
    const Eigen::MatrixXd permuted =
        factors.colsPermutation() * (inverse * inverse.transpose()) * factors.colsPermutation().transpose();
    const double variance = result.sum_of_squares / static_cast<double>(result.degrees);
    result.covariance.assign(problem_.parameters * problem_.parameters, 0.0);
    for (Eigen::Index a = 0; a < k; ++a) {
      for (Eigen::Index b = 0; b < k; ++b) {
        const Eigen::Index at = free[static_cast<std::size_t>(a)] * n_ + free[static_cast<std::size_t>(b)];
        result.covariance[static_cast<std::size_t>(at)] = variance * permuted(a, b) / (lengths[a] * lengths[b]);
      }
    }
  }

  const LeastSquaresProblem& problem_;
  const LeastSquaresOptions& options_;
  Eigen::Index n_, m_;
  Vector point_, residuals_;
  Matrix jacobian_;
  Vector gradient_, scale_, lower_, upper_, typical_;
  double damping_;
  double growth_ = 2.0;
  int iterations_ = 0;
  Termination termination_ = Termination::no_value;
};

}  // namespace

std::string_view to_string(Termination termination) {
  switch (termination) {
    case Termination::gradient:
      return "gradient";
    case Termination::step:
      return "step";
    case Termination::decrease:
      return "decrease";
    case Termination::iterations:
      return "iterations";
    case Termination::no_value:
      break;
  }
  return "no value";
}

double LeastSquaresResult::error(std::size_t parameter) const {
  if (covariance.empty()) return std::numeric_limits<double>::infinity();
  return std::sqrt(covariance[parameter * (point.size() + 1)]);
}

LeastSquaresResult least_squares(const LeastSquaresProblem& problem, std::span<const double> start,
                                 const LeastSquaresOptions& options) {
  return Search(problem, start, options).run();
}

LeastSquaresResult least_squares(const LeastSquaresProblem& problem, std::span<const std::vector<double>> starts,
                                 const LeastSquaresOptions& options) {
  LeastSquaresResult best;
  for (const std::vector<double>& start : starts) {
    LeastSquaresResult found = least_squares(problem, std::span<const double>(start), options);
    if (best.point.empty() || found.sum_of_squares < best.sum_of_squares) best = std::move(found);
  }
  return best;
}

}  // namespace wattune::learn
