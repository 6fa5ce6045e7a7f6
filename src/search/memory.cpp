#include "search/memory.hpp"

#include <cmath>
#include <limits>

namespace wattune::search {
namespace {
constexpr double failure = std::numeric_limits<double>::infinity();
constexpr unsigned first_table_bits = 8;
}  // namespace

Memory::Memory(const Space& space, std::size_t objectives)
    : space_(&space),
      objectives_(objectives == 0 ? 1 : objectives),
      bits_((space.size() + 63) / 64, 0),
      slots_(std::size_t{1} << first_table_bits, 0),
      shift_(64 - first_table_bits) {}

void Memory::propose(ConfigurationId id) {
  std::uint64_t& word = bits_[id >> 6U];
  const std::uint64_t bit = std::uint64_t{1} << (id & 63U);
  if ((word & bit) == 0) ++proposed_count_;
  word |= bit;
}

std::size_t Memory::slot_of(ConfigurationId id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = (id * 0x9E3779B97F4A7C15ULL) >> shift_;  // Fibonacci hashing (Knuth, TAOCP 6.4)
  while (slots_[slot] != 0 && ids_[slots_[slot] - 1] != id) slot = (slot + 1) & mask;
  return slot;
}

void Memory::grow() {
  slots_.assign(slots_.size() * 2, 0);
  --shift_;
  for (std::size_t i = 0; i < ids_.size(); ++i) slots_[slot_of(ids_[i])] = static_cast<std::uint32_t>(i + 1);
}

void Memory::tell(const Scored& result) {
  propose(result.id);
  if (position_of(result.id) != ids_.size()) return;
  if (2 * (ids_.size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(result.id);
  const std::size_t position = ids_.size();
  ids_.push_back(result.id);
  slots_[slot] = static_cast<std::uint32_t>(position + 1);
  bool usable = result.valid && result.scores.size() >= objectives_;
  for (std::size_t k = 0; usable && k < objectives_; ++k) usable = std::isfinite(result.scores[k]);
  for (std::size_t k = 0; k < objectives_; ++k) scores_.push_back(usable ? result.scores[k] : failure);
  if (position == 0 || best_ == position) {
    best_ = usable ? position : position + 1;  // nothing succeeded so far: best_ stays at told()
  } else if (usable && scores_[position * objectives_] < scores_[best_ * objectives_]) {
    best_ = position;
  }
}

double Memory::score(ConfigurationId id) const {
  const std::uint32_t entry = slots_[slot_of(id)];
  return entry == 0 ? failure : scores_[(entry - 1) * objectives_];
}

std::span<const double> Memory::scores_at(std::size_t position) const {
  return std::span<const double>(scores_).subspan(position * objectives_, objectives_);
}

std::size_t Memory::position_of(ConfigurationId id) const {
  const std::uint32_t entry = slots_[slot_of(id)];
  return entry == 0 ? ids_.size() : entry - 1;
}

ConfigurationId Memory::random_unvisited(Random& random) {
  const std::uint64_t size = space_->size();
  if (2 * proposed_count_ < size) {
    while (true) {
      const ConfigurationId id = random.below(size);
      if (!proposed(id)) return id;
    }
  }
  // Rejection would slow down towards the end: list what is left once, and drop entries that others proposed meanwhile.
  if (remaining_.empty()) {
    remaining_.reserve(size - proposed_count_);
    for (ConfigurationId id = 0; id < size; ++id) {
      if (!proposed(id)) remaining_.push_back(id);
    }
  }
  while (true) {
    const std::size_t at = random.below(remaining_.size());
    const ConfigurationId id = remaining_[at];
    if (!proposed(id)) return id;
    remaining_[at] = remaining_.back();
    remaining_.pop_back();
  }
}

}  // namespace wattune::search
