// Writes one row an outcome as CSV (RFC 4180: CRLF, quotes where needed). Columns: the parameters, then `status`, the
// time with its 95 % interval in seconds, power, energy, every observed quantity and metric by name, durations, and the
// message. A number that was not measured is an empty field.
#include <algorithm>
#include <cmath>
#include <map>

#include "io/date_text.hpp"
#include "io/export_run.hpp"
#include "io/json_text.hpp"
#include "io/quantities.hpp"

namespace wattune::io {

namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos &&
      (text.empty() || (text.front() != ' ' && text.back() != ' '))) {
    return text;
  }
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// Names of all numbers besides power and energy that any outcome has, sorted.
std::vector<std::string> further_columns(const Run& run) {
  std::map<std::string, bool> names;
  for (const Outcome& outcome : run.outcomes) {
    for (const auto& [name, value] : outcome.observed) names[name] = true;
    for (const auto& [name, value] : outcome.metrics) names[name] = true;
  }
  std::vector<std::string> columns;
  for (const auto& [name, present] : names) columns.push_back(name);
  return columns;
}

std::string further_value(const Outcome& outcome, const std::string& name) {
  const auto metric = outcome.metrics.find(name);
  const auto observed = outcome.observed.find(name);
  const bool found = metric != outcome.metrics.end() || observed != outcome.observed.end();
  const double number = metric != outcome.metrics.end() ? metric->second : found ? observed->second : 0.0;
  return found && std::isfinite(number) ? json_number(number) : std::string();
}

void write_row(const std::vector<std::string>& fields, std::ostream& out) {
  for (std::size_t i = 0; i < fields.size(); ++i) out << (i == 0 ? "" : ",") << field(fields[i]);
  out << "\r\n";
}

std::vector<std::string> row_of(const Outcome& outcome, std::size_t parameters,
                                const std::vector<std::string>& further) {
  std::vector<std::string> row;
  for (std::size_t i = 0; i < parameters; ++i) {
    row.push_back(i < outcome.configuration.size() ? to_string(outcome.configuration[i]) : std::string());
  }
  row.emplace_back(to_string(outcome.status));
  if (outcome.time) {
    const Interval& time = outcome.time->time;
    for (double bound : {time.value, time.low, time.high}) row.push_back(json_number(bound));
    row.push_back(std::to_string(outcome.time->samples.size()));
  } else {
    row.insert(row.end(), 4, std::string());
  }
  row.push_back(outcome.power ? json_number(outcome.power->value()) : std::string());
  row.push_back(outcome.energy ? json_number(outcome.energy->value()) : std::string());
  for (const std::string& name : further) row.push_back(further_value(outcome, name));
  row.emplace_back(to_string(outcome.verification));
  row.emplace_back(to_string(outcome.provenance));
  for (Seconds duration : {outcome.compile_time, outcome.verify_time, outcome.benchmark_time, outcome.overhead}) {
    row.push_back(json_number(duration.value()));
  }
  row.push_back(outcome.finished_at.value() > 0.0 ? utc_text(outcome.finished_at) : std::string());
  row.push_back(outcome.message);
  return row;
}

}  // namespace

std::uint64_t export_csv(const Run& run, const RecordedSpace* /*recording*/, std::ostream& out) {
  const std::vector<std::string> further = further_columns(run);
  std::vector<std::string> header;
  for (const RunParameter& parameter : run.head.parameters) header.push_back(parameter.name);
  for (const char* name : {"status", "time_s", "time_low_s", "time_high_s", "samples", "power_w", "energy_j"}) {
    header.emplace_back(name);
  }
  // A measured clock may bear the name of the clock that was asked for; a column's name must say which it is.
  for (const std::string& name : further) {
    const bool taken = std::find(header.begin(), header.end(), name) != header.end();
    header.push_back(taken ? "observed." + name : name);
  }
  for (const char* name :
       {"verification", "provenance", "compile_s", "verify_s", "benchmark_s", "overhead_s", "finished_at", "message"}) {
    header.emplace_back(name);
  }
  write_row(header, out);
  for (const Outcome& outcome : run.outcomes) write_row(row_of(outcome, run.head.parameters.size(), further), out);
  return run.outcomes.size();
}

}  // namespace wattune::io
