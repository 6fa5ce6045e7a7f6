// A tuning run as it is stored and reported: what was asked, on what device, and every outcome in order.
// Room `record`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wattune/outcome.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// Everything that decides a measured number besides the configuration. Two runs with equal keys may share outcomes.
struct MeasurementKey {
  std::string kernel;       ///< kernel name
  std::string source_hash;  ///< of source, portability header, definitions of problem, verification and arguments
  std::string options;      ///< compiler options, measuring options that change the number (cold/warm)
  std::string device_uuid;
  std::string driver;
  std::string problem;  ///< "M=4096, N=4096, K=4096"
  auto operator<=>(const MeasurementKey&) const = default;
};

struct ObjectiveRecord {
  std::string name;
  bool maximize = false;
  std::string unit;
};

struct RunParameter {
  std::string name;
  std::vector<Value> values;
  Value default_value;
  bool device = false;  ///< role device
};

enum class RunState : std::uint8_t { running, finished, interrupted, failed };
std::string_view to_string(RunState state);
std::optional<RunState> run_state_from(std::string_view name);

/// Head of a run: all but its outcomes.
struct RunRecord {
  std::int64_t id = 0;  ///< 0 until stored
  std::string name;     ///< of the spec
  std::string spec_path;
  std::string spec_text;  ///< as read, so that a report needs nothing else
  MeasurementKey key;
  std::string language;
  std::string device_id, device_name;
  std::map<std::string, std::string> device_details;  ///< clocks, memory, compute units, library versions, host
  std::vector<RunParameter> parameters;
  std::vector<std::string> constraints;
  std::vector<std::pair<std::string, double>> problem;
  std::vector<ObjectiveRecord> objectives;
  std::map<std::string, std::string> metric_units;  ///< metric -> unit
  std::string strategy;
  std::map<std::string, std::string> strategy_options;
  std::uint64_t seed = 0;
  Provenance provenance = Provenance::measured;
  std::uint64_t space_size = 0;
  double cartesian_size = 0;
  Seconds started_at;  ///< system time
  Seconds seconds;     ///< wall time so far
  RunState state = RunState::running;
  std::string note;     ///< how it ended, in a sentence
  std::string version;  ///< of the program
};

/// Result of re-measuring a finalist interleaved with the others (and with the default).
struct Finalist {
  std::uint64_t index = 0;               ///< into Run::outcomes
  std::vector<Seconds> samples;          ///< one per interleaved round
  Interval time;                         ///< median and interval, seconds
  Interval speedup;                      ///< over the default, from paired rounds; value 0 when there is no default
  std::vector<Joules> energy_samples{};  ///< a launch's energy, one per round; empty unless energy is an objective
  Interval energy{};                     ///< mean and interval, J; value 0 without samples
  Interval energy_gain{};                ///< the default's energy / this one's, from paired rounds; value 0 without
};

struct Run {
  RunRecord head;
  std::vector<Outcome> outcomes;               ///< in order of evaluation
  std::optional<std::uint64_t> default_index;  ///< outcome of the baseline
  std::optional<std::uint64_t> best_index;
  std::vector<Finalist> finalists;  ///< best first
  /// The default configuration where it was known without an evaluation (a replay looks it up); else default_index.
  std::optional<Outcome> baseline;
};

/// What speed-ups refer to: the evaluated default configuration, else the baseline; null without either.
const Outcome* default_outcome(const Run& run);

}  // namespace wattune
