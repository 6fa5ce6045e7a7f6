#include "wattune/simulated_space.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/virtual/virtual_engine.hpp"
#include "sim/options.hpp"
#include "tune/hardware.hpp"
#include "wattune/device.hpp"
#include "wattune/objective.hpp"
#include "wattune/space.hpp"
#include "wattune/spec_profile.hpp"
#include "wattune/tune.hpp"
#include "wattune/virtual_gpu.hpp"

namespace wattune {
namespace {

enum Column : std::size_t { energy, power, reached_clock, temperature, occupancy_share, columns };

/// Where a configuration's hardware settings stand among its values.
struct Settings {
  explicit Settings(const Spec& spec) {
    for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
      const std::string_view setting = hardware_setting(spec.parameters[i].name);
      if (setting == "compute_units") compute_units = i;
      if (setting == "core_clock_mhz") core_clock = i;
      if (setting == "memory_clock_mhz") memory_clock = i;
      if (setting == "power_limit_w") power_limit = i;
      if (setting.empty()) kernel.push_back(i);
    }
  }
  [[nodiscard]] HardwareConfiguration of(std::span<const Value> configuration) const {
    HardwareConfiguration hardware;
    const auto number = [&](const std::optional<std::size_t>& at) { return at ? configuration[*at].as_number() : 0.0; };
    hardware.compute_units = static_cast<std::uint32_t>(number(compute_units));
    hardware.core_clock = megahertz(number(core_clock));
    hardware.memory_clock = megahertz(number(memory_clock));
    hardware.power_limit = Watts(number(power_limit));
    return hardware;
  }
  std::optional<std::size_t> compute_units, core_clock, memory_clock, power_limit;
  std::vector<std::size_t> kernel;  ///< positions of all others
};

RecordedSpace head(const Spec& spec, const Space& space, const DeviceDescription& device) {
  RecordedSpace recording;
  recording.source = device.id;
  recording.format = "simulated";
  recording.kernel_name = spec.kernel.name.value;
  recording.device_name = device.name;
  recording.note = "simulated without noise";
  for (const NamedValue& item : spec.problem) {
    recording.problem += (recording.problem.empty() ? "" : ", ") + item.name + "=" + to_string(item.value);
    if (item.value.is_number()) recording.problem_size.push_back(item.value.as_number());
  }
  for (const ObjectiveSpec& objective : spec.objectives)
    recording.objectives.push_back(
        {objective.name.value, objective.maximize, std::string(built_in_unit(objective.name.value))});
  if (recording.objectives.empty()) recording.objectives.push_back({"time", false, "s"});
  for (const Parameter& parameter : space.parameters())
    recording.parameters.push_back({parameter.name, parameter.values, parameter.values[parameter.default_index],
                                    parameter.role == ParameterRole::device});
  constexpr std::array<std::pair<const char*, const char*>, columns> named = {
      {{"energy", "J"}, {"power", "W"}, {"reached_core_clock_mhz", "MHz"}, {"temperature_c", "°C"}, {"occupancy", ""}}};
  for (const auto& [name, unit] : named) recording.numbers.push_back({name, unit, {}, {}});
  return recording;
}

/// Appends one entry.
void append(RecordedSpace& recording, const ExactResult& exact) {
  const bool correct = exact.limit == LaunchLimit::none;
  recording.status.push_back(correct ? Status::correct : Status::runtime);
  recording.time.push_back(exact.time.value());
  const std::array<double, columns> values = {exact.energy.value(), exact.power.value(), in_megahertz(exact.core_clock),
                                              exact.celsius, exact.occupancy};
  for (std::size_t i = 0; i < columns; ++i) {
    recording.numbers[i].values.push_back(values[i]);
    recording.numbers[i].present.push_back(correct ? 1 : 0);
  }
}

}  // namespace

RecordedSpace simulate_space(const Spec& given, const std::string& device) {
  const sim::NamedVirtualGpu gpu = sim::parse_id(device);
  const std::string id = std::string(sim::id_prefix) + gpu.preset->id;
  const DeviceDescription description = engine::simulated::describe(id);
  const std::unique_ptr<Device> opened = open_device(id);
  const Spec spec = tune::with_supported_values(for_device_kind(given, description.kind), opened.get(), description);
  const Space space = build_space(spec, &description);
  const SpecProfile profile_of(spec);
  const Settings settings(spec);

  RecordedSpace recording = head(spec, space, description);
  recording.digits.reserve(space.size() * space.parameters().size());
  KernelProfile profile;
  std::vector<Value> before;  // whose profile that is; settings of the hardware usually change fastest
  for (ConfigurationId number = 0; number < space.size(); ++number) {
    const std::vector<Value> values = space.values(number);
    const auto same = [&](std::size_t i) { return values[i] == before[i]; };
    if (before.empty() || !std::ranges::all_of(settings.kernel, same)) profile = profile_of.evaluate(values);
    before = values;
    const std::vector<std::uint32_t> digits = space.digits(number);
    recording.digits.insert(recording.digits.end(), digits.begin(), digits.end());
    append(recording, evaluate_exact(*gpu.preset, profile, settings.of(values)));
  }
  for (auto* durations :
       {&recording.compile_time, &recording.verify_time, &recording.benchmark_time, &recording.overhead})
    durations->assign(recording.size(), 0.0);
  return recording;
}

}  // namespace wattune
