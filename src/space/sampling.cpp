// Draws of configurations from a Space: uniform, and spread over the value lists.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "wattune/error.hpp"
#include "wattune/neighbourhood.hpp"
#include "wattune/space.hpp"

namespace wattune {
namespace {

void check_count(std::size_t count, std::uint64_t size) {
  if (count <= size) return;
  throw Error(ExitCode::bad_input,
              "a sample of " + std::to_string(count) + " was asked of a space with " + std::to_string(size) +
                  " valid configurations",
              "", "ask for at most " + std::to_string(size));
}

/// Adds configurations drawn uniformly until there are `count`.
void fill_uniformly(std::vector<ConfigurationId>& ids, std::unordered_set<ConfigurationId>& taken, std::size_t count,
                    std::uint64_t size, Random& random) {
  while (ids.size() < count) {
    const ConfigurationId id = random.below(size);
    if (taken.insert(id).second) ids.push_back(id);
  }
}

}  // namespace

std::vector<ConfigurationId> Space::sample(std::size_t count, Random& random) const {
  check_count(count, size());
  std::vector<ConfigurationId> ids;
  // Drawing again on a repeat takes long near the end of a small space: shuffle it instead.
  if (static_cast<double>(count) * 2.0 > static_cast<double>(size())) {
    ids.resize(static_cast<std::size_t>(size()));
    std::iota(ids.begin(), ids.end(), ConfigurationId{0});
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(ids[i], ids[i + static_cast<std::size_t>(random.below(ids.size() - i))]);
    }
    ids.resize(count);
    return ids;
  }
  ids.reserve(count);
  std::unordered_set<ConfigurationId> taken;
  fill_uniformly(ids, taken, count, size(), random);
  return ids;
}

std::vector<ConfigurationId> Space::latin_hypercube(std::size_t count, Random& random) const {
  check_count(count, size());
  const std::size_t n = parameters().size();
  std::vector<std::vector<std::uint32_t>> points(count, std::vector<std::uint32_t>(n));
  std::vector<std::size_t> strata(count);
  for (std::size_t p = 0; p < n; ++p) {
    const auto length = static_cast<double>(parameters()[p].values.size());
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    random.shuffle(std::span(strata));
    for (std::size_t i = 0; i < count; ++i) {
      const double at = (static_cast<double>(strata[i]) + random.uniform()) / static_cast<double>(count);
      points[i][p] = static_cast<std::uint32_t>(std::min(std::floor(at * length), length - 1.0));
    }
  }
  const Neighbourhood neighbourhood(*this);
  std::vector<ConfigurationId> ids;
  std::unordered_set<ConfigurationId> taken;
  std::vector<ConfigurationId> near;
  for (const std::vector<std::uint32_t>& point : points) {
    if (const auto id = find(point)) {
      near.assign(1, *id);
    } else {
      neighbourhood.neighbours(point, NeighbourhoodKind::closest, near);
    }
    // Among equally near ones any that is still free, starting at random.
    const std::size_t start = static_cast<std::size_t>(random.below(near.size()));
    for (std::size_t i = 0; i < near.size(); ++i) {
      const ConfigurationId id = near[(start + i) % near.size()];
      if (!taken.insert(id).second) continue;
      ids.push_back(id);
      break;
    }
  }
  fill_uniformly(ids, taken, count, size(), random);
  return ids;
}

}  // namespace wattune
