// From a spec to what depends on the kind of device, and to its space.
#include <algorithm>

#include "tune/launch.hpp"
#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

void apply(BudgetSpec& budget, const BudgetSpec& other) {
  if (other.evaluations) budget.evaluations = other.evaluations;
  if (other.seconds) budget.seconds = other.seconds;
  if (other.fraction) budget.fraction = other.fraction;
  if (other.no_improvement) budget.no_improvement = other.no_improvement;
  if (other.target) budget.target = other.target;
}

/// The default, else the first value; of a setting of the hardware the highest, as devices come.
std::size_t default_position(const ParameterSpec& parameter) {
  if (!parameter.default_value) {
    if (hardware_setting(parameter.name).empty()) return 0;
    const auto highest = std::ranges::max_element(parameter.values, {}, [](const Value& v) { return v.as_number(); });
    return static_cast<std::size_t>(highest - parameter.values.begin());
  }
  const auto found = std::find(parameter.values.begin(), parameter.values.end(), *parameter.default_value);
  if (found == parameter.values.end()) {
    throw Error(ExitCode::bad_input, "the default of '" + parameter.name + "' is not one of its values",
                to_string(parameter.at));
  }
  return static_cast<std::size_t>(found - parameter.values.begin());
}

}  // namespace

Spec for_device_kind(const Spec& spec, const std::string& device_kind) {
  const std::string kind = device_kind == "virtual" ? "gpu" : device_kind;
  Spec chosen = spec;
  if (const auto found = spec.problem_for.find(kind); found != spec.problem_for.end()) {
    for (const NamedValue& item : found->second) {
      const auto same = std::ranges::find(chosen.problem, item.name, &NamedValue::name);
      if (same != chosen.problem.end()) {
        *same = item;
      } else {
        chosen.problem.push_back(item);
      }
    }
  }
  if (const auto found = spec.budget_for.find(kind); found != spec.budget_for.end())
    apply(chosen.budget, found->second);
  return chosen;
}

Space build_space(const Spec& spec, const DeviceDescription* device, const SpaceOptions& options) {
  std::vector<Parameter> parameters;
  std::vector<std::string> names;
  for (const ParameterSpec& given : spec.parameters) {
    if (given.supported) {
      throw Error(ExitCode::bad_input,
                  "the values of '" + given.name + "' ('" + given.supported->value + "') are known only on the device",
                  to_string(given.supported->at), "list them, or use a command that opens the device");
    }
    const ParameterRole role = hardware_setting(given.name).empty() ? ParameterRole::kernel : ParameterRole::device;
    parameters.push_back({given.name, given.values, default_position(given), role});
    names.push_back(given.name);
  }
  SpaceOptions all = options;
  for (const NamedValue& item : spec.problem) all.constants.emplace_back(item.name, item.value);
  std::vector<Constraint> constraints;
  for (const LocatedText& text : spec.constraints) constraints.push_back({text.value, to_string(text.at)});
  if (device != nullptr) {
    const tune::Environment environment(names, all.constants);
    for (Constraint& limit : tune::device_constraints(spec.launch, environment, *device))
      constraints.push_back(std::move(limit));
  }
  return Space::build(std::move(parameters), std::move(constraints), all);
}

}  // namespace wattune
