// Maps points of the unit cube to valid configurations so that uniform points become uniform configurations.
// The inverse of the conditional distribution, parameter by parameter (Rosenblatt 1952, "Remarks on a multivariate
// transformation"): identifiers are in lexicographic order, so all configurations with the same first values form one
// range, and a coordinate picks a position in that range. Needs no repair of invalid points.
#pragma once

#include <span>
#include <vector>

#include "wattune/space.hpp"

namespace wattune::search {

class Cube {
 public:
  explicit Cube(const Space& space);
  /// Number of coordinates that a point has: the parameters with more than one value.
  [[nodiscard]] std::size_t dimensions() const { return free_.size(); }
  /// The configuration at `point`, each coordinate in [0, 1).
  [[nodiscard]] ConfigurationId at(std::span<const double> point) const;

 private:
  const Space* space_;
  std::vector<std::size_t> free_;
};

}  // namespace wattune::search
