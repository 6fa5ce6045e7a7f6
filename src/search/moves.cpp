#include "search/moves.hpp"

#include <algorithm>

namespace wattune::search {

Moves::Moves(const Space& space) : space_(&space), buffer_(space.parameters().size()) {
  for (std::uint32_t p = 0; p < space.parameters().size(); ++p) {
    const auto count = static_cast<std::uint32_t>(space.parameters()[p].values.size());
    counts_.push_back(count);
    if (count < 2) continue;
    free_.push_back(p);
    for (std::uint32_t digit = 0; digit < count; ++digit) all_.push_back({p, digit});
  }
  order_ = free_;
}

std::span<const std::uint32_t> Moves::digits(ConfigurationId id) {
  if (loaded_ != id) {
    space_->digits(id, buffer_);
    loaded_ = id;
  }
  return buffer_;
}

std::optional<ConfigurationId> Moves::apply(ConfigurationId id, Move move) {
  digits(id);
  std::uint32_t& digit = buffer_[move.parameter];
  if (digit == move.digit) return std::nullopt;
  const std::uint32_t before = digit;
  digit = move.digit;
  const std::optional<ConfigurationId> found = space_->find(buffer_);
  digit = before;
  return found;
}

std::optional<ConfigurationId> Moves::random_neighbour(ConfigurationId id, Neighbours kind, Random& random,
                                                       std::size_t attempts) {
  if (free_.empty()) return std::nullopt;
  for (; attempts > 0; --attempts) {
    Move move;
    if (kind == Neighbours::hamming) {
      move = all_[random.below(all_.size())];
    } else {
      move.parameter = free_[random.below(free_.size())];
      const std::uint32_t digit = digits(id)[move.parameter];
      const bool up = digit == 0 || (digit + 1 < counts_[move.parameter] && random.below(2) == 1);
      move.digit = up ? digit + 1 : digit - 1;
    }
    if (const auto found = apply(id, move)) return found;
  }
  return std::nullopt;
}

void Moves::neighbours(ConfigurationId id, Neighbours kind, std::vector<ConfigurationId>& out) {
  if (kind == Neighbours::hamming) {
    for (const Move& move : all_) {
      if (const auto found = apply(id, move)) out.push_back(*found);
    }
    return;
  }
  for (const std::uint32_t p : free_) {
    const std::uint32_t digit = digits(id)[p];
    if (digit > 0) {
      if (const auto found = apply(id, {p, digit - 1})) out.push_back(*found);
    }
    if (digit + 1 < counts_[p]) {
      if (const auto found = apply(id, {p, digit + 1})) out.push_back(*found);
    }
  }
}

ConfigurationId Moves::toward(ConfigurationId from, std::span<const std::uint32_t> target, Random& random) {
  if (const auto found = space_->find(target)) return *found;
  digits(from);
  loaded_.reset();
  ConfigurationId reached = from;
  random.shuffle(std::span(order_));
  for (const std::uint32_t p : order_) {
    if (buffer_[p] == target[p]) continue;
    const std::uint32_t before = buffer_[p];
    buffer_[p] = target[p];
    if (const auto found = space_->find(buffer_)) {
      reached = *found;
    } else {
      buffer_[p] = before;
    }
  }
  loaded_ = reached;
  return reached;
}

}  // namespace wattune::search
