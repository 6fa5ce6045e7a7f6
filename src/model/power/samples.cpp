// Samples of power over clocks out of a recording.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/power/clock_names.hpp"
#include "wattune/error.hpp"
#include "wattune/power_model.hpp"

namespace wattune {
namespace {

// Names under which public recordings keep them; the first found counts.
constexpr std::array<std::string_view, 3> temperatures = {"temperature", "temperature_c", "avg_temp_c"};
constexpr std::array<std::string_view, 4> voltages = {"voltage", "voltage_v", "core_voltage", "gr_voltage"};

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
  const auto clock = model::parameter_named(recording, model::requested_clock_names);
  const auto memory = model::parameter_named(recording, model::memory_clock_names);
  const RecordedNumbers* measured = model::numbers_named(recording, model::measured_clock_names);
  if (!clock && measured == nullptr) {
    throw Error(ExitCode::bad_input, "the recording has no core clock", recording.source,
                "a parameter core_clock_mhz (or nvml_gr_clock), or a quantity core_freq, in MHz");
  }
  refuse_other_parameters(recording, clock, memory);
  const RecordedNumbers* memory_numbers = model::numbers_named(recording, model::memory_clock_names);
  const RecordedNumbers* temperature = model::numbers_named(recording, temperatures);
  const RecordedNumbers* voltage = model::numbers_named(recording, voltages);
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
