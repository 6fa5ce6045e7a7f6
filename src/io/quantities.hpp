// Units and names of the quantities in other tools' files, and the exact way back from seconds to milliseconds.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/run.hpp"

namespace wattune::io {

/// Milliseconds to seconds, correctly rounded (a multiplication by 0.001 is not).
constexpr double seconds_of_ms(double milliseconds) {
  return milliseconds / 1e3;
}

/// The number of milliseconds with the fewest digits that seconds_of_ms() turns into exactly `seconds`: a file that was
/// read is written again with the same numbers.
double ms_of_seconds(double seconds);

/// Unit of an observed quantity by its name ("core_clock_mhz" -> "MHz", "nvml_power" -> "W"); "" when not known.
std::string_view unit_of(std::string_view name);

/// One number of an outcome besides its time: power, energy, an observed quantity or a metric.
struct NamedNumber {
  std::string name;
  double value = 0.0;
  std::string unit;
};

/// All finite numbers of `outcome` besides its time, each name once: power and energy (unless the recording already
/// holds them under the name of its sensor), then observed quantities, then metrics.
std::vector<NamedNumber> numbers_of(const Outcome& outcome, const RunRecord& head);

/// Kernel Tuner's name of a failure: "CompilationFailedConfig", "InvalidConfig", "RuntimeFailedConfig".
std::string_view failure_name(Status status);

}  // namespace wattune::io
