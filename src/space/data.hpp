// What a Space holds: its parameters and the blocks of which it is the product. The rank of a configuration is the
// mixed-radix number of its ranks in the blocks, first block slowest.
#pragma once

#include <cstdint>
#include <vector>

#include "space/block.hpp"
#include "wattune/space.hpp"

namespace wattune {

struct Space::Data {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<space::Block> blocks;
  std::vector<std::uint32_t> first;     ///< per block: its first parameter
  std::vector<std::uint64_t> stride;    ///< per block: product of the sizes of later blocks
  std::vector<std::uint32_t> block_of;  ///< per parameter
  std::uint64_t size = 0;
  double cartesian = 1.0;
  double seconds = 0.0;
  bool complete = true;

  /// Sets everything that follows from `blocks`. Returns false when the size exceeds 63 bits.
  bool link();

  [[nodiscard]] std::uint64_t rank_in_block(ConfigurationId id, std::size_t block) const {
    if (blocks.size() == 1) return id;
    return id / stride[block] % blocks[block].size();
  }
};

namespace space {

/// Neighbourhood works on the same blocks as the space.
struct Access {
  static const Space::Data& data(const Space& space) { return *space.data_; }
};

}  // namespace space
}  // namespace wattune
