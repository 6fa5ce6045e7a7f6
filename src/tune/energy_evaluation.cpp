#include "tune/energy_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "wattune/objective.hpp"

namespace wattune::tune {
namespace {

constexpr std::array<std::string_view, 5> energetic = {"power", "energy", "energy_mj", "edp", "ed2p"};

bool is_energetic(std::string_view name) {
  return std::ranges::find(energetic, name) != energetic.end();
}

/// True when one of the names occurs in the text as a word.
bool mentions_energy(std::string_view text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t begin = 0;
  while (begin < text.size()) {
    if (!is_word(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (is_energetic(text.substr(begin, end - begin))) return true;
    begin = end;
  }
  return false;
}

EnergyOptions options_of(const EnergySpec& spec) {
  EnergyOptions options;
  options.method = energy_method_from(spec.method).value_or(EnergyMethod::automatic);
  if (spec.interval_percent) options.interval_percent = *spec.interval_percent;
  if (spec.max_window) options.max_window = Seconds(*spec.max_window);
  if (spec.min_window) options.min_window = Seconds(*spec.min_window);
  options.max_window = std::max(options.max_window, options.min_window);
  options.steady_temperature = spec.steady_temperature;
  return options;
}

std::string bounded_objective(const Spec& spec) {
  if (spec.objectives.size() != 1 || spec.objectives.front().maximize) return {};
  const std::string& name = spec.objectives.front().name.value;
  return name != "power" && is_energetic(name) ? name : std::string();
}

}  // namespace

bool metrics_need_energy(const Spec& spec) {
  return std::ranges::any_of(spec.metrics,
                             [](const MetricSpec& metric) { return mentions_energy(metric.expression.value); });
}

bool objectives_need_energy(const Spec& spec) {
  return std::ranges::any_of(spec.objectives, [&](const ObjectiveSpec& objective) {
    if (is_energetic(objective.name.value)) return true;
    const auto metric = std::ranges::find(spec.metrics, objective.name.value, &MetricSpec::name);
    return metric != spec.metrics.end() && mentions_energy(metric->expression.value);
  });
}

EnergyEvaluation::EnergyEvaluation(const Spec& spec, Device& device, Clock& clock, std::uint64_t seed)
    : spec_(spec.energy), objective_(bounded_objective(spec)), meter_(device, clock, options_of(spec.energy), seed) {
  use_settings({});
}

void EnergyEvaluation::use_settings(const std::string& key) {
  const auto [found, fresh] = idle_by_settings_.try_emplace(key);
  if (fresh) found->second = meter_.idle_power().value_or(Watts(0.0));
  idle_ = found->second;
}

/// Energy and its products with time grow in proportion to energy. Only where energy above idle is not what is asked
/// for.
std::optional<Joules> EnergyEvaluation::lost_above(Seconds time) const {
  if (objective_.empty() || !best_ || !spec_.skip_hopeless || spec_.subtract_idle) return std::nullopt;
  Outcome unit;
  unit.time = TimeMeasurement{{}, {time.value(), time.value(), time.value()}, true};
  unit.energy = Joules(1.0);
  const std::optional<double> score = quantity(unit, objective_);
  return score && *score > 0.0 ? std::optional(Joules(*best_ / *score)) : std::nullopt;
}

double EnergyEvaluation::above_idle(double energy, Seconds time) const {
  return spec_.subtract_idle ? energy - (idle_ * time).value() : energy;
}

void EnergyEvaluation::observe(const EnergyMeasurement& energy, Outcome& outcome) {
  const double joules = above_idle(energy.energy.value, energy.launch_time);
  outcome.energy = Joules(joules);
  outcome.power = Joules(joules) / energy.launch_time;
  auto& observed = outcome.observed;
  observed["idle_power_w"] = idle_.value();
  observed["energy_method"] = static_cast<double>(energy.method);
  observed["energy_interval_percent"] = energy.energy.percent();
  observed["energy_window_s"] = energy.window.value();
  observed["energy_readings"] = static_cast<double>(energy.readings);
  observed["energy_launches"] = static_cast<double>(energy.launches);
  if (energy.cross_method) observed["energy_difference_percent"] = energy.cross_difference_percent;
  if (energy.core_clock) observed["core_clock_mhz"] = in_megahertz(*energy.core_clock);
  if (energy.temperature_before) observed["temperature_before_c"] = *energy.temperature_before;
  if (energy.temperature_after) observed["temperature_after_c"] = *energy.temperature_after;
  observed["power_capped"] = energy.power_capped ? 1.0 : 0.0;
  if (warning_.empty()) warning_ = energy.warning;
}

bool EnergyEvaluation::measure(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments,
                               const Geometry& geometry, Outcome& outcome) {
  const Seconds time(outcome.time->time.value);
  const std::optional<Joules> limit = lost_above(time);
  // A launch draws at least what the idle device draws.
  if (const Joules least = idle_ * time; limit && least > *limit) {
    outcome.observed["energy_at_least_j"] = least.value();
    return false;
  }
  const MeteredKernel metered = meter_.measure(engine, kernel, arguments, geometry, time, limit);
  if (metered.energy) observe(*metered.energy, outcome);
  if (metered.status != Status::correct) {
    outcome.status = metered.status;
    outcome.message = metered.message;
  }
  return metered.fatal;
}

std::optional<Joules> EnergyEvaluation::measure_again(Engine& engine, CompiledKernel& kernel,
                                                      DeviceArguments& arguments, const Geometry& geometry,
                                                      Seconds launch_time) {
  const MeteredKernel metered = meter_.measure(engine, kernel, arguments, geometry, launch_time);
  if (metered.status != Status::correct || !metered.energy) return std::nullopt;
  return Joules(above_idle(metered.energy->energy.value, metered.energy->launch_time));
}

}  // namespace wattune::tune
