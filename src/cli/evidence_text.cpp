#include "cli/evidence_text.hpp"

#include <ostream>

#include "cli/quantity_text.hpp"

namespace wattune::cli {
namespace {

constexpr int digits = 5;

std::string ranked_text(const EnergyEvidence::Ranked& ranked) {
  return interval_text(ranked.energy, "J", digits) + " at " + interval_text(ranked.time, "s", digits);
}

Json ranked_json(const RecordedSpace& recording, const EnergyEvidence::Ranked& ranked) {
  const auto bounds = [](const Interval& i) { return i.low < i.high ? Json{i.low, i.high} : Json(nullptr); };
  return Json{{"parameters", entry_parameters_json(recording, ranked.entry)},
              {"time_s", ranked.time.value},
              {"time_interval_s", bounds(ranked.time)},
              {"energy_j", ranked.energy.value},
              {"energy_interval_j", bounds(ranked.energy)}};
}

}  // namespace

void print_evidence(const EnergyEvidence& evidence, std::ostream& out) {
  if (!evidence.has_readings && evidence.warnings.empty()) return;
  out << "  Recorded energies: least " << ranked_text(evidence.best) << "; the fastest takes "
      << ranked_text(evidence.fastest) << '\n';
  for (const std::string& warning : evidence.warnings) out << "  warning: " << warning << '\n';
}

Json entry_parameters_json(const RecordedSpace& recording, std::size_t entry) {
  Json parameters = Json::object();
  for (std::size_t p = 0; p < recording.parameters.size(); ++p)
    parameters[recording.parameters[p].name] = to_json(recording.value(entry, p));
  return parameters;
}

Json difference_json(const MeanDifference& difference) {
  return Json{{"percent", difference.percent},
              {"low_percent", difference.low_percent},
              {"high_percent", difference.high_percent},
              {"probability", difference.probability},
              {"established", difference.established}};
}

Json evidence_json(const RecordedSpace& recording, const EnergyEvidence& evidence) {
  Json json;
  json["candidates"] = evidence.candidates;
  json["least_energy"] = ranked_json(recording, evidence.best);
  json["fastest"] = ranked_json(recording, evidence.fastest);
  json["difference"] = evidence.has_readings ? difference_json(evidence.difference) : Json(nullptr);
  json["over_limit"] = evidence.over_limit;
  json["power_limit_w"] = evidence.limit ? Json(evidence.limit->value()) : Json(nullptr);
  json["highest_power_w"] = evidence.highest_power.value();
  json["scatter_percent"] = evidence.scatter_percent;
  json["warnings"] = evidence.warnings;
  return json;
}

}  // namespace wattune::cli
