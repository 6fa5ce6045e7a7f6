// What Bayesian optimisation believes of a space: a Gaussian process for scores and one for success.
// Scores enter as logarithms where their sign allows it; success as +1 and failure as -1 (least-squares classification,
// Rasmussen and Williams 2006, section 6.5). Scores every configuration of the space, or of a pool of them where the
// space is larger than the pool: all that is known, neighbours of the best, and random ones.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "learn/gaussian_process.hpp"
#include "search/features.hpp"
#include "search/memory.hpp"
#include "search/moves.hpp"

namespace wattune::search {

class Surrogate {
 public:
  Surrogate(const Memory& memory, std::size_t pool_size, Random& random);

  /// Learns what memory has gained since the last call; fits anew when enough was gained.
  void update();
  /// Draws the pool anew (no effect while it is the whole space).
  void renew();

  [[nodiscard]] std::size_t candidates() const { return pool_.size(); }
  [[nodiscard]] ConfigurationId candidate(std::size_t j) const { return pool_[j]; }
  [[nodiscard]] bool any_success() const { return memory_->best_position() != memory_->told(); }
  [[nodiscard]] bool any_failure() const { return any_failure_; }
  /// Mean and standard deviation of the transformed score at candidate j, standardised.
  [[nodiscard]] double mean(std::size_t j) const { return scores_->mean()[static_cast<Eigen::Index>(j)]; }
  [[nodiscard]] double deviation(std::size_t j) const;
  /// The best score so far on the same scale.
  [[nodiscard]] double best() const;
  /// Probit of the probability that candidate j succeeds: 0 means one half.
  [[nodiscard]] double success(std::size_t j) const;

  /// Pretends that candidate j was evaluated with the score expected there ("Kriging believer", Ginsbourger, Le Riche
  /// and Carraro 2010), so that the next of a batch goes elsewhere; forget() takes `count` of them back.
  void imagine(std::size_t j);
  void forget(std::size_t count);

 private:
  enum class Scale { logarithm, negative_logarithm, plain };
  void rebuild();
  void learn_one(std::size_t position);
  void thin_out();
  [[nodiscard]] std::size_t index_of(ConfigurationId id) const;
  [[nodiscard]] bool in_pool(ConfigurationId id) const { return whole_ || index_.contains(id); }
  [[nodiscard]] bool fits(double score) const;
  [[nodiscard]] double transformed(double score) const;

  const Memory* memory_;
  Random* random_;
  Features features_;
  Moves moves_;
  std::size_t pool_size_;
  bool whole_;  // the pool is the whole space
  bool any_failure_ = false;
  Scale scale_ = Scale::logarithm;
  std::vector<ConfigurationId> pool_;
  std::unordered_map<ConfigurationId, std::size_t> index_;  // of the pool, unless it is the whole space
  std::unique_ptr<learn::GaussianProcess> scores_;
  std::unique_ptr<learn::GaussianProcess> success_;
  std::size_t seen_ = 0;      // told results that were learnt
  std::size_t next_fit_ = 0;  // fit when this many were learnt
};

}  // namespace wattune::search
