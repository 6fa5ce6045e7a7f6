#include "space/relation.hpp"

#include <algorithm>
#include <cstring>

namespace wattune::space {
namespace {

/// Rows of a block: enough to amortise a batch, few enough not to compute what pruning would spare. Measured.
constexpr std::size_t rows_per_block = 1024;
/// Memory for the blocks of one relation, words.
constexpr std::size_t storage_limit = std::size_t{1} << 20U;

/// Bits from bytes that are 0 or 1.
void pack_bits(const std::uint8_t* bytes, std::size_t count, std::uint64_t* words) {
  std::memset(words, 0, (count + 63) / 64 * 8);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes + i, 8);
    words[i / 64] |= ((eight * 0x0102040810204080ULL) >> 56U) << (i % 64);
  }
  for (; i < count; ++i) words[i / 64] |= std::uint64_t{bytes[i]} << (i % 64);
}

bool any(const std::uint64_t* words, std::size_t count) {
  std::uint64_t all = 0;
  for (std::size_t w = 0; w < count; ++w) all |= words[w];
  return all != 0;
}

}  // namespace

Relation::Relation(const Model& model, std::size_t rule, const std::vector<Domain>& domains,
                   std::span<const std::uint32_t> order, std::span<const std::uint32_t> depth_of)
    : rule_(rule), rows_(model, model.rules[rule], domains) {
  for (const std::uint32_t p : model.rules[rule].scope) {
    if (domains[p].size() > 1) depths_.push_back(depth_of[p]);
  }
  std::sort(depths_.begin(), depths_.end());
  for (const std::uint32_t depth : depths_) {
    order_.push_back(order[depth]);
    sizes_.push_back(domains[order[depth]].size());
  }
  inner_start_ = depths_.size() - 1;
  std::size_t rows = sizes_.back();
  while (inner_start_ > 0 && rows * sizes_[inner_start_ - 1] <= rows_per_block) rows *= sizes_[--inner_start_];

  std::size_t product = 1;
  for (std::size_t i = inner_start_; i < sizes_.size(); ++i) {
    const Level level{product, (sizes_[i] + 63) / 64, block_words_};
    block_words_ += level.rows * level.words;
    levels_.push_back(level);
    product *= sizes_[i];
  }
  rows_.set_inner(std::span(order_).subspan(inner_start_));
  truth_.resize(rows_.count());

  double blocks = 1.0;
  for (std::size_t i = 0; i < inner_start_; ++i) blocks *= static_cast<double>(sizes_[i]);
  // Outer combinations come back only when the search chooses some other parameter in between.
  const bool returns = inner_start_ > 0 && depths_[inner_start_ - 1] + 1 > inner_start_;
  keep_all_ = returns && blocks * static_cast<double>(block_words_) <= static_cast<double>(storage_limit);
  if (keep_all_) {
    block_at_.resize(static_cast<std::size_t>(blocks), 0);
  } else {
    storage_.resize(block_words_);
    last_outer_.resize(inner_start_, ~0U);
  }
}

const std::uint64_t* Relation::block(const std::uint32_t* chosen) {
  std::uint64_t* target = nullptr;
  if (keep_all_) {
    std::size_t key = 0;
    for (std::size_t i = 0; i < inner_start_; ++i) key = key * sizes_[i] + chosen[depths_[i]];
    if (block_at_[key] != 0) return storage_.data() + std::size_t{block_at_[key] - 1} * block_words_;
    storage_.resize(storage_.size() + block_words_);
    target = storage_.data() + std::size_t{block_count_} * block_words_;
    block_at_[key] = ++block_count_;
  } else {
    target = storage_.data();
    bool same = filled_;
    filled_ = true;
    for (std::size_t i = 0; i < inner_start_; ++i) {
      same = same && last_outer_[i] == chosen[depths_[i]];
      last_outer_[i] = chosen[depths_[i]];
    }
    if (same) return target;
  }
  for (std::size_t i = 0; i < inner_start_; ++i) rows_.fix(order_[i], chosen[depths_[i]]);
  fill(target);
  return target;
}

void Relation::fill(std::uint64_t* block) {
  faulty_ = rows_.evaluate(truth_) || faulty_;
  const Level& last = levels_.back();
  const std::size_t last_size = sizes_.back();
  for (std::size_t row = 0; row < last.rows; ++row) {
    pack_bits(truth_.data() + row * last_size, last_size, block + last.offset + row * last.words);
  }
  // Level l: a value may go on when some value at level l + 1 may.
  for (std::size_t l = levels_.size() - 1; l-- > 0;) {
    const Level& upper = levels_[l];
    const Level& lower = levels_[l + 1];
    const std::size_t size = sizes_[inner_start_ + l];
    std::memset(block + upper.offset, 0, upper.rows * upper.words * 8);
    const std::uint64_t* from = block + lower.offset;
    for (std::size_t row = 0; row < upper.rows; ++row) {
      std::uint64_t* to = block + upper.offset + row * upper.words;
      for (std::size_t value = 0; value < size; ++value, from += lower.words) {
        if (any(from, lower.words)) to[value / 64] |= std::uint64_t{1} << (value % 64);
      }
    }
  }
}

}  // namespace wattune::space
