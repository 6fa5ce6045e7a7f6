// Launch geometry of a configuration: blocks, threads per block, dynamic local memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/environment.hpp"
#include "wattune/engine.hpp"
#include "wattune/space.hpp"
#include "wattune/spec.hpp"

namespace wattune::tune {

/// A LaunchSpec compiled against an environment. A dimension has ceil(size / product of divisors) blocks; each divisor
/// is truncated to a whole number first, as in Kernel Tuner.
class Launch {
 public:
  /// Throws Error(bad_input): no grid, more than three dimensions, a faulty expression.
  Launch(const LaunchSpec& spec, const Environment& environment);

  /// Throws Error(bad_input) when a size cannot be computed or a block is empty.
  [[nodiscard]] Geometry geometry(const Environment& environment, std::span<const Value> configuration) const;

  /// Expressions for the threads of a block, for implicit constraints.
  [[nodiscard]] const std::vector<LocatedText>& block_texts() const { return block_texts_; }

 private:
  struct Dimension {
    std::optional<Expression> size;
    std::vector<Expression> divisors;
    std::optional<Expression> blocks;
  };
  std::vector<Dimension> grid_;
  std::vector<Expression> block_;
  std::vector<LocatedText> block_texts_;
  std::optional<Expression> shared_bytes_;
};

/// Threads-per-block expressions of a spec: its own, else the parameters block_size_x, _y, _z that exist.
std::vector<LocatedText> block_expressions(const LaunchSpec& spec, const Environment& environment);

/// Constraints that the device imposes on block size and dynamic local memory, with origin "device limit".
std::vector<Constraint> device_constraints(const LaunchSpec& spec, const Environment& environment,
                                           const DeviceDescription& device);

}  // namespace wattune::tune
