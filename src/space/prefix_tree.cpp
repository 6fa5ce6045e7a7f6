#include "space/prefix_tree.hpp"

#include <algorithm>

namespace wattune::space {
namespace {

/// Distances that differ by rounding only are equal.
constexpr double tie = 1e-12;

}  // namespace

PrefixTree::PrefixTree(const Block& block) : constant_(block.parameters(), 0) {
  const std::size_t n = block.parameters();
  for (const Field& field : block.fields()) occurs_.emplace_back(field.length, std::uint8_t{0});
  std::vector<std::uint32_t> positions(n);
  for (std::uint64_t rank = 0; rank < block.size(); ++rank) {
    block.digits(rank, positions.data());
    for (std::size_t p = 0; p < n; ++p) occurs_[p][positions[p]] = 1;
  }
  for (std::size_t p = 0; p < n; ++p) {
    constant_[p] = positions[p];
    if (std::count(occurs_[p].begin(), occurs_[p].end(), 1) > 1) levels_.push_back({p, {}, {}});
  }
  std::vector<std::uint32_t> previous(n, 0);
  for (std::uint64_t rank = 0; rank < block.size(); ++rank) {
    block.digits(rank, positions.data());
    bool fresh = rank == 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      fresh = fresh || positions[level.parameter] != previous[level.parameter];
      if (!fresh) continue;
      level.position.push_back(positions[level.parameter]);
      if (l + 1 < levels_.size()) {
        level.child.push_back(static_cast<std::uint32_t>(levels_[l + 1].position.size()));
      }
    }
    previous.swap(positions);
  }
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    levels_[l].child.push_back(static_cast<std::uint32_t>(levels_[l + 1].position.size()));
  }
}

std::size_t PrefixTree::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels_) sum += (level.position.capacity() + level.child.capacity()) * 4;
  for (const auto& flags : occurs_) sum += flags.capacity();
  return sum;
}

void PrefixTree::within(std::span<const Choice> choices, std::vector<std::uint64_t>& ranks) const {
  for (std::size_t p = 0, l = 0; p < constant_.size(); ++p) {
    if (l < levels_.size() && levels_[l].parameter == p) {
      ++l;
      continue;
    }
    const Choice& choice = choices[p];
    if (std::find(choice.position, choice.position + choice.count, constant_[p]) == choice.position + choice.count) {
      return;
    }
  }
  if (levels_.empty()) {
    ranks.push_back(0);
    return;
  }
  walk(choices, 0, 0, levels_[0].position.size(), ranks);
}

void PrefixTree::walk(std::span<const Choice> choices, std::size_t l, std::uint64_t begin, std::uint64_t end,
                      std::vector<std::uint64_t>& ranks) const {
  const Level& level = levels_[l];
  const Choice& choice = choices[level.parameter];
  const std::uint32_t* at = level.position.data() + begin;
  const std::uint32_t* const stop = level.position.data() + end;
  for (std::uint32_t c = 0; c < choice.count; ++c) {
    if (stop - at > 16) {
      at = std::lower_bound(at, stop, choice.position[c]);
    } else {
      while (at != stop && *at < choice.position[c]) ++at;
    }
    if (at == stop) return;
    if (*at != choice.position[c]) continue;
    const auto node = static_cast<std::uint64_t>(at - level.position.data());
    if (level.child.empty()) {
      ranks.push_back(node);
    } else {
      walk(choices, l + 1, level.child[node], level.child[node + 1], ranks);
    }
  }
}

struct PrefixTree::Nearest {
  std::span<const std::uint32_t> positions;
  std::span<const double> scales;
  bool exclude_same;
  double best = std::numeric_limits<double>::infinity();
  std::size_t start;  ///< ranks before this are not ours
  std::vector<std::uint64_t>& ranks;
};

double PrefixTree::nearest(std::span<const std::uint32_t> positions, std::span<const double> scales, bool exclude_same,
                           std::vector<std::uint64_t>& ranks) const {
  double fixed = 0.0;
  for (std::size_t p = 0, l = 0; p < constant_.size(); ++p) {
    if (l < levels_.size() && levels_[l].parameter == p) {
      ++l;
      continue;
    }
    const double step = (static_cast<double>(positions[p]) - constant_[p]) * scales[p];
    fixed += step * step;
  }
  Nearest search{positions, scales, exclude_same, std::numeric_limits<double>::infinity(), ranks.size(), ranks};
  if (levels_.empty()) {
    if (fixed <= tie && exclude_same) return search.best;
    ranks.push_back(0);
    return fixed;
  }
  approach(search, 0, 0, levels_[0].position.size(), fixed);
  std::sort(ranks.begin() + static_cast<std::ptrdiff_t>(search.start), ranks.end());
  return search.best;
}

void PrefixTree::approach(Nearest& search, std::size_t l, std::uint64_t begin, std::uint64_t end,
                          double distance) const {
  // Outwards from the wanted position, so that near combinations are found first and bound the rest.
  const std::uint32_t* const first = levels_[l].position.data();
  const std::uint32_t wanted = search.positions[levels_[l].parameter];
  const double scale = search.scales[levels_[l].parameter];
  auto up = static_cast<std::uint64_t>(std::lower_bound(first + begin, first + end, wanted) - first);
  std::uint64_t down = up;
  while (up < end || down > begin) {
    const double above = up < end ? (first[up] - wanted) * scale : std::numeric_limits<double>::infinity();
    const double below = down > begin ? (wanted - first[down - 1]) * scale : std::numeric_limits<double>::infinity();
    const double step = std::min(above, below);
    const double reached = distance + step * step;
    if (reached > search.best + tie) return;
    this->step(search, l, above <= below ? up++ : --down, reached);
  }
}

void PrefixTree::step(Nearest& search, std::size_t l, std::uint64_t node, double distance) const {
  const Level& level = levels_[l];
  if (!level.child.empty()) {
    approach(search, l + 1, level.child[node], level.child[node + 1], distance);
    return;
  }
  if (search.exclude_same && distance <= tie) return;
  if (distance < search.best - tie) {
    search.best = distance;
    search.ranks.resize(search.start);
  }
  search.ranks.push_back(node);
}

}  // namespace wattune::space
