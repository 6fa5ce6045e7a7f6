// Writes T4 results, schema 1.0.0 (schemas/t4/1.0.0/results-schema.json), one result a line. Times are milliseconds.
// What T4 has no word for is kept as text among the measurements: the name of a failure, and the statuses throttled,
// clock_refused and sensor_lost (T4: runtime).
#include <algorithm>

#include "io/date_text.hpp"
#include "io/export_run.hpp"
#include "io/json_text.hpp"
#include "io/quantities.hpp"

namespace wattune::io {

namespace {

std::string_view invalidity_of(Status status) {
  switch (status) {
    case Status::throttled:
    case Status::clock_refused:
    case Status::sensor_lost:
      return "runtime";
    default:
      return to_string(status);
  }
}

std::string milliseconds_text(Seconds duration) {
  return json_number(ms_of_seconds(duration.value()));
}

void write_times(const Outcome& outcome, std::ostream& out) {
  const std::string compile = milliseconds_text(outcome.compile_time);
  // The schema calls it compilation_time; the tools that read T4 look for compilation.
  out << R"("times":{"compilation_time":)" << compile << R"(,"compilation":)" << compile << R"(,"benchmark":)"
      << milliseconds_text(outcome.benchmark_time) << R"(,"framework":)" << milliseconds_text(outcome.overhead)
      << R"(,"search_algorithm":0,"validation":)" << milliseconds_text(outcome.verify_time);
  if (outcome.time) {
    out << R"(,"runtimes":[)";
    std::string_view separator;
    for (Seconds sample : outcome.time->samples) {
      out << separator << milliseconds_text(sample);
      separator = ",";
    }
    out << "]";
  }
  out << "}";
}

/// Measurements of one result, separated by commas.
class Measurements {
 public:
  explicit Measurements(std::ostream& out) : out_(out) { out_ << R"("measurements":[)"; }
  ~Measurements() { out_ << "]"; }
  Measurements(const Measurements&) = delete;
  Measurements& operator=(const Measurements&) = delete;

  void add(std::string_view name, const std::string& json, std::string_view unit) {
    out_ << separator_ << R"({"name":)" << json_quoted(name) << R"(,"value":)" << json << R"(,"unit":)"
         << json_quoted(unit) << "}";
    separator_ = ",";
  }

 private:
  std::ostream& out_;
  std::string_view separator_;
};

void write_lists(const RecordedSpace& recording, std::size_t entry, Measurements& measurements) {
  for (const RecordedSamples& list : recording.samples) {
    if (list.at(entry).empty()) continue;
    std::string samples = "[";
    for (double sample : list.at(entry)) {
      if (samples.size() > 1) samples += ',';
      samples += json_number(sample);
    }
    measurements.add(list.name, samples + "]", "");
  }
}

void write_measurements(const Run& run, const RecordedSpace* recording, std::size_t entry, std::ostream& out) {
  const Outcome& outcome = run.outcomes[entry];
  const std::string objective = run.head.objectives.empty() ? "time" : run.head.objectives.front().name;
  Measurements measurements(out);
  if (outcome.status != Status::correct) {
    measurements.add(objective, json_quoted(failure_name(outcome.status)), "");
    measurements.add("status", json_quoted(to_string(outcome.status)), "");
    if (!outcome.message.empty()) measurements.add("message", json_quoted(outcome.message), "");
  } else if (outcome.time) {
    measurements.add("time", milliseconds_text(Seconds(outcome.time->time.value)), "ms");
  }
  for (const NamedNumber& number : numbers_of(outcome, run.head)) {
    if (outcome.status != Status::correct && number.name == objective) continue;
    measurements.add(number.name, json_number(number.value), number.unit);
  }
  if (recording != nullptr) write_lists(*recording, entry, measurements);
}

void write_result(const Run& run, const RecordedSpace* recording, std::size_t entry, const std::string& objectives,
                  std::ostream& out) {
  const Outcome& outcome = run.outcomes[entry];
  const auto& parameters = run.head.parameters;
  out << "{";
  if (outcome.finished_at.value() > 0.0) out << R"("timestamp":)" << json_quoted(utc_text(outcome.finished_at)) << ",";
  out << R"("configuration":{)";
  const std::size_t count = std::min(parameters.size(), outcome.configuration.size());
  for (std::size_t i = 0; i < count; ++i) {
    out << (i == 0 ? "" : ",") << json_quoted(parameters[i].name) << ":" << json_value(outcome.configuration[i]);
  }
  out << "},";
  write_times(outcome, out);
  out << R"(,"invalidity":)" << json_quoted(invalidity_of(outcome.status)) << R"(,"correctness":)"
      << (outcome.status == Status::correct ? 1 : 0) << ",";
  write_measurements(run, recording, entry, out);
  out << R"(,"objectives":)" << objectives << "}";
}

}  // namespace

std::uint64_t export_t4(const Run& run, const RecordedSpace* recording, std::ostream& out) {
  std::string objectives = "[";
  for (const ObjectiveRecord& objective : run.head.objectives) {
    if (objectives.size() > 1) objectives += ',';
    objectives += json_quoted(objective.name);
  }
  objectives += run.head.objectives.empty() ? "\"time\"]" : "]";

  // kernel_name, device_name and problem_size are ours; the schema allows further members.
  out << R"({"schema_version":"1.0.0","metadata":{"timeunit":"milliseconds","kernel_name":)"
      << json_quoted(run.head.key.kernel) << R"(,"device_name":)" << json_quoted(run.head.device_name)
      << R"(,"problem_size":)" << json_quoted(run.head.key.problem) << "},\n\"results\":[";
  for (std::size_t entry = 0; entry < run.outcomes.size(); ++entry) {
    out << (entry == 0 ? "\n" : ",\n");
    write_result(run, recording, entry, objectives, out);
  }
  out << "\n]}\n";
  return run.outcomes.size();
}

}  // namespace wattune::io
