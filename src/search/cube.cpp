#include "search/cube.hpp"

#include <algorithm>

namespace wattune::search {
namespace {

/// First id in [low, high) whose digit of `parameter` is at least `digit`; the digits ascend over the range.
ConfigurationId lower_bound(const Space& space, ConfigurationId low, ConfigurationId high, std::size_t parameter,
                            std::uint32_t digit) {
  while (low < high) {
    const ConfigurationId middle = low + (high - low) / 2;
    if (space.digit(middle, parameter) < digit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

Cube::Cube(const Space& space) : space_(&space) {
  for (std::size_t p = 0; p < space.parameters().size(); ++p) {
    if (space.parameters()[p].values.size() > 1) free_.push_back(p);
  }
}

ConfigurationId Cube::at(std::span<const double> point) const {
  ConfigurationId low = 0;
  ConfigurationId high = space_->size();
  for (std::size_t k = 0; k < free_.size() && high - low > 1; ++k) {
    const auto offset = static_cast<std::uint64_t>(point[k] * static_cast<double>(high - low));
    const ConfigurationId chosen = low + std::min(offset, high - low - 1);
    const std::uint32_t digit = space_->digit(chosen, free_[k]);
    low = lower_bound(*space_, low, chosen, free_[k], digit);
    high = lower_bound(*space_, chosen, high, free_[k], digit + 1);
  }
  return low;
}

}  // namespace wattune::search
