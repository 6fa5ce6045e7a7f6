// Lookup of recorded entries by configuration: a hash table of entry numbers with open addressing, 4 bytes a slot.
#include <algorithm>

#include "wattune/recorded_space.hpp"

namespace wattune {

namespace {

std::size_t hash_of(std::span<const std::uint32_t> digits) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::uint32_t digit : digits) hash = (hash ^ digit) * 0xff51afd7ed558ccdULL + (hash >> 29U);
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

std::size_t slots_for(std::size_t entries) {
  std::size_t slots = 16;
  while (slots < 2 * entries) slots *= 2;  // at most half full: short probe chains
  return slots;
}

}  // namespace

RecordedIndex::RecordedIndex(const RecordedSpace& space) : space_(&space), slots_(slots_for(space.size()), 0) {
  for (std::size_t entry = 0; entry < space.size(); ++entry) {
    const auto digits = space.digits_of(entry);
    std::size_t slot = hash_of(digits) & (slots_.size() - 1);
    while (slots_[slot] != 0) {
      const auto held = space.digits_of(slots_[slot] - 1);
      if (std::equal(digits.begin(), digits.end(), held.begin())) {
        ++duplicates_;
        break;
      }
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::uint32_t>(entry + 1);
  }
}

std::optional<std::size_t> RecordedIndex::find(std::span<const std::uint32_t> digits) const {
  if (digits.size() != space_->parameters.size()) return std::nullopt;
  std::size_t slot = hash_of(digits) & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    const auto held = space_->digits_of(slots_[slot] - 1);
    if (std::equal(digits.begin(), digits.end(), held.begin())) return slots_[slot] - 1;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return std::nullopt;
}

std::optional<std::size_t> RecordedIndex::find_values(std::span<const Value> values) const {
  if (values.size() != space_->parameters.size()) return std::nullopt;
  std::vector<std::uint32_t> digits;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& known = space_->parameters[i].values;
    const auto found = std::find(known.begin(), known.end(), values[i]);
    if (found == known.end()) return std::nullopt;
    digits.push_back(static_cast<std::uint32_t>(found - known.begin()));
  }
  return find(digits);
}

}  // namespace wattune
