#include "cli/json.hpp"

#include <algorithm>

#include "cli/fastest.hpp"

namespace wattune::cli {
namespace {

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const Finalist* finalist_of(const Run& run, std::uint64_t index) {
  const auto found = std::ranges::find(run.finalists, index, &Finalist::index);
  return found == run.finalists.end() ? nullptr : &*found;
}

Json interval_json(const Interval& interval) {
  return Json{{"value", interval.value},
              {"low", interval.low},
              {"high", interval.high},
              {"interval_percent", interval.percent()}};
}

const char* method_text(double code) {
  return code == 1.0 ? "median_power" : code == 2.0 ? "trapezoid" : code == 3.0 ? "counter" : "recorded";
}

/// How energy was measured, under the names of a document; null when it was not.
Json energy_json(const Outcome& outcome, const Finalist* finalist) {
  const auto method = outcome.observed.find("energy_method");
  if (method == outcome.observed.end()) return nullptr;
  Json json;
  json["method"] = method_text(method->second);
  for (const auto& [key, name] :
       {std::pair{"energy_interval_percent", "interval_percent"}, std::pair{"energy_window_s", "window_s"},
        std::pair{"energy_readings", "readings"}, std::pair{"energy_launches", "launches"},
        std::pair{"energy_difference_percent", "difference_percent"}, std::pair{"idle_power_w", "idle_power_w"}}) {
    if (const auto found = outcome.observed.find(key); found != outcome.observed.end()) json[name] = found->second;
  }
  if (finalist != nullptr && !finalist->energy_samples.empty()) {
    json["interval_percent"] = finalist->energy.percent();
    json["rounds"] = finalist->energy_samples.size();
  }
  return json;
}

}  // namespace

Json to_json(const Value& value) {
  return std::visit([](const auto& item) { return Json(item); }, value.storage());
}

Json parameters_json(const RunRecord& head, const Outcome& outcome) {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < head.parameters.size() && i < outcome.configuration.size(); ++i) {
    parameters[head.parameters[i].name] = to_json(outcome.configuration[i]);
  }
  return parameters;
}

Json outcome_json(const RunRecord& head, const Outcome& outcome, const Finalist* finalist) {
  Json json;
  json["parameters"] = parameters_json(head, outcome);
  const std::optional<Interval> time = finalist != nullptr ? std::optional(finalist->time)
                                       : outcome.time      ? std::optional(outcome.time->time)
                                                           : std::nullopt;
  const bool spread = time && time->low < time->high;  // without samples nothing is known about it
  const std::size_t samples = outcome.time ? outcome.time->samples.size() : 0;
  json["status"] = to_string(outcome.status);
  json["time_s"] = time ? Json(time->value) : Json(nullptr);
  const bool again = finalist != nullptr && !finalist->energy_samples.empty();
  std::optional<double> energy = outcome.energy ? std::optional(outcome.energy->value()) : std::nullopt;
  std::optional<double> power = outcome.power ? std::optional(outcome.power->value()) : std::nullopt;
  if (again) energy = finalist->energy.value;
  if (again && time && time->value > 0.0) power = finalist->energy.value / time->value;
  json["power_w"] = optional_json(power);
  json["energy_j"] = optional_json(energy);
  if (Json how = energy_json(outcome, finalist); !how.is_null()) json["energy"] = std::move(how);
  json["metrics"] = outcome.metrics;
  json["interval_percent"] = spread ? Json(time->percent()) : Json(nullptr);
  json["samples"] = samples == 0 && finalist != nullptr ? finalist->samples.size() : samples;
  json["verification"] = to_string(outcome.verification);
  if (finalist != nullptr && finalist->speedup.value > 0.0) json["speedup"] = interval_json(finalist->speedup);
  if (finalist != nullptr && finalist->energy_gain.value > 0.0)
    json["energy_gain"] = interval_json(finalist->energy_gain);
  if (!outcome.observed.empty()) json["observed"] = outcome.observed;
  return json;
}

Json outcome_json(const Run& run, std::uint64_t index) {
  return outcome_json(run.head, run.outcomes.at(index), finalist_of(run, index));
}

Json run_json(const Run& run) {
  Json json;
  json["run"] = run.head.id;
  json["name"] = run.head.name;
  json["state"] = to_string(run.head.state);
  json["provenance"] = to_string(run.head.provenance);
  json["device"] = Json{{"id", run.head.device_id},
                        {"name", run.head.device_name},
                        {"uuid", run.head.key.device_uuid},
                        {"driver", run.head.key.driver}};
  json["kernel"] = run.head.key.kernel;
  json["problem"] = run.head.key.problem;
  if (const auto source = run.head.device_details.find("recording"); source != run.head.device_details.end())
    json["recording"] = source->second;
  json["objective"] = run.head.objectives.empty() ? std::string("time") : run.head.objectives.front().name;
  json["strategy"] = run.head.strategy;
  json["best"] = run.best_index ? outcome_json(run, *run.best_index) : Json(nullptr);
  json["default"] = run.default_index ? outcome_json(run, *run.default_index)
                    : run.baseline    ? outcome_json(run.head, *run.baseline, nullptr)
                                      : Json(nullptr);
  if (const std::optional<std::uint64_t> fastest = fastest_with_energy(run))
    json["fastest"] = outcome_json(run, *fastest);
  json["evaluations"] = run.outcomes.size();
  json["valid"] = run.head.space_size;
  Json statuses = Json::object();
  for (const Status status : all_statuses) {
    statuses[std::string(to_string(status))] = std::ranges::count(run.outcomes, status, &Outcome::status);
  }
  json["statuses"] = statuses;
  json["seconds"] = run.head.seconds.value();
  json["seed"] = run.head.seed;
  json["note"] = run.head.note;
  return json;
}

Json problems_json(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems)
    list.push_back(Json{{"where", problem.where}, {"message", problem.message}, {"hint", problem.hint}});
  return list;
}

}  // namespace wattune::cli
