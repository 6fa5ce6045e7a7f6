// Writes a closed Kernel Tuner cache file in the layout of Python's json.dumps(indent=""), one entry a line. Times are
// milliseconds. A failure is the name of its kind in place of the objective, the one form that every generation of the
// tool reads; the exact status follows under "status" where that name does not say it.
#include <algorithm>
#include <cmath>

#include "io/date_text.hpp"
#include "io/export_run.hpp"
#include "io/json_text.hpp"
#include "io/quantities.hpp"

namespace wattune::io {

namespace {

/// A list as json.dumps(indent="") writes it: one item a line.
void write_list(const std::vector<std::string>& items, std::ostream& out) {
  if (items.empty()) {
    out << "[]";
    return;
  }
  out << "[\n";
  for (std::size_t i = 0; i < items.size(); ++i) out << items[i] << (i + 1 < items.size() ? ",\n" : "\n");
  out << "]";
}

std::string size_text(double size) {
  const bool integral = std::abs(size) < 9e15 && size == std::floor(size);
  return integral ? std::to_string(static_cast<long long>(size)) : json_number(size);
}

/// A list of the sizes, or the text that a recording has instead ("callable").
void write_problem(const RunRecord& head, const RecordedSpace* recording, std::ostream& out) {
  if (head.problem.empty() && recording != nullptr && !recording->problem.empty()) {
    out << json_quoted(recording->problem);
    return;
  }
  std::vector<std::string> sizes;
  for (const auto& [name, size] : head.problem) sizes.push_back(size_text(size));
  write_list(sizes, out);
}

void write_head(const RunRecord& head, const RecordedSpace* recording, std::ostream& out) {
  out << "{\n\"device_name\": " << json_quoted(head.device_name)
      << ",\n\"kernel_name\": " << json_quoted(head.key.kernel) << ",\n\"problem_size\": ";
  write_problem(head, recording, out);
  out << ",\n\"tune_params_keys\": ";
  std::vector<std::string> items;
  for (const RunParameter& parameter : head.parameters) items.push_back(json_quoted(parameter.name));
  write_list(items, out);
  out << ",\n\"tune_params\": {\n";
  for (std::size_t i = 0; i < head.parameters.size(); ++i) {
    items.clear();
    for (const Value& value : head.parameters[i].values) items.push_back(json_value(value));
    out << json_quoted(head.parameters[i].name) << ": ";
    write_list(items, out);
    out << (i + 1 < head.parameters.size() ? ",\n" : "\n");
  }
  out << "},\n\"objective\": ";
  items.clear();
  for (const ObjectiveRecord& objective : head.objectives) items.push_back(json_quoted(objective.name));
  if (items.empty()) items.push_back("\"time\"");
  // Only the newest readers know a list, so that it is written only where there is more than one.
  if (items.size() == 1) {
    out << items.front();
  } else {
    write_list(items, out);
  }
  out << ",\n\"cache\": {";
}

/// Appends `"name": json` members to a line.
class Members {
 public:
  explicit Members(std::ostream& out) : out_(out) { out_ << "{"; }
  void add(std::string_view name, const std::string& json) {
    names_.emplace_back(name);
    out_ << (names_.size() > 1 ? ", " : "") << json_quoted(name) << ": " << json;
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  void close() { out_ << "}"; }

 private:
  std::ostream& out_;
  std::vector<std::string> names_;
};

std::string milliseconds_text(Seconds duration) {
  return json_number(ms_of_seconds(duration.value()));
}

void write_times(const TimeMeasurement& time, Members& members) {
  members.add("time", milliseconds_text(Seconds(time.time.value)));
  std::string samples = "[";
  for (Seconds sample : time.samples) {
    if (samples.size() > 1) samples += ", ";
    samples += milliseconds_text(sample);
  }
  members.add("times", samples + "]");
}

void write_lists(const RecordedSpace& recording, std::size_t entry, Members& members) {
  for (const RecordedSamples& list : recording.samples) {
    if (list.at(entry).empty() || members.has(list.name)) continue;
    std::string samples = "[";
    for (double sample : list.at(entry)) {
      if (samples.size() > 1) samples += ", ";
      samples += json_number(sample);
    }
    members.add(list.name, samples + "]");
  }
}

void write_entry(const Run& run, const RecordedSpace* recording, std::size_t entry, std::ostream& out) {
  const Outcome& outcome = run.outcomes[entry];
  const RunRecord& head = run.head;
  std::string key;
  const std::size_t count = std::min(head.parameters.size(), outcome.configuration.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) key += ',';
    key += to_string(outcome.configuration[i]);
  }
  out << json_quoted(key) << ": ";
  Members members(out);
  for (std::size_t i = 0; i < count; ++i) members.add(head.parameters[i].name, json_value(outcome.configuration[i]));
  if (outcome.status == Status::correct) {
    if (outcome.time) write_times(*outcome.time, members);
  } else {
    const std::string objective = head.objectives.empty() ? "time" : head.objectives.front().name;
    if (!members.has(objective)) members.add(objective, json_quoted(failure_name(outcome.status)));
    const bool said =
        outcome.status == Status::compile || outcome.status == Status::runtime || outcome.status == Status::constraints;
    if (!said && !members.has("status")) members.add("status", json_quoted(to_string(outcome.status)));
  }
  members.add("compile_time", milliseconds_text(outcome.compile_time));
  members.add("verification_time", milliseconds_text(outcome.verify_time));
  members.add("benchmark_time", milliseconds_text(outcome.benchmark_time));
  for (const NamedNumber& number : numbers_of(outcome, head)) {
    if (!members.has(number.name)) members.add(number.name, json_number(number.value));
  }
  if (recording != nullptr) write_lists(*recording, entry, members);
  members.add("strategy_time", "0");
  members.add("framework_time", milliseconds_text(outcome.overhead));
  if (outcome.finished_at.value() > 0.0) members.add("timestamp", json_quoted(utc_text(outcome.finished_at)));
  members.close();
}

}  // namespace

std::uint64_t export_kernel_tuner(const Run& run, const RecordedSpace* recording, std::ostream& out) {
  write_head(run.head, recording, out);
  for (std::size_t entry = 0; entry < run.outcomes.size(); ++entry) {
    out << (entry == 0 ? "\n" : ",\n");
    write_entry(run, recording, entry, out);
  }
  out << "}\n}";
  return run.outcomes.size();
}

}  // namespace wattune::io
