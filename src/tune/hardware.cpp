#include "tune/hardware.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "device/control_lock.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

constexpr const char* compute_units_setting = "compute_units";
constexpr double any_value_steps = 100.0;  // of a control that takes any value between two ends

/// The control with what stands in its way as an error.
Control& control_for(const Device* device, const std::string& name, const std::string& where) {
  if (device == nullptr) {
    throw Error(ExitCode::device, "nothing here sets '" + name + "' of this device", where,
                "`wattune devices` shows the controls");
  }
  Control* control = device->control(name);
  if (control != nullptr) return *control;
  std::string why = "it has no such control";
  for (const ControlInfo& info : device->info().controls) {
    if (info.name == name && !info.why.empty()) why = info.why;
  }
  throw Error(ExitCode::device, "'" + name + "' cannot be set on " + device->info().name + ": " + why, where,
              "take the parameter out of the spec, or tune on another device");
}

/// All values of a setting, ascending.
std::vector<double> supported_values(const std::string& name, const Device* device, const DeviceDescription& engine,
                                     const std::string& where) {
  std::vector<double> values;
  if (name == compute_units_setting) {
    const std::uint32_t step = engine.interface_name == "cuda" ? 8 : 1;  // green contexts come in groups of 8 at most
    for (std::uint32_t units = step; units < engine.compute_units; units += step) values.push_back(units);
    values.push_back(engine.compute_units);
    return values;
  }
  const ControlRange& range = control_for(device, name, where).range();
  if (!range.values.empty()) return range.values;
  const double step = std::max(1.0, std::round((range.high - range.low) / any_value_steps));
  for (int i = 0; range.low + step * i < range.high; ++i) values.push_back(range.low + step * i);
  values.push_back(range.high);
  return values;
}

/// `count` of the values, the nearest to equidistant points, ends included.
std::vector<double> equidistant(const std::vector<double>& values, std::size_t count) {
  if (count >= values.size()) return values;
  if (count == 1) return {values.back()};
  std::vector<double> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const double point =
        values.front() + (values.back() - values.front()) * static_cast<double>(i) / static_cast<double>(count - 1);
    const auto nearest =
        std::ranges::min_element(values, {}, [point](double value) { return std::abs(value - point); });
    if (chosen.empty() || *nearest > chosen.back()) chosen.push_back(*nearest);
  }
  return chosen;
}

/// "equidistant(7)" -> {7}.
std::optional<std::vector<double>> arguments_of(std::string_view text, std::string_view function) {
  if (!text.starts_with(std::string(function) + "(") || !text.ends_with(")")) return std::nullopt;
  text.remove_prefix(function.size() + 1);
  text.remove_suffix(1);
  std::vector<double> numbers;
  for (std::string part : base::split(text, ',')) {
    part = std::string(base::trim(part));
    double number = 0.0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (code != std::errc() || end != part.data() + part.size()) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<double> choose(const std::string& text, const std::vector<double>& values, const std::string& where) {
  if (text == "supported") return values;
  if (const auto count = arguments_of(text, "equidistant"); count && count->size() == 1 && count->front() >= 1.0)
    return equidistant(values, static_cast<std::size_t>(count->front()));
  const auto around = arguments_of(text, "around");
  if (!around || around->size() < 2 || around->size() > 3 || (*around)[1] < 0.0) {
    throw Error(ExitCode::bad_input, "'" + text + "' names no values of a setting", where,
                "\"supported\", \"equidistant(7)\", \"around(1005, 10)\" (per cent) or \"around(1005, 10, 5)\"");
  }
  const double reach = (*around)[0] * (*around)[1] / 100.0;
  std::vector<double> near;
  for (const double value : values) {
    if (std::abs(value - (*around)[0]) <= reach + 1e-9) near.push_back(value);
  }
  if (near.empty()) {
    throw Error(ExitCode::bad_input, "'" + text + "' leaves none of the device's values", where,
                "they reach from " + std::to_string(std::lround(values.front())) + " to " +
                    std::to_string(std::lround(values.back())));
  }
  return around->size() == 3 && (*around)[2] >= 1.0 ? equidistant(near, static_cast<std::size_t>((*around)[2])) : near;
}

}  // namespace

bool has_settings(const Spec& spec) {
  return std::ranges::any_of(spec.parameters, [](const ParameterSpec& p) { return !hardware_setting(p.name).empty(); });
}

bool needs_controls(const Spec& spec) {
  return std::ranges::any_of(spec.parameters, [](const ParameterSpec& p) {
    const std::string_view setting = hardware_setting(p.name);
    return !setting.empty() && setting != compute_units_setting;
  });
}

Spec with_supported_values(Spec spec, const Device* device, const DeviceDescription& engine) {
  for (ParameterSpec& parameter : spec.parameters) {
    if (!parameter.supported) continue;
    const std::string where = to_string(parameter.supported->at);
    const std::vector<double> values =
        supported_values(std::string(hardware_setting(parameter.name)), device, engine, where);
    for (const double value : choose(parameter.supported->value, values, where)) {
      if (std::floor(value) == value) {
        parameter.values.emplace_back(static_cast<std::int64_t>(value));
      } else {
        parameter.values.emplace_back(value);
      }
    }
    parameter.supported.reset();
  }
  return spec;
}

Hardware::Hardware(const Spec& spec, Engine& engine, Device* device, Clock& clock,
                   std::function<void(const std::string&)> notice)
    : engine_(engine),
      device_(device),
      clock_(clock),
      simulated_(device != nullptr && device->info().kind == "virtual") {
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const std::string name(hardware_setting(spec.parameters[i].name));
    if (name.empty()) continue;
    const std::string where = to_string(spec.parameters[i].at);
    for (const Setting& other : settings_) {
      if (other.name == name)
        throw Error(ExitCode::bad_input, "two parameters set '" + name + "'", where, "keep one of them");
    }
    if (name != compute_units_setting) {
      if (device::controls_forbidden() && !simulated_) {
        throw Error(ExitCode::permission,
                    "'" + spec.parameters[i].name + "' would set the device, and WATTUNE_NO_CONTROL forbids it", where,
                    "take the parameter out of the spec, or unset WATTUNE_NO_CONTROL on a machine of your own");
      }
      control_for(device, name, where);
    }
    settings_.push_back({name, i, std::nullopt});
  }
  if (needs_controls(spec) && !simulated_) {
    GuardOptions options;
    options.notice = std::move(notice);
    guard_.emplace(*device, std::move(options), clock);
  }
}

Hardware::Result Hardware::set(Setting& setting, double value) {
  Result result;
  if (setting.name == compute_units_setting) {
    if (!engine_.partition(static_cast<std::uint32_t>(value))) {
      result.status = Status::clock_refused;
      result.message = "the device cannot confine kernels to " + std::to_string(std::lround(value)) + " compute units";
      return result;
    }
    setting.now = value;
    return result;
  }
  ControlResult answer = set_control(setting.name, value);
  if (answer.ok()) {
    setting.now = value;
    result.changed = true;
    answer = settle(*device_, *device_->control(setting.name), value, clock_);
  }
  if (!answer.ok()) {
    setting.now.reset();  // not known any more: the next configuration sets it again
    result.status = control_status(answer);
    result.message = answer.why;
  }
  return result;
}

/// Settings of a virtual GPU end with the process: no journal, no watchdog, and nobody else to keep away.
ControlResult Hardware::set_control(const std::string& name, double value) {
  if (guard_) return guard_->set(name, value);
  Control& control = *device_->control(name);
  if (!control.info().permitted) return {ControlCode::denied, name + ": " + control.info().why};
  const std::optional<std::string> state = control.state();
  found_.try_emplace(name, state ? *state : control.released());
  return control.set(value);
}

Hardware::Result Hardware::apply(std::span<const Value> configuration) {
  Result all;
  if (guard_) guard_->check();
  for (Setting& setting : settings_) {
    const double value = configuration[setting.position].as_number();
    if (setting.now == value) continue;
    const Result one = set(setting, value);
    all.changed = all.changed || one.changed;
    if (one.status == Status::correct) continue;
    all.status = one.status;
    all.message = one.message;
    return all;
  }
  return all;
}

void Hardware::restore() {
  for (Setting& setting : settings_) {
    if (setting.name == compute_units_setting && setting.now) engine_.partition(0);
    setting.now.reset();
  }
  for (const auto& [name, state] : std::exchange(found_, {})) device_->control(name)->restore(state);
  if (!guard_) return;
  const RestoreReport report = guard_->restore();
  std::string failed;
  for (const RestoredControl& control : report.controls) {
    if (!control.result.ok()) failed += (failed.empty() ? "" : "; ") + control.control + ": " + control.result.why;
  }
  if (!report.complete()) {
    throw Error(ExitCode::device, "not everything could be restored: " + failed, report.device_name,
                "`wattune restore` tries again");
  }
}

std::string Hardware::key(std::span<const Value> configuration) const {
  std::string text;
  for (const Setting& setting : settings_) text += to_string(configuration[setting.position]) + ' ';
  return text;
}

}  // namespace wattune::tune
