#include "tune/replay_task.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

std::vector<std::string> names_of(const Spec& spec) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : spec.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::pair<std::string, Value>> constants_of(const Spec& spec) {
  std::vector<std::pair<std::string, Value>> constants;
  for (const NamedValue& item : spec.problem) constants.emplace_back(item.name, item.value);
  return constants;
}

std::vector<ObjectiveRecord> objectives_of(const Spec& spec, const RecordedSpace& recording) {
  std::vector<ObjectiveRecord> records;
  for (const ObjectiveSpec& objective : spec.objectives) {
    const std::string& name = objective.name.value;
    std::string unit(built_in_unit(name));
    if (const RecordedNumbers* numbers = recording.find_numbers(name); numbers != nullptr && unit.empty())
      unit = numbers->unit;
    for (const MetricSpec& metric : spec.metrics) {
      if (metric.name == name) unit = metric.unit;
    }
    records.push_back({name, objective.maximize, unit});
  }
  return records;
}

std::vector<MetricDefinition> definitions_of(const Spec& spec) {
  std::vector<MetricDefinition> definitions;
  for (const MetricSpec& metric : spec.metrics)
    definitions.push_back({metric.name, metric.expression.value, to_string(metric.expression.at)});
  return definitions;
}

/// No expression can name it: it has a blank.
std::string condition_name(std::size_t i) {
  return "condition " + std::to_string(i);
}

/// A failure keeps no numbers, as everywhere.
void fail(Outcome& outcome, Status status, std::string message) {
  outcome.status = status;
  outcome.message = std::move(message);
  outcome.time.reset();
  outcome.power.reset();
  outcome.energy.reset();
  outcome.observed.clear();
  outcome.metrics.clear();
}

}  // namespace

ReplayTask::ReplayTask(const ReplayRequest& request)
    : request_(request),
      recording_(*request.recording),
      index_(recording_),
      environment_(names_of(request.spec), constants_of(request.spec)),
      objectives_(objectives_of(request.spec, recording_)) {
  match_parameters();
  sort_constraints();
  const std::vector<std::string> names = names_of(request.spec);
  metrics_ = MetricSet(names, environment_.constants(), definitions_of(request.spec), request.time_scale);
  condition_values_ = condition_set();
  check_names();
  build_space();
}

void ReplayTask::match_parameters() {
  std::vector<Problem> problems;
  std::vector<std::string> recorded;
  for (const RunParameter& parameter : recording_.parameters) recorded.push_back(parameter.name);
  for (const ParameterSpec& parameter : request_.spec.parameters) {
    const auto which = recording_.parameter_index(parameter.name);
    if (!which) {
      problems.push_back({to_string(parameter.at), "the recording has no parameter '" + parameter.name + "'",
                          base::did_you_mean(parameter.name, recorded)});
      continue;
    }
    recorded_parameter_.push_back(*which);
    const std::vector<Value>& values = recording_.parameters[*which].values;
    std::vector<std::uint32_t>& digits = recorded_digit_.emplace_back();
    for (const Value& value : parameter.values) {
      const auto found = std::find(values.begin(), values.end(), value);
      digits.push_back(found == values.end() ? absent : static_cast<std::uint32_t>(found - values.begin()));
    }
  }
  const std::vector<std::string> names = names_of(request_.spec);
  for (const std::string& name : recorded) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      problems.push_back({request_.spec.at.file, "the recording has a parameter '" + name + "' that the spec lacks",
                          "add it, with the value that was used"});
  }
  if (!problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
}

void ReplayTask::sort_constraints() {
  for (const LocatedText& text : request_.spec.constraints) {
    const std::vector<std::string> used = names_in(text.value, to_string(text.at));
    const auto& known = environment_.names();
    const bool fixed = std::ranges::all_of(
        used, [&](const std::string& name) { return std::find(known.begin(), known.end(), name) != known.end(); });
    (fixed ? rules_ : conditions_).push_back(text);
  }
}

MetricSet ReplayTask::condition_set() const {
  std::vector<MetricDefinition> definitions = definitions_of(request_.spec);
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    definitions.push_back({condition_name(i), conditions_[i].value, to_string(conditions_[i].at)});
  return {names_of(request_.spec), environment_.constants(), definitions, request_.time_scale};
}

std::vector<std::string> ReplayTask::known_quantities() const {
  std::vector<std::string> known;
  const auto any = [&](const auto& has) {
    for (std::size_t i = 0; i < recording_.size(); ++i) {
      if (recording_.status[i] == Status::correct && has(i)) return true;
    }
    return false;
  };
  const bool time = any([&](std::size_t i) { return recording_.time[i] > 0.0; });
  const bool energy = any([&](std::size_t i) { return recording_.energy(i).has_value(); });
  const bool power = any([&](std::size_t i) { return recording_.power(i).has_value(); });
  for (const std::string_view name : built_in_quantities()) {
    const bool of_energy = name.starts_with("energy") || name == "edp" || name == "ed2p";
    if (name == "power" ? power : of_energy ? energy && (time || name.starts_with("energy")) : time)
      known.emplace_back(name);
  }
  for (const RecordedNumbers& numbers : recording_.numbers) known.push_back(numbers.name);
  return known;
}

void ReplayTask::check_names() const {
  std::vector<Problem> problems;
  std::vector<std::string> known = known_quantities();
  const std::string hint = "it has " + base::join(known, ", ");
  const auto check = [&](const std::string& name, const std::string& where) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string near = base::did_you_mean(name, known);
    problems.push_back({where, "the recording has no '" + name + "'", near.empty() ? hint : near});
  };
  const auto check_expression = [&](const LocatedText& text) {
    for (const std::string& name : names_in(text.value, to_string(text.at))) {
      const auto& fixed = environment_.names();
      if (std::find(fixed.begin(), fixed.end(), name) == fixed.end()) check(name, to_string(text.at));
    }
  };
  for (const MetricSpec& metric : request_.spec.metrics) {
    check_expression(metric.expression);
    known.push_back(metric.name);
  }
  for (const LocatedText& text : conditions_) check_expression(text);
  for (const ObjectiveRecord& objective : objectives_.all()) check(objective.name, "objective");
  if (!problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
}

std::vector<Parameter> ReplayTask::parameters() const {
  std::vector<Parameter> parameters;
  for (std::size_t p = 0; p < request_.spec.parameters.size(); ++p) {
    const ParameterSpec& given = request_.spec.parameters[p];
    std::size_t position = 0;
    if (given.default_value) {
      const auto found = std::find(given.values.begin(), given.values.end(), *given.default_value);
      if (found == given.values.end())
        throw Error(ExitCode::bad_input, "the default of '" + given.name + "' is not one of its values",
                    to_string(given.at));
      position = static_cast<std::size_t>(found - given.values.begin());
    }
    const bool device = recording_.parameters[recorded_parameter_[p]].device;
    parameters.push_back({given.name, given.values, position, device ? ParameterRole::device : ParameterRole::kernel});
  }
  return parameters;
}

bool ReplayTask::allowed(std::size_t entry, std::span<const Expression> rules,
                         std::vector<Value>& configuration) const {
  if (rules.empty()) return true;
  configuration.clear();
  for (const std::size_t which : recorded_parameter_) configuration.push_back(recording_.value(entry, which));
  return std::ranges::all_of(
      rules, [&](const Expression& rule) { return environment_.evaluate(rule, configuration).truthy(); });
}

void ReplayTask::build_space() {
  if (!request_.recorded_points) {
    std::vector<Constraint> constraints;
    for (const LocatedText& text : rules_) constraints.push_back({text.value, to_string(text.at)});
    SpaceOptions options;
    options.constants.assign(environment_.constants().begin(), environment_.constants().end());
    space_ = Space::build(parameters(), std::move(constraints), options);
    return;
  }
  std::vector<Expression> rules;
  for (const LocatedText& text : rules_) rules.push_back(environment_.compile(text));
  // From the recording's value positions to the spec's.
  std::vector<std::vector<std::uint32_t>> given(recorded_parameter_.size());
  for (std::size_t p = 0; p < given.size(); ++p) {
    given[p].assign(recording_.parameters[recorded_parameter_[p]].values.size(), absent);
    for (std::uint32_t i = 0; i < recorded_digit_[p].size(); ++i) {
      if (recorded_digit_[p][i] != absent) given[p][recorded_digit_[p][i]] = i;
    }
  }
  std::vector<std::uint32_t> points;
  std::vector<std::uint32_t> point(given.size());
  std::vector<Value> configuration;
  for (std::size_t entry = 0; entry < recording_.size(); ++entry) {
    const auto digits = recording_.digits_of(entry);
    for (std::size_t p = 0; p < given.size(); ++p) point[p] = given[p][digits[recorded_parameter_[p]]];
    const bool listed = std::find(point.begin(), point.end(), absent) == point.end();
    if (listed && allowed(entry, rules, configuration)) points.insert(points.end(), point.begin(), point.end());
  }
  if (points.empty()) {
    throw Error(ExitCode::nothing_valid,
                "none of the " + std::to_string(recording_.size()) + " recorded configurations is left",
                recording_.source, rules_.empty() ? "the spec has other values" : "relax " + rules_.back().value);
  }
  space_ = Space::of_points(parameters(), points);
}

std::vector<ConfigurationId> ReplayTask::start() const {
  std::vector<ConfigurationId> ids;
  const std::vector<std::string> names = names_of(request_.spec);
  for (const std::vector<NamedValue>& given : request_.start) {
    std::vector<Value> values;
    for (const Parameter& parameter : space_->parameters()) values.push_back(parameter.values[parameter.default_index]);
    std::string text;
    for (const NamedValue& item : given) {
      const auto which = space_->parameter_index(item.name);
      if (!which)
        throw Error(ExitCode::bad_input, "there is no parameter '" + item.name + "'", "start",
                    base::did_you_mean(item.name, names));
      values[*which] = item.value;
    }
    const auto id = space_->find_values(values);
    if (!id) {
      for (std::size_t p = 0; p < values.size(); ++p)
        text += (p == 0 ? "" : ", ") + names[p] + "=" + to_string(values[p]);
      throw Error(ExitCode::bad_input, "the start configuration is not in the space: " + text, "start");
    }
    ids.push_back(*id);
  }
  return ids;
}

std::optional<std::size_t> ReplayTask::find_entry(ConfigurationId id) const {
  std::vector<std::uint32_t> digits(recorded_parameter_.size());
  for (std::size_t p = 0; p < digits.size(); ++p) {
    const std::uint32_t digit = recorded_digit_[p][space_->digit(id, p)];
    if (digit == absent) return std::nullopt;
    digits[recorded_parameter_[p]] = digit;
  }
  return index_.find(digits);
}

std::size_t ReplayTask::entry(ConfigurationId id) const {
  if (const auto entry = find_entry(id)) return *entry;
  throw Error(ExitCode::bad_input, "the recording has no configuration " + describe(*space_, id), recording_.source,
              "replay without a spec searches what was recorded");
}

void ReplayTask::judge(Outcome& outcome) const {
  if (outcome.status != Status::correct) return;
  metrics_.evaluate(outcome);
  if (!conditions_.empty()) {
    Outcome judged = outcome;
    condition_values_.evaluate(judged);
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      const auto value = judged.metrics.find(condition_name(i));
      if (value == judged.metrics.end())
        return fail(outcome, Status::sensor_lost, "a number that '" + conditions_[i].value + "' reads is missing");
      if (value->second == 0.0) return fail(outcome, Status::constraints, "breaks '" + conditions_[i].value + "'");
    }
  }
  for (const ObjectiveRecord& objective : objectives_.all()) {
    if (!quantity(outcome, objective.name))
      return fail(outcome, Status::sensor_lost, "no value of '" + objective.name + "' was recorded");
  }
}

}  // namespace wattune::tune
