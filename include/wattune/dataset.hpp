// Measurements of many kernels at many hardware configurations of one device: what scaling models are trained on and
// judged by. Room `record` holds the data; `io` reads and writes it (wattune/dataset_files.hpp). A grid of kernels x
// configurations in which every cell may be empty. SI units; refuses nothing by itself, validate() does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/error.hpp"
#include "wattune/hardware.hpp"
#include "wattune/status.hpp"

namespace wattune {

/// The axes of a hardware configuration.
enum class HardwareAxis : std::uint8_t { compute_units, core_clock, memory_clock, power_limit };
inline constexpr std::array hardware_axes = {HardwareAxis::compute_units, HardwareAxis::core_clock,
                                             HardwareAxis::memory_clock, HardwareAxis::power_limit};
/// The name with its unit: "compute_units", "core_clock_mhz", "memory_clock_mhz", "power_limit_w".
std::string_view to_string(HardwareAxis axis);
std::optional<HardwareAxis> hardware_axis_from(std::string_view name);
/// The value in the unit of the name; 0 where the configuration does not set it.
double axis_value(const HardwareConfiguration& configuration, HardwareAxis axis);
void set_axis_value(HardwareConfiguration& configuration, HardwareAxis axis, double value);
/// "core_clock_mhz=1410,memory_clock_mhz=5000": the axes that are set; "as found" when none is.
std::string to_string(const HardwareConfiguration& configuration);

struct DatasetKernel {
  std::string name;   ///< unique
  std::string group;  ///< application or program: kernels of one group never sit on both sides of a split
};

struct Dataset {
  std::string name;
  std::string device;
  std::string source;  ///< where the measurements come from
  std::string note;    ///< what was left out or repaired, in sentences
  Provenance provenance = Provenance::measured;

  std::vector<HardwareConfiguration> configurations;
  std::vector<DatasetKernel> kernels;
  std::vector<std::string> counters;  ///< names; "raw.<vendor>.<name>" where a vendor's counter has no equal

  // One element a cell, kernel after kernel.
  std::vector<double> time;   ///< s of a launch; 0 where not measured
  std::vector<double> power;  ///< W; 0 where not measured
  // counters.size() elements a cell.
  std::vector<double> counter_values;
  std::vector<std::uint8_t> counter_present;  ///< 1 where there is a value

  [[nodiscard]] std::size_t cell(std::size_t kernel, std::size_t configuration) const {
    return kernel * configurations.size() + configuration;
  }
  [[nodiscard]] std::optional<double> counter(std::size_t cell, std::size_t counter) const;
  void set_counter(std::size_t cell, std::size_t counter, double value);

  [[nodiscard]] std::optional<std::size_t> find_configuration(const HardwareConfiguration& configuration) const;
  [[nodiscard]] std::optional<std::size_t> find_kernel(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_counter(std::string_view name) const;
  /// Axes that any configuration sets, in the order of hardware_axes, and the values of one, ascending.
  [[nodiscard]] std::vector<HardwareAxis> axes() const;
  [[nodiscard]] std::vector<double> values(HardwareAxis axis) const;
  [[nodiscard]] std::size_t measurements() const;  ///< cells with a time or a power
  [[nodiscard]] std::vector<std::string> groups() const;

  /// Makes room for what `kernels`, `configurations` and `counters` say; every cell becomes empty.
  void clear_cells();
};

/// What is wrong with a data set: duplicate names, numbers that are not finite, times or powers below zero, sizes that
/// do not fit. Empty when it is sound.
std::vector<Problem> validate(const Dataset& dataset);

/// The same kernels at the configurations for which `keep` is 1.
Dataset with_configurations(const Dataset& dataset, std::span<const std::uint8_t> keep);
/// The same configurations with the kernels for which `keep` is 1.
Dataset with_kernels(const Dataset& dataset, std::span<const std::uint8_t> keep);

/// The configurations that a text means: "core_clock_mhz=510:1410:75,memory_clock_mhz=5000" (LOW:HIGH:STEP, LOW:HIGH or
/// one value an axis; every part must match).
class ConfigurationPattern {
 public:
  /// Throws Error(bad_input) for an unknown axis or an unreadable number.
  static ConfigurationPattern parse(std::string_view text);
  [[nodiscard]] bool matches(const HardwareConfiguration& configuration) const;

 private:
  struct Part {
    HardwareAxis axis = HardwareAxis::core_clock;
    double low = 0.0, high = 0.0, step = 0.0;
  };
  std::vector<Part> parts_;
};

/// 1 for each configuration that matches. Throws Error(bad_input) also when nothing does.
std::vector<std::uint8_t> matching_configurations(const Dataset& dataset, std::string_view text);
/// One configuration: as above, where exactly one must match; "max" is the highest value of every axis. Throws
/// Error(bad_input) and names configurations near it.
std::size_t base_configuration(const Dataset& dataset, std::string_view text);

}  // namespace wattune
