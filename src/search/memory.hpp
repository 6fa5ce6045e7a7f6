// What a search knows: which configurations were proposed and how each one scored.
// A proposed configuration is never proposed again; a told one is looked up instead of being evaluated again. Several
// strategies may share one memory (the arms of a portfolio). Holds one bit per configuration of the space and a hashed
// entry per told one, so that large spaces stay cheap and an evaluation allocates nothing (amortised).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wattune/strategy.hpp"

namespace wattune::search {

class Memory {
 public:
  /// `space` outlives the memory. `objectives` scores are kept for every success.
  Memory(const Space& space, std::size_t objectives);

  [[nodiscard]] const Space& space() const { return *space_; }
  [[nodiscard]] std::size_t objectives() const { return objectives_; }

  [[nodiscard]] bool proposed(ConfigurationId id) const { return ((bits_[id >> 6U] >> (id & 63U)) & 1U) != 0; }
  void propose(ConfigurationId id);
  void tell(const Scored& result);

  [[nodiscard]] std::uint64_t proposed_count() const { return proposed_count_; }
  [[nodiscard]] bool exhausted() const { return proposed_count_ == space_->size(); }

  /// First score of a told configuration; infinity for a failure or one that was never told.
  [[nodiscard]] double score(ConfigurationId id) const;

  /// Told results in the order told: number, configuration, first score, all scores (infinite for failures).
  [[nodiscard]] std::size_t told() const { return ids_.size(); }
  [[nodiscard]] ConfigurationId id_at(std::size_t position) const { return ids_[position]; }
  [[nodiscard]] double score_at(std::size_t position) const { return scores_[position * objectives_]; }
  [[nodiscard]] std::span<const double> scores_at(std::size_t position) const;
  /// Position in the order told, or told() when not told.
  [[nodiscard]] std::size_t position_of(ConfigurationId id) const;
  /// Position of the lowest first score, or told() while nothing succeeded.
  [[nodiscard]] std::size_t best_position() const { return best_; }

  /// A configuration that was never proposed, drawn uniformly. Only while not exhausted().
  ConfigurationId random_unvisited(Random& random);

 private:
  [[nodiscard]] std::size_t slot_of(ConfigurationId id) const;
  void grow();

  const Space* space_;
  std::size_t objectives_;
  std::uint64_t proposed_count_ = 0;
  std::size_t best_ = 0;
  std::vector<std::uint64_t> bits_;         // proposed, one bit per configuration
  std::vector<ConfigurationId> ids_;        // told
  std::vector<double> scores_;              // objectives_ per told configuration
  std::vector<std::uint32_t> slots_;        // open addressing into ids_: position + 1, 0 = empty
  unsigned shift_;                          // 64 - log2(slots_.size())
  std::vector<ConfigurationId> remaining_;  // candidates of random_unvisited once half of the space is proposed
};

}  // namespace wattune::search
