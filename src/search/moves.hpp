// Steps in a constrained, discrete space: neighbours of a configuration, and the way back to validity.
// Works on value positions and asks the space whether a combination is valid; keeps its own buffers, so a step
// allocates nothing. Parameters with a single value take no part.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "wattune/random.hpp"
#include "wattune/space.hpp"

namespace wattune::search {

/// Which configurations count as neighbours.
enum class Neighbours : std::uint8_t {
  hamming,   ///< one parameter takes any other value
  adjacent,  ///< one parameter takes the next or previous value of its list
};

/// "One parameter takes this value position."
struct Move {
  std::uint32_t parameter = 0;
  std::uint32_t digit = 0;
};

class Moves {
 public:
  explicit Moves(const Space& space);

  /// Positions of the parameters with more than one value.
  [[nodiscard]] std::span<const std::uint32_t> free_parameters() const { return free_; }
  /// Number of values of parameter `p`.
  [[nodiscard]] std::uint32_t count(std::size_t p) const { return counts_[p]; }
  /// Every (parameter, value) of the space: the Hamming neighbourhood, one of them being no move for each parameter.
  [[nodiscard]] std::span<const Move> all() const { return all_; }

  /// `id` with one parameter changed; nothing when that is not valid or no change.
  std::optional<ConfigurationId> apply(ConfigurationId id, Move move);
  /// A neighbour of `id`, drawn by trying random moves; nothing when `attempts` were invalid.
  std::optional<ConfigurationId> random_neighbour(ConfigurationId id, Neighbours kind, Random& random,
                                                  std::size_t attempts = 64);
  /// All valid neighbours, appended to `out`.
  void neighbours(ConfigurationId id, Neighbours kind, std::vector<ConfigurationId>& out);

  /// Value positions of `id`, in a buffer that the next call overwrites.
  std::span<const std::uint32_t> digits(ConfigurationId id);
  /// The configuration at `target` when that is valid; else the last valid one on the way there from `from`, taking
  /// over one parameter after the other in random order and leaving out those that would break a constraint.
  ConfigurationId toward(ConfigurationId from, std::span<const std::uint32_t> target, Random& random);

 private:
  const Space* space_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> free_;
  std::vector<Move> all_;
  Digits buffer_;
  std::vector<std::uint32_t> order_;
  std::optional<ConfigurationId> loaded_;  // whose digits are in buffer_
};

}  // namespace wattune::search
