// Reads T4 results, schema 1.0.0, as written by benchmark_hub, Kernel Tuner and ourselves: with either spelling of
// "milliseconds", compilation or compilation_time, and the error's name in place of a measurement. Where correctness
// and invalidity disagree, invalidity counts (Kernel Tuner writes correctness 1 for failures).
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "io/date_text.hpp"
#include "io/importers.hpp"
#include "io/json_elements.hpp"
#include "io/quantities.hpp"
#include "io/recording_builder.hpp"
#include "wattune/error.hpp"
#include "wattune/statistics.hpp"

namespace wattune::io {

namespace {

namespace ondemand = simdjson::ondemand;

/// Units per second of a time unit; nothing when it is not one.
std::optional<double> per_second(std::string_view unit) {
  const std::string name = base::lower(unit);
  if (name == "s" || name == "seconds" || name == "second") return 1.0;
  if (name == "ms" || name == "milliseconds" || name == "miliseconds" || name == "millisecond") return 1e3;
  if (name == "us" || name == "microseconds" || name == "microsecond") return 1e6;
  if (name == "ns" || name == "nanoseconds" || name == "nanosecond") return 1e9;
  return std::nullopt;
}

struct Measurement {
  std::string name;
  std::string unit;
  std::optional<double> number;
  std::optional<std::string> text;
  std::vector<double> list;
};

class T4Reader final : public ElementHandler {
 public:
  explicit T4Reader(std::string path) : path_(std::move(path)) {}

  void member(const std::string& name, const nlohmann::ordered_json& value) override {
    if (name != "metadata" || !value.is_object()) return;
    const auto text = [&](const char* key) {
      return value.contains(key) && value[key].is_string() ? value[key].get<std::string>() : std::string();
    };
    builder_.head().kernel_name = text("kernel_name");
    builder_.head().device_name = text("device_name");
    builder_.head().problem = text("problem_size");
    builder_.head().problem_size = problem_numbers(builder_.head().problem);
    const std::string unit = text("timeunit");
    if (unit.empty()) return;
    const auto scale = per_second(unit);
    if (!scale) throw Error(ExitCode::bad_input, fmt::format("unknown time unit '{}'", unit), path_);
    scale_ = *scale;
  }

  void element(std::string_view /*key*/, ondemand::value value) override {
    configuration_.clear();
    measurements_.clear();
    invalidity_.clear();
    samples_.clear();
    durations_ = {};
    finished_.reset();
    for (auto member : value.get_object()) {
      ondemand::field field = field_of(member);
      const std::string_view name = field.unescaped_key().value();
      if (name == "configuration")
        read_configuration(field.value());
      else if (name == "times")
        read_times(field.value());
      else if (name == "measurements")
        read_measurements(field.value());
      else if (name == "objectives")
        read_objectives(field.value());
      else if (name == "invalidity")
        invalidity_ = text_of(field.value());
      else if (name == "timestamp")
        finished_ = seconds_from(text_of(field.value()));
    }
    put_entry();
  }

  RecordedSpace finish() { return builder_.finish(); }
  RecordedSpace& head() { return builder_.head(); }

 private:
  struct Durations {
    double compile = 0, verify = 0, benchmark = 0, overhead = 0;
  };

  static std::string text_of(ondemand::value value) {
    return first_character(value) == '"' ? std::string(value.get_string().value()) : std::string();
  }

  void read_configuration(ondemand::value value) {
    for (auto member : value.get_object()) {
      ondemand::field field = field_of(member);
      std::string name(field.unescaped_key().value());
      ondemand::value item = field.value();
      if (auto scalar = scalar_of(item)) configuration_.emplace_back(std::move(name), std::move(*scalar));
    }
  }

  void read_times(ondemand::value value) {
    for (auto member : value.get_object()) {
      ondemand::field field = field_of(member);
      const std::string name(field.unescaped_key().value());
      ondemand::value item = field.value();
      if (name == "runtimes") {
        if (first_character(item) != '[') continue;
        for (auto sample : item.get_array()) {
          ondemand::value number = sample.value();
          if (const auto time = number_of(number)) samples_.push_back(*time / scale_);
        }
        continue;
      }
      const auto number = number_of(item);
      if (!number) continue;
      const double seconds = *number / scale_;
      if (name == "compilation_time" || name == "compilation") durations_.compile = seconds;
      if (name == "validation") durations_.verify = seconds;
      if (name == "benchmark") durations_.benchmark = seconds;
      if (name == "framework" || name == "search_algorithm") durations_.overhead += seconds;
    }
  }

  static void read_value(Measurement& measurement, ondemand::value value) {
    const char first = first_character(value);
    if (first == '"') {
      measurement.text = text_of(value);
    } else if (first == '[') {
      for (auto item : value.get_array()) {
        ondemand::value number = item.value();
        if (const auto sample = number_of(number)) measurement.list.push_back(*sample);
      }
    } else {
      measurement.number = number_of(value);
    }
  }

  void read_measurements(ondemand::value value) {
    for (auto item : value.get_array()) {
      Measurement measurement;
      for (auto member : item.get_object()) {
        ondemand::field field = field_of(member);
        const std::string name(field.unescaped_key().value());
        ondemand::value part = field.value();
        if (name == "name")
          measurement.name = text_of(part);
        else if (name == "unit")
          measurement.unit = text_of(part);
        else if (name == "value")
          read_value(measurement, part);
      }
      measurements_.push_back(std::move(measurement));
    }
  }

  /// The objectives of the first result are those of the recording.
  void read_objectives(ondemand::value value) {
    if (!builder_.head().objectives.empty() || first_character(value) != '[') return;
    for (auto item : value.get_array()) {
      const std::string name = text_of(item.value());
      if (!name.empty()) {
        builder_.head().objectives.push_back(
            {name, is_higher_better(name), name == "time" ? "s" : std::string(unit_of(name))});
      }
    }
  }

  void put_configuration() {
    if (configuration_.empty()) {
      throw Error(ExitCode::bad_input, fmt::format("result {} has no configuration", builder_.entries() + 1), path_);
    }
    if (!builder_.has_parameters()) {
      std::vector<RunParameter> parameters;
      for (const auto& [name, value] : configuration_) parameters.push_back({name, {}, {}, false});
      builder_.set_parameters(std::move(parameters), false);
    }
    builder_.begin_entry();
    for (std::size_t i = 0; i < configuration_.size(); ++i) {
      const auto& [name, value] = configuration_[i];
      const auto& parameters = builder_.head().parameters;
      const bool in_place = i < parameters.size() && parameters[i].name == name;
      const auto parameter = in_place ? std::optional(i) : builder_.head().parameter_index(name);
      if (!parameter) {
        throw Error(ExitCode::bad_input,
                    fmt::format("result {} has a parameter '{}' that the first has not", builder_.entries(), name),
                    path_);
      }
      builder_.set_value(*parameter, value);
    }
  }

  /// Time from its measurement, else the mean of the runtimes.
  void put_time() {
    for (const Measurement& measurement : measurements_) {
      if (measurement.name != "time" || !measurement.number) continue;
      builder_.set_time(*measurement.number / per_second(measurement.unit).value_or(scale_));
      return;
    }
    if (!samples_.empty()) builder_.set_time(mean(samples_));
  }

  void put_status() {
    std::string message;
    std::optional<Status> exact;
    for (const Measurement& measurement : measurements_) {
      if (!measurement.text) continue;
      if (measurement.name == "message") message = *measurement.text;
      if (measurement.name == "status") exact = status_from(*measurement.text);
      if (const auto failure = status_of_failure(*measurement.text); failure && !exact) exact = failure;
    }
    const auto said = status_from(invalidity_);
    if (said && *said != Status::correct) {
      // T4 has no word for some statuses; ours then stands among the measurements.
      builder_.fail(*said == Status::runtime && exact && *exact != Status::correct ? *exact : *said, message);
    } else if (exact && *exact != Status::correct) {
      builder_.fail(*exact, message);
    } else if (!said && !invalidity_.empty()) {
      builder_.fail(Status::runtime, invalidity_);
    }
  }

  void put_entry() {
    put_configuration();
    for (double sample : samples_) builder_.add_sample(sample);
    builder_.set_compile(durations_.compile);
    builder_.set_verify(durations_.verify);
    builder_.set_benchmark(durations_.benchmark);
    builder_.add_overhead(durations_.overhead);
    if (finished_) builder_.set_finished(*finished_);
    put_time();
    for (const Measurement& measurement : measurements_) {
      if (measurement.number && measurement.name != "time") {
        builder_.set_number(builder_.number_column(measurement.name, measurement.unit), *measurement.number);
      }
      if (measurement.list.empty()) continue;
      const std::size_t column = builder_.list_column(measurement.name);
      for (double sample : measurement.list) builder_.add_to_list(column, sample);
    }
    put_status();
    builder_.end_entry(path_);
  }

  std::string path_;
  RecordingBuilder builder_;
  double scale_ = 1e3;
  // Parts of the result being read.
  std::vector<std::pair<std::string, Value>> configuration_;
  std::vector<Measurement> measurements_;
  std::vector<double> samples_;
  std::string invalidity_;
  Durations durations_;
  std::optional<Seconds> finished_;
};

}  // namespace

RecordedSpace import_t4(const JsonInput& input) {
  T4Reader reader(input.path);
  const bool open = read_elements(input, "results", reader);
  reader.head().source = input.path;
  reader.head().format = "t4";
  if (open) reader.head().note = "the file is cut off; it was read up to its last whole result";
  return reader.finish();
}

}  // namespace wattune::io
