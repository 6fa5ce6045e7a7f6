// Samples of power over clocks out of a recording.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "wattune/error.hpp"
#include "wattune/power_model.hpp"

namespace wattune {
namespace {

using Names = std::span<const std::string_view>;

// Names under which public recordings keep them, in MHz; the first found counts.
constexpr std::array<std::string_view, 7> requested_clocks = {
    "core_clock_mhz", "nvml_gr_clock", "sm_app_clock", "core_frequency", "clock_target_mhz", "coreF", "clock_mhz"};
constexpr std::array<std::string_view, 6> measured_clocks = {"core_clock_mhz", "core_freq",     "sm_clock",
                                                             "avg_clock_mhz",  "pwr_core_freq", "measured_clock_mhz"};
constexpr std::array<std::string_view, 4> memory_clocks = {"memory_clock_mhz", "nvml_mem_clock", "mem_freq", "memF"};
constexpr std::array<std::string_view, 3> temperatures = {"temperature", "temperature_c", "avg_temp_c"};
constexpr std::array<std::string_view, 4> voltages = {"voltage", "voltage_v", "core_voltage", "gr_voltage"};

std::optional<std::size_t> parameter_of(const RecordedSpace& recording, Names names) {
  for (const std::string_view name : names) {
    if (const auto index = recording.parameter_index(name)) return index;
  }
  return std::nullopt;
}

const RecordedNumbers* numbers_of(const RecordedSpace& recording, Names names) {
  for (const std::string_view name : names) {
    if (const RecordedNumbers* found = recording.find_numbers(name)) return found;
  }
  return nullptr;
}

std::optional<double> number_at(const RecordedNumbers* column, std::size_t entry) {
  return column != nullptr ? column->at(entry) : std::nullopt;
}

std::optional<double> parameter_at(const RecordedSpace& recording, std::optional<std::size_t> parameter,
                                   std::size_t entry) {
  if (!parameter) return std::nullopt;
  const Value& value = recording.value(entry, *parameter);
  return value.is_number() ? std::optional(value.as_number()) : std::nullopt;
}

/// One kernel alone can be sampled over clocks: parameters that are no clock must not vary.
void refuse_other_parameters(const RecordedSpace& recording, std::optional<std::size_t> clock,
                             std::optional<std::size_t> memory) {
  for (std::size_t p = 0; p < recording.parameters.size(); ++p) {
    if (p == clock || p == memory) continue;
    for (std::size_t i = 1; i < recording.size(); ++i) {
      if (recording.digits_of(i)[p] == recording.digits_of(0)[p]) continue;
      throw Error(
          ExitCode::bad_input,
          fmt::format("samples of one kernel are needed, but parameter '{}' varies", recording.parameters[p].name),
          recording.source, "record one configuration over clocks");
    }
  }
}

}  // namespace

std::vector<PowerSample> power_samples(const RecordedSpace& recording) {
  const auto clock = parameter_of(recording, requested_clocks);
  const auto memory = parameter_of(recording, memory_clocks);
  const RecordedNumbers* measured = numbers_of(recording, measured_clocks);
  if (!clock && measured == nullptr) {
    throw Error(ExitCode::bad_input, "the recording has no core clock", recording.source,
                "a parameter core_clock_mhz (or nvml_gr_clock), or a quantity core_freq, in MHz");
  }
  refuse_other_parameters(recording, clock, memory);
  const RecordedNumbers* memory_numbers = numbers_of(recording, memory_clocks);
  const RecordedNumbers* temperature = numbers_of(recording, temperatures);
  const RecordedNumbers* voltage = numbers_of(recording, voltages);
  std::vector<PowerSample> samples;
  for (std::size_t i = 0; i < recording.size(); ++i) {
    const std::optional<Watts> power = recording.power(i);
    const std::optional<double> asked = parameter_at(recording, clock, i);
    const std::optional<double> reached = number_at(measured, i);
    if (!power || (!asked && !reached)) continue;
    PowerSample sample{megahertz(reached ? *reached : *asked), *power, {}, {}, number_at(temperature, i), {}};
    if (asked) sample.requested = megahertz(*asked);
    auto memory_mhz = number_at(memory_numbers, i);
    if (!memory_mhz) memory_mhz = parameter_at(recording, memory, i);
    if (memory_mhz && *memory_mhz > 0.0) sample.memory_clock = megahertz(*memory_mhz);
    if (const auto volts = number_at(voltage, i); volts && *volts > 0.0)
      sample.voltage = Volts(*volts > 20.0 ? *volts * 1e-3 : *volts);  // some record millivolts
    samples.push_back(sample);
  }
  if (samples.empty()) {
    throw Error(ExitCode::bad_input, "the recording has no power", recording.source,
                "a quantity power, power_w, nvml_power or one that ends with _power, in W; or energy");
  }
  return samples;
}

}  // namespace wattune
