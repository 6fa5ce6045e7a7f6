#include "wattune/objective.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "wattune/error.hpp"

namespace wattune {
namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view unit;
};

constexpr std::array built_ins = {
    BuiltIn{"time", "s"},   BuiltIn{"time_ms", "ms"},   BuiltIn{"time_us", "us"}, BuiltIn{"power", "W"},
    BuiltIn{"energy", "J"}, BuiltIn{"energy_mj", "mJ"}, BuiltIn{"edp", "J s"},    BuiltIn{"ed2p", "J s^2"},
};

constexpr auto built_in_names = [] {
  std::array<std::string_view, built_ins.size()> names{};
  for (std::size_t i = 0; i < built_ins.size(); ++i) names[i] = built_ins[i].name;
  return names;
}();

std::optional<double> built_in(const Outcome& outcome, std::string_view name) {
  const auto time = [&]() -> std::optional<double> {
    if (!outcome.time) return std::nullopt;
    return outcome.time->time.value;
  }();
  const auto scaled = [](std::optional<double> value, double factor) -> std::optional<double> {
    if (!value) return std::nullopt;
    return *value * factor;
  };
  const std::optional<double> energy = outcome.energy ? std::optional(outcome.energy->value()) : std::nullopt;
  if (name == "time") return time;
  if (name == "time_ms") return scaled(time, 1e3);
  if (name == "time_us") return scaled(time, 1e6);
  if (name == "power") return outcome.power ? std::optional(outcome.power->value()) : std::nullopt;
  if (name == "energy") return energy;
  if (name == "energy_mj") return scaled(energy, 1e3);
  if (name == "edp" && time) return scaled(energy, *time);
  if (name == "ed2p" && time) return scaled(energy, *time * *time);
  return std::nullopt;
}

/// The least that an objective of energy can be where energy was not worth measuring: worse than the best of its run.
std::optional<double> bound(const Outcome& outcome, std::string_view name) {
  const auto found = outcome.observed.find("energy_at_least_j");
  if (found == outcome.observed.end() || outcome.energy) return std::nullopt;
  Outcome least;
  least.time = outcome.time;
  least.energy = Joules(found->second);
  return built_in(least, name);
}

}  // namespace

std::span<const std::string_view> built_in_quantities() {
  return built_in_names;
}

std::string_view built_in_unit(std::string_view name) {
  for (const BuiltIn& item : built_ins) {
    if (item.name == name) return item.unit;
  }
  return {};
}

std::optional<double> quantity(const Outcome& outcome, std::string_view name) {
  const std::string key(name);
  if (const auto found = outcome.metrics.find(key); found != outcome.metrics.end()) return found->second;
  if (const auto value = built_in(outcome, name)) return value;
  if (const auto found = outcome.observed.find(key); found != outcome.observed.end()) return found->second;
  return std::nullopt;
}

MetricSet::MetricSet(std::span<const std::string> parameters, std::span<const std::pair<std::string, Value>> constants,
                     std::span<const MetricDefinition> metrics, double time_scale)
    : names_(parameters.begin(), parameters.end()), parameters_(parameters.size()), time_scale_(time_scale) {
  for (const auto& [name, value] : constants) {
    names_.push_back(name);
    constants_.push_back(value);
  }
  const auto add_name = [this](std::string_view name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.emplace_back(name);
  };
  for (const BuiltIn& item : built_ins) add_name(item.name);
  for (const MetricDefinition& metric : metrics) {
    for (const std::string& name : names_in(metric.expression, metric.origin)) add_name(name);
    metrics_.push_back({metric.name, Expression::compile(metric.expression, names_, metric.origin)});
    add_name(metric.name);
  }
}

void MetricSet::evaluate(Outcome& outcome) const {
  if (outcome.status != Status::correct || metrics_.empty()) return;
  std::vector<Scalar> slots(names_.size());
  for (std::size_t i = 0; i < parameters_ && i < outcome.configuration.size(); ++i)
    slots[i] = Scalar::of(outcome.configuration[i]);
  for (std::size_t i = 0; i < constants_.size(); ++i) slots[parameters_ + i] = Scalar::of(constants_[i]);
  const std::size_t fixed = parameters_ + constants_.size();
  for (const Metric& metric : metrics_) {
    bool complete = true;
    for (const std::uint32_t slot : metric.expression.variables()) {
      // A metric may overwrite a parameter's or constant's name: what was computed last wins.
      const auto computed = outcome.metrics.find(names_[slot]);
      if (computed != outcome.metrics.end()) {
        slots[slot] = Scalar::of(computed->second);
      } else if (slot >= fixed) {
        const std::optional<double> value = quantity(outcome, names_[slot]);
        complete = complete && value.has_value();
        slots[slot] = Scalar::of(value.value_or(0.0) * (names_[slot] == "time" ? time_scale_ : 1.0));
      }
    }
    if (!complete) continue;
    const Evaluation result = metric.expression.evaluate(slots);
    const double value = result.ok() ? result.value.as_number() : std::nan("");
    if (std::isfinite(value)) outcome.metrics[metric.name] = value;
  }
}

ObjectiveSet::ObjectiveSet(std::vector<ObjectiveRecord> objectives) : objectives_(std::move(objectives)) {
  if (objectives_.empty()) objectives_.push_back({"time", false, "s"});
}

std::optional<std::vector<double>> ObjectiveSet::scores(const Outcome& outcome) const {
  if (outcome.status != Status::correct) return std::nullopt;
  std::vector<double> scores;
  scores.reserve(objectives_.size());
  for (const ObjectiveRecord& objective : objectives_) {
    std::optional<double> value = quantity(outcome, objective.name);
    if (!value) value = bound(outcome, objective.name);
    if (!value) {
      const bool energetic = objective.name == "energy" || objective.name == "power" || objective.name == "edp" ||
                             objective.name == "ed2p";
      throw Error(ExitCode::bad_input, "an outcome has no value of the objective '" + objective.name + "'", {},
                  energetic
                      ? "energy is not measured on this device; tune for time, or choose a device with a power sensor"
                      : "name a metric whose inputs are all measured");
    }
    scores.push_back(objective.maximize ? -*value : *value);
  }
  return scores;
}

std::string ObjectiveSet::describe() const {
  std::string text;
  for (const ObjectiveRecord& objective : objectives_) {
    if (!text.empty()) text += ", then ";
    text += (objective.maximize ? "maximise " : "minimise ") + objective.name;
  }
  return text;
}

std::vector<std::size_t> best_outcomes(std::span<const Outcome> outcomes, const ObjectiveSet& objectives,
                                       std::size_t count) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (const auto scores = objectives.scores(outcomes[i])) order.emplace_back(scores->front(), i);
  }
  const std::size_t kept = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end());
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < kept; ++i) positions.push_back(order[i].second);
  return positions;
}

std::optional<std::size_t> best_outcome(std::span<const Outcome> outcomes, const ObjectiveSet& objectives) {
  const std::vector<std::size_t> best = best_outcomes(outcomes, objectives, 1);
  return best.empty() ? std::nullopt : std::optional(best.front());
}

}  // namespace wattune
