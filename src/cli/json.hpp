// The JSON that commands print: keys carry their unit, absent numbers are null.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "wattune/engine.hpp"
#include "wattune/run.hpp"

namespace wattune::cli {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value);
/// {"MWG": 64, …}
Json parameters_json(const RunRecord& head, const Outcome& outcome);
/// `best` and `default` of the contract: parameters, time_s, power_w, energy_j, metrics, interval_percent.
/// With a finalist, time and interval are the interleaved ones. No interval (null) without samples.
Json outcome_json(const Run& run, std::uint64_t index);
Json outcome_json(const RunRecord& head, const Outcome& outcome, const Finalist* finalist);
/// The document of `tune` and `show`.
Json run_json(const Run& run);
Json problems_json(const std::vector<Problem>& problems);

}  // namespace wattune::cli
