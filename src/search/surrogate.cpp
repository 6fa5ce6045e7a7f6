#include "search/surrogate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wattune::search {
namespace {

/// Fits of the hyperparameters: at these counts, later whenever there are 40 % more.
constexpr std::size_t fit_at[] = {10, 14, 20, 28, 38, 50, 70, 100, 140, 200};
constexpr double fit_growth = 1.4;
constexpr std::size_t fit_steps = 15;
/// Cost grows with the square of the observations; beyond this many, half of them are given up.
constexpr std::size_t most_observations = 1000;
constexpr std::size_t neighbours_of = 10;  // best configurations whose neighbours are in the pool

/// Medians of the prior in units of Features: twice the range of a parameter for scores; noise 5 % of the spread.
learn::GaussianPrior score_prior() {
  return {0.7, 1.0, 0.0, 0.5, -3.0, 1.0};
}
learn::GaussianPrior success_prior() {
  return {0.0, 1.0, 0.0, 0.5, -2.0, 1.0};
}

std::size_t fit_after(std::size_t count) {
  for (const std::size_t at : fit_at) {
    if (at > count) return at;
  }
  return static_cast<std::size_t>(fit_growth * static_cast<double>(count));
}

}  // namespace

Surrogate::Surrogate(const Memory& memory, std::size_t pool_size, Random& random)
    : memory_(&memory),
      random_(&random),
      features_(memory.space()),
      moves_(memory.space()),
      pool_size_(pool_size),
      whole_(memory.space().size() <= pool_size) {
  rebuild();
}

std::size_t Surrogate::index_of(ConfigurationId id) const {
  return whole_ ? static_cast<std::size_t>(id) : index_.at(id);
}

void Surrogate::renew() {
  if (!whole_) rebuild();
}

/// Draws the pool, starts both processes on it with the hyperparameters known so far, and learns everything again.
void Surrogate::rebuild() {
  if (whole_ && pool_.empty()) {
    pool_.resize(memory_->space().size());
    std::iota(pool_.begin(), pool_.end(), ConfigurationId{0});
  }
  if (!whole_) {
    pool_.clear();
    index_.clear();
    const auto add = [&](ConfigurationId id) {
      if (index_.emplace(id, pool_.size()).second) pool_.push_back(id);
    };
    std::vector<std::size_t> order(memory_->told());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const std::size_t position : order) add(memory_->id_at(position));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return memory_->score_at(a) < memory_->score_at(b); });
    std::vector<ConfigurationId> around;
    for (std::size_t k = 0; k < std::min(order.size(), neighbours_of); ++k) {
      moves_.neighbours(memory_->id_at(order[k]), Neighbours::hamming, around);
    }
    for (const ConfigurationId id : around) add(id);
    // Repeats are possible and left out; the pool is only about as large as asked for.
    for (std::size_t k = 0; k < pool_size_; ++k) add(random_->below(memory_->space().size()));
  }
  const Eigen::MatrixXf coordinates = features_.coordinates(pool_);
  auto scores = std::make_unique<learn::GaussianProcess>(coordinates, score_prior());
  auto success = std::make_unique<learn::GaussianProcess>(coordinates, success_prior());
  success->set_standardise(false);
  if (scores_) scores->set_hyper(scores_->hyper());
  if (success_) success->set_hyper(success_->hyper());
  scores_ = std::move(scores);
  success_ = std::move(success);
  const std::size_t from = memory_->told() > most_observations / 2 ? memory_->told() - most_observations / 2 : 0;
  for (seen_ = from; seen_ < memory_->told(); ++seen_) learn_one(seen_);
  scores_->refit(0);
  success_->refit(0);
}

bool Surrogate::fits(double score) const {
  if (scale_ == Scale::logarithm) return score > 0.0;
  return scale_ == Scale::plain || score < 0.0;
}

double Surrogate::transformed(double score) const {
  if (scale_ == Scale::logarithm) return std::log(score);
  return scale_ == Scale::plain ? score : -std::log(-score);  // a maximised quantity arrives negative
}

void Surrogate::learn_one(std::size_t position) {
  const double score = memory_->score_at(position);
  const std::size_t index = index_of(memory_->id_at(position));
  if (std::isinf(score) && !any_failure_) {
    any_failure_ = true;  // until now every success was learnt for nothing, so none was
    for (std::size_t k = 0; k < position; ++k) {
      if (in_pool(memory_->id_at(k))) success_->observe(index_of(memory_->id_at(k)), 1.0);
    }
  }
  if (any_failure_) success_->observe(index, std::isinf(score) ? -1.0 : 1.0);
  if (!std::isinf(score)) scores_->observe(index, transformed(score));
}

void Surrogate::update() {
  bool stale = false;
  for (std::size_t k = seen_; k < memory_->told(); ++k) {
    stale = stale || !in_pool(memory_->id_at(k));
    const double score = memory_->score_at(k);
    if (std::isinf(score) || fits(score)) continue;
    const bool first = scores_->observations() == 0 && score < 0.0;
    scale_ = first ? Scale::negative_logarithm : Scale::plain;
    stale = true;
  }
  if (stale) rebuild();
  for (; seen_ < memory_->told(); ++seen_) learn_one(seen_);
  if (seen_ < next_fit_) return;
  next_fit_ = fit_after(seen_);
  thin_out();
  if (!whole_) rebuild();
  scores_->refit(fit_steps);
  if (any_failure_) success_->refit(fit_steps);
}

/// Keeps the better quarter and every second of the others.
void Surrogate::thin_out() {
  for (learn::GaussianProcess* process : {scores_.get(), success_.get()}) {
    if (process->observations() <= most_observations) continue;
    std::vector<double> sorted(process->targets());
    const auto quarter = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
    std::nth_element(sorted.begin(), quarter, sorted.end());
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < process->observations(); ++k) {
      if (process->targets()[k] < *quarter || k % 2 == 0) kept.push_back(k);
    }
    process->keep(kept);
  }
}

double Surrogate::deviation(std::size_t j) const {
  return std::sqrt(std::max(1e-10F, scores_->variance()[static_cast<Eigen::Index>(j)]));
}

double Surrogate::best() const {
  return scores_->standardised(transformed(memory_->score_at(memory_->best_position())));
}

double Surrogate::success(std::size_t j) const {
  if (!any_failure_) return 10.0;
  const auto at = static_cast<Eigen::Index>(j);
  // 0.1: the variance of a label around the process, so that certainty near known points stays finite.
  return success_->mean()[at] / std::sqrt(0.1F + std::max(0.0F, success_->variance()[at]));
}

void Surrogate::imagine(std::size_t j) {
  scores_->observe(j, scores_->unstandardised(mean(j)));
}

void Surrogate::forget(std::size_t count) {
  scores_->forget_last(count);
}

}  // namespace wattune::search
