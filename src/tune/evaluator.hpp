// The port between the search and whatever answers it: a device that measures, or a recording that replays.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/space.hpp"
#include "wattune/units.hpp"

namespace wattune::tune {

/// Asked for each configuration once. Expected failures are outcomes; throws Error when it cannot answer at all.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// These will be asked for next, most likely in this order: time to compile ahead.
  virtual void prepare(std::span<const ConfigurationId> /*ids*/) {}
  /// The order in which a batch costs least, as positions in it; default: as it is.
  [[nodiscard]] virtual std::vector<std::size_t> order(std::span<const ConfigurationId> batch) const {
    std::vector<std::size_t> positions(batch.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    return positions;
  }
  /// The outcome of a configuration, metrics included. What has to be kept is durable when this returns.
  virtual Outcome evaluate(ConfigurationId id) = 0;
  /// What the search has cost so far; time budgets count it.
  [[nodiscard]] virtual Seconds elapsed() const = 0;
  /// Answers that were known before and cost nothing now.
  [[nodiscard]] virtual std::uint64_t reused() const { return 0; }
};

}  // namespace wattune::tune
