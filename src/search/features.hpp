// Configurations as points of a real space in which a smooth function can describe a kernel's speed.
// Beside each parameter (logarithm of its value, else its position, else one axis for each text) there are two kinds of
// derived axes that tuning spaces need: how often two divides a value (alignment, bank conflicts), and the product of
// two values (threads of a block, elements of a tile). A process with a length for each axis finds out which of them
// matter.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "wattune/space.hpp"

namespace wattune::search {

class Features {
 public:
  explicit Features(const Space& space);
  [[nodiscard]] std::size_t dimensions() const { return axes_.size(); }
  /// One row for each configuration, one column for each axis, values of the order of 1.
  [[nodiscard]] Eigen::MatrixXf coordinates(std::span<const ConfigurationId> ids) const;

 private:
  /// A coordinate: the sum over parameters of a number for each value position.
  struct Axis {
    std::vector<std::size_t> parameters;
    std::vector<std::vector<float>> parts;  // for each of `parameters`, by value position
  };
  void add_own_axes(std::size_t parameter);
  void add_power_of_two(std::size_t parameter);
  void add_product(std::size_t first, std::size_t second);

  const Space* space_;
  std::vector<Axis> axes_;
};

}  // namespace wattune::search
