// Puts rows of measurements, in any order, into the grid of a data set.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/dataset.hpp"

namespace wattune::io {

/// What to do with a second row of the same kernel and configuration.
enum class Repeats : std::uint8_t {
  refuse,  ///< an Error that names both rows
  mean,    ///< arithmetic mean of all of them, number by number
  first,   ///< the first counts
};

/// One measurement.
struct DatasetRow {
  std::string kernel, group;
  HardwareConfiguration configuration;
  std::optional<double> time;                            ///< s
  std::optional<double> power;                           ///< W
  std::vector<std::pair<std::size_t, double>> counters;  ///< by position in the builder's list
  std::string where;                                     ///< "file:line"
};

class DatasetBuilder {
 public:
  explicit DatasetBuilder(Repeats repeats) : repeats_(repeats) {}

  /// Position of a counter, added when it is new.
  std::size_t counter(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& counters() const { return counters_; }
  /// Throws Error(bad_input) for a number that cannot be (time or power not above 0, not finite; a counter not finite),
  /// a kernel in two groups, and repeats that are refused.
  void add(DatasetRow row);
  /// How many rows were merged into earlier ones.
  [[nodiscard]] std::size_t merged() const { return merged_; }

  /// The grid: configurations ascending by compute units, core clock, memory clock and power limit; kernels in the
  /// order in which they came. `head` gives name, device and so on. Counters that never have a value are left out.
  [[nodiscard]] Dataset finish(Dataset head) const;

 private:
  /// Sum and number of values, so that a mean is one division at the end.
  struct Sum {
    double sum = 0.0;
    std::size_t count = 0;
    void add(double value) {
      sum += value;
      ++count;
    }
  };
  struct Cell {
    Sum time, power;
    std::map<std::size_t, Sum> counters;
    std::string where;
  };
  std::size_t kernel_of(const DatasetRow& row);

  Repeats repeats_;
  std::vector<std::string> counters_;
  std::map<std::string, std::size_t> counter_positions_;
  std::vector<DatasetKernel> kernels_;
  std::map<std::string, std::size_t> kernel_positions_;
  std::map<std::pair<std::size_t, HardwareConfiguration>, Cell> cells_;
  std::size_t merged_ = 0;
};

}  // namespace wattune::io
