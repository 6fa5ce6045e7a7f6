#include "wattune/neighbourhood.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "base/text.hpp"
#include "space/data.hpp"
#include "space/prefix_tree.hpp"

namespace wattune {
namespace {

using space::Block;
using space::Choice;
using space::PrefixTree;
using Positions = std::span<const std::uint32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Choice one_step(std::uint32_t position, std::uint32_t length) {
  Choice choice;
  if (position > 0) choice.position[choice.count++] = position - 1;
  choice.position[choice.count++] = position;
  if (position + 1 < length) choice.position[choice.count++] = position + 1;
  return choice;
}

Choice one_occurring_step(const PrefixTree& tree, std::size_t p, std::uint32_t position) {
  Choice choice;
  for (std::uint32_t below = position; below-- > 0;) {
    if (!tree.occurs(p, below)) continue;
    choice.position[choice.count++] = below;
    break;
  }
  choice.position[choice.count++] = position;
  for (std::uint32_t above = position + 1; above < tree.length(p); ++above) {
    if (!tree.occurs(p, above)) continue;
    choice.position[choice.count++] = above;
    break;
  }
  return choice;
}

/// `out` holds `count` partial ids, then ranks of the next block: replaces all by their combinations, ascending.
void combine(std::vector<ConfigurationId>& out, std::size_t count, std::uint64_t block_size) {
  const std::size_t ranks = out.size() - count;
  const std::size_t start = out.size();
  out.resize(start + count * ranks);
  std::size_t write = start;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < ranks; ++r) out[write++] = out[i] * block_size + out[count + r];
  }
  out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(start));
}

}  // namespace

struct Neighbourhood::Data {
  const Space::Data& space;
  std::vector<double> scales;  ///< per parameter: one step of its list in units of the whole list
  mutable std::once_flag once;
  mutable std::vector<PrefixTree> lazy_trees;

  explicit Data(const Space::Data& data) : space(data) {
    for (const Parameter& parameter : data.parameters) {
      const std::size_t length = parameter.values.size();
      scales.push_back(length > 1 ? 1.0 / static_cast<double>(length - 1) : 0.0);
    }
  }

  const std::vector<PrefixTree>& trees() const {
    std::call_once(once, [this] {
      for (const Block& block : space.blocks) lazy_trees.emplace_back(block);
    });
    return lazy_trees;
  }
  Positions of_block(Positions digits, std::size_t b) const {
    return digits.subspan(space.first[b], space.blocks[b].parameters());
  }
  std::span<const double> scales_of_block(std::size_t b) const {
    return std::span(scales).subspan(space.first[b], space.blocks[b].parameters());
  }

  void one_parameter(Positions digits, bool one_step_only, std::vector<ConfigurationId>& out) const;
  void box(Positions digits, bool strictly, std::vector<ConfigurationId>& out) const;
  void closest(Positions digits, std::vector<ConfigurationId>& out) const;
  void closest_to_valid(Positions digits, std::vector<ConfigurationId>& out) const;
  void closest_to_invalid(Positions digits, std::vector<ConfigurationId>& out) const;
};

void Neighbourhood::Data::one_parameter(Positions digits, bool one_step_only, std::vector<ConfigurationId>& out) const {
  ConfigurationId base = 0;
  std::size_t invalid_block = space.blocks.size();
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    const std::uint64_t rank = space.blocks[b].find(of_block(digits, b).data());
    if (rank != Block::absent) {
      base += rank * space.stride[b];
    } else if (invalid_block != space.blocks.size()) {
      return;  // two independent blocks are invalid: no single parameter mends both
    } else {
      invalid_block = b;
    }
  }
  thread_local std::vector<std::uint32_t> moved;
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    if (invalid_block != space.blocks.size() && invalid_block != b) continue;
    const Block& block = space.blocks[b];
    const Positions here = of_block(digits, b);
    const std::uint64_t own = block.find(here.data());
    const ConfigurationId rest = own == Block::absent ? base : base - own * space.stride[b];
    moved.assign(here.begin(), here.end());
    for (std::size_t p = 0; p < here.size(); ++p) {
      const std::uint32_t length = block.fields()[p].length;
      const std::uint32_t begin = one_step_only && here[p] > 0 ? here[p] - 1 : (one_step_only ? here[p] : 0);
      const std::uint32_t end = one_step_only ? std::min(here[p] + 2, length) : length;
      for (std::uint32_t value = begin; value < end; ++value) {
        if (value == here[p]) continue;
        moved[p] = value;
        const std::uint64_t rank = block.find(moved.data());
        if (rank != Block::absent) out.push_back(rest + rank * space.stride[b]);
      }
      moved[p] = here[p];
    }
  }
}

void Neighbourhood::Data::box(Positions digits, bool strictly, std::vector<ConfigurationId>& out) const {
  thread_local std::vector<Choice> choices;
  ConfigurationId own = 0;
  bool valid = true;
  out.push_back(0);
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    const Block& block = space.blocks[b];
    const Positions here = of_block(digits, b);
    choices.resize(here.size());
    for (std::size_t p = 0; p < here.size(); ++p) {
      choices[p] = strictly ? one_step(here[p], block.fields()[p].length) : one_occurring_step(trees()[b], p, here[p]);
    }
    const std::size_t count = out.size();
    trees()[b].within(choices, out);
    combine(out, count, block.size());
    const std::uint64_t rank = block.find(here.data());
    valid = valid && rank != Block::absent;
    own = own * block.size() + rank;
  }
  if (!valid) return;
  const auto at = std::lower_bound(out.begin(), out.end(), own);
  if (at != out.end() && *at == own) out.erase(at);
}

void Neighbourhood::Data::closest_to_invalid(Positions digits, std::vector<ConfigurationId>& out) const {
  // Squared distances of blocks add up, so the nearest configurations combine the nearest parts.
  out.push_back(0);
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    const std::size_t count = out.size();
    trees()[b].nearest(of_block(digits, b), scales_of_block(b), false, out);
    combine(out, count, space.blocks[b].size());
  }
}

void Neighbourhood::Data::closest_to_valid(Positions digits, std::vector<ConfigurationId>& out) const {
  // Exactly one block leaves the point: the one, or ones, whose nearest other combination is nearest.
  ConfigurationId id = 0;
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    id += space.blocks[b].find(of_block(digits, b).data()) * space.stride[b];
  }
  double best = infinity;
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    const std::size_t start = out.size();
    const double distance = trees()[b].nearest(of_block(digits, b), scales_of_block(b), true, out);
    const bool nearer = distance < best - 1e-12;
    if (!nearer && !(distance <= best + 1e-12 && distance < infinity)) {
      out.resize(start);
      continue;
    }
    const ConfigurationId rest = id - space.blocks[b].find(of_block(digits, b).data()) * space.stride[b];
    for (std::size_t i = start; i < out.size(); ++i) out[i] = rest + out[i] * space.stride[b];
    if (nearer) {
      out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(start));
      best = distance;
    }
  }
  std::sort(out.begin(), out.end());
}

void Neighbourhood::Data::closest(Positions digits, std::vector<ConfigurationId>& out) const {
  bool valid = true;
  for (std::size_t b = 0; b < space.blocks.size(); ++b) {
    valid = valid && space.blocks[b].find(of_block(digits, b).data()) != Block::absent;
  }
  if (valid) {
    closest_to_valid(digits, out);
  } else {
    closest_to_invalid(digits, out);
  }
}

Neighbourhood::Neighbourhood(const Space& space) : data_(std::make_unique<Data>(space::Access::data(space))) {}
Neighbourhood::Neighbourhood(Neighbourhood&&) noexcept = default;
Neighbourhood& Neighbourhood::operator=(Neighbourhood&&) noexcept = default;
Neighbourhood::~Neighbourhood() = default;

void Neighbourhood::neighbours(std::span<const std::uint32_t> digits, NeighbourhoodKind kind,
                               std::vector<ConfigurationId>& out) const {
  out.clear();
  switch (kind) {
    case NeighbourhoodKind::hamming:
      return data_->one_parameter(digits, false, out);
    case NeighbourhoodKind::hamming_adjacent:
      return data_->one_parameter(digits, true, out);
    case NeighbourhoodKind::strictly_adjacent:
      return data_->box(digits, true, out);
    case NeighbourhoodKind::adjacent:
      return data_->box(digits, false, out);
    case NeighbourhoodKind::closest:
      return data_->closest(digits, out);
  }
}

void Neighbourhood::neighbours(ConfigurationId id, NeighbourhoodKind kind, std::vector<ConfigurationId>& out) const {
  thread_local std::vector<std::uint32_t> digits;
  digits.resize(data_->space.parameters.size());
  for (std::size_t b = 0; b < data_->space.blocks.size(); ++b) {
    data_->space.blocks[b].digits(data_->space.rank_in_block(id, b), digits.data() + data_->space.first[b]);
  }
  neighbours(digits, kind, out);
}

ConfigurationId Neighbourhood::nearest(std::span<const std::uint32_t> digits) const {
  ConfigurationId id = 0;
  std::vector<std::uint64_t> ranks;
  for (std::size_t b = 0; b < data_->space.blocks.size(); ++b) {
    const Positions here = data_->of_block(digits, b);
    std::uint64_t rank = data_->space.blocks[b].find(here.data());
    if (rank == Block::absent) {
      ranks.clear();
      data_->trees()[b].nearest(here, data_->scales_of_block(b), false, ranks);
      rank = ranks.front();
    }
    id += rank * data_->space.stride[b];
  }
  return id;
}

std::size_t Neighbourhood::bytes() const {
  std::size_t sum = 0;
  for (const PrefixTree& tree : data_->trees()) sum += tree.bytes();
  return sum;
}

std::string_view to_string(NeighbourhoodKind kind) {
  switch (kind) {
    case NeighbourhoodKind::hamming:
      return "hamming";
    case NeighbourhoodKind::hamming_adjacent:
      return "hamming-adjacent";
    case NeighbourhoodKind::strictly_adjacent:
      return "strictly-adjacent";
    case NeighbourhoodKind::adjacent:
      return "adjacent";
    case NeighbourhoodKind::closest:
      return "closest";
  }
  return "hamming";
}

std::optional<NeighbourhoodKind> neighbourhood_kind_from(std::string_view name) {
  const std::string lower = base::lower(name);
  for (const NeighbourhoodKind kind :
       {NeighbourhoodKind::hamming, NeighbourhoodKind::hamming_adjacent, NeighbourhoodKind::strictly_adjacent,
        NeighbourhoodKind::adjacent, NeighbourhoodKind::closest}) {
    if (lower == to_string(kind)) return kind;
  }
  if (lower == "bounded") return NeighbourhoodKind::hamming_adjacent;
  return std::nullopt;
}

}  // namespace wattune
