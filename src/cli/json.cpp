#include "cli/json.hpp"

#include <algorithm>

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

Json outcome_json(const Run& run, std::uint64_t index) {
  const Outcome& outcome = run.outcomes.at(index);
  const Finalist* finalist = finalist_of(run, index);
  Json json;
  json["parameters"] = parameters_json(run.head, outcome);
  const std::optional<Interval> time = finalist != nullptr ? std::optional(finalist->time)
                                       : outcome.time      ? std::optional(outcome.time->time)
                                                           : std::nullopt;
  json["status"] = to_string(outcome.status);
  json["time_s"] = time ? Json(time->value) : Json(nullptr);
  json["power_w"] = optional_json(outcome.power ? std::optional(outcome.power->value()) : std::nullopt);
  json["energy_j"] = optional_json(outcome.energy ? std::optional(outcome.energy->value()) : std::nullopt);
  json["metrics"] = outcome.metrics;
  json["interval_percent"] = time ? Json(time->percent()) : Json(nullptr);
  json["samples"] = outcome.time ? outcome.time->samples.size() : 0;
  json["verification"] = to_string(outcome.verification);
  if (finalist != nullptr && finalist->speedup.value > 0.0) json["speedup"] = interval_json(finalist->speedup);
  if (!outcome.observed.empty()) json["observed"] = outcome.observed;
  return json;
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
  json["objective"] = run.head.objectives.empty() ? std::string("time") : run.head.objectives.front().name;
  json["strategy"] = run.head.strategy;
  json["best"] = run.best_index ? outcome_json(run, *run.best_index) : Json(nullptr);
  json["default"] = run.default_index ? outcome_json(run, *run.default_index) : Json(nullptr);
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
