// Named quantities of a recording by entry, without building an outcome for each: what analyses of whole spaces read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune::analysis {

/// Entries that count: correct, and not replaced by a later entry of the same configuration. Ascending.
std::vector<std::size_t> counting_entries(const RecordedSpace& recording);

/// One quantity: time, time_ms, power, energy, edp, ed2p, … (SI, as in objective.hpp) or a recorded one by its name.
class RecordedQuantity {
 public:
  /// Throws Error(bad_input) naming the nearest one when no entry can have it.
  RecordedQuantity(const RecordedSpace& recording, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  /// Nothing for failed entries and missing numbers.
  [[nodiscard]] std::optional<double> at(std::size_t entry) const;
  /// Single readings behind the value, in the same unit; empty where none were recorded or they do not belong to it.
  [[nodiscard]] std::vector<double> samples(std::size_t entry) const;
  /// The value with the 95 % interval of the mean of its samples; the value alone without samples.
  [[nodiscard]] std::optional<Interval> interval(std::size_t entry) const;

 private:
  enum class Kind : std::uint8_t { time, power, energy, edp, ed2p, number };
  const RecordedSpace* recording_;
  std::string name_, unit_;
  Kind kind_ = Kind::number;
  double scale_ = 1.0;
  const RecordedNumbers* numbers_ = nullptr;
  const RecordedSamples* samples_ = nullptr;
};

/// The power limit in force at an entry, W: its own parameter (power_limit_w, nvml_pwr_limit), else none.
std::optional<double> power_limit_at(const RecordedSpace& recording, std::size_t entry);

}  // namespace wattune::analysis
