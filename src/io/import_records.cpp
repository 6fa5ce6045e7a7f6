// Reads the two small formats that keep the best configurations only: wisdom files of kernel_launcher (a header line,
// then one record a line) and results stores of Kernel Tuner (one object). Both may mix devices and problem sizes; a
// recording has one of each, so that the records like the first are taken and the note counts the others. Times are
// milliseconds.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/date_text.hpp"
#include "io/importers.hpp"
#include "io/quantities.hpp"
#include "io/recording_builder.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& where, std::string message) {
  throw Error(ExitCode::bad_input, std::move(message), where);
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<Value> value_in(const Json& json) {
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_integer()) return Value(json.get<std::int64_t>());
  if (json.is_number()) return Value(json.get<double>());
  if (json.is_string()) return Value(json.get<std::string>());
  return std::nullopt;
}

std::string problem_in(const Json& record) {
  const auto found = record.find("problem_size");
  if (found == record.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  std::vector<double> sizes;
  for (const Json& size : found->is_array() ? *found : Json::array({*found})) {
    if (size.is_number()) sizes.push_back(size.get<double>());
  }
  return problem_text(sizes);
}

/// What both formats share once their syntax is undone.
class RecordReader {
 public:
  RecordReader(std::string path, std::string objective, bool higher_is_better)
      : path_(std::move(path)), objective_(std::move(objective)) {
    builder_.head().objectives = {
        {objective_, higher_is_better, objective_ == "time" ? "s" : std::string(unit_of(objective_))}};
  }

  void set_parameters(const Json& names, const std::string& where) {
    std::vector<RunParameter> parameters;
    if (names.is_array()) {
      for (const Json& name : names) {
        if (name.is_string()) parameters.push_back({name.get<std::string>(), {}, {}, false});
      }
    }
    if (parameters.empty()) fail(where, "'tunable_parameters' must be a list of names");
    builder_.set_parameters(std::move(parameters), false);
  }

  /// `configuration` is a list in the order of the parameters, or an object.
  void add(const Json& record, const Json& configuration, const std::string& device, const std::string& where) {
    const std::string problem = problem_in(record);
    if (builder_.entries() == 0) {
      builder_.head().device_name = device;
      builder_.head().problem = problem;
      builder_.head().problem_size = problem_numbers(problem);
    } else if (device != builder_.head().device_name || problem != builder_.head().problem) {
      ++left_out_;
      return;
    }
    builder_.begin_entry();
    for (std::size_t p = 0; p < builder_.parameter_count(); ++p) {
      const std::string& name = builder_.head().parameters[p].name;
      const bool listed = configuration.is_array() && p < configuration.size();
      const bool named = configuration.is_object() && configuration.contains(name);
      const auto value = listed ? value_in(configuration[p]) : named ? value_in(configuration[name]) : std::nullopt;
      if (!value) fail(where, fmt::format("the record has no value for '{}'", name));
      builder_.set_value(p, *value);
    }
    const auto score = record.find(objective_);
    if (score == record.end() || !score->is_number())
      fail(where, fmt::format("the record has no number '{}'", objective_));
    if (objective_ == "time") {
      builder_.set_time(seconds_of_ms(score->get<double>()));
    } else {
      builder_.set_number(builder_.number_column(objective_), score->get<double>());
    }
    builder_.end_entry(where);
  }

  void set_finished(std::string_view date) {
    if (const auto seconds = seconds_from(date); seconds && builder_.entries() > 0) builder_.set_finished(*seconds);
  }

  RecordedSpace finish(std::string_view format, std::string kernel) {
    builder_.head().source = path_;
    builder_.head().format = format;
    builder_.head().kernel_name = std::move(kernel);
    if (left_out_ > 0) {
      builder_.head().note = fmt::format("{} records of other devices or problem sizes were left out", left_out_);
    }
    return builder_.finish();
  }

 private:
  std::string path_;
  std::string objective_;
  RecordingBuilder builder_;
  std::size_t left_out_ = 0;
};

}  // namespace

RecordedSpace import_wisdom(const std::string& path, std::string_view text) {
  const std::vector<std::string> lines = base::split(text, '\n');
  std::optional<RecordReader> reader;
  std::string kernel;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = base::trim(lines[i]);
    if (line.empty() || line.front() == '#' || line.substr(0, 2) == "//") continue;
    const std::string where = fmt::format("{}:{}", path, i + 1);
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) fail(where, "not a JSON object");
    if (!reader) {
      if (text_in(json, "version") != "1.0") fail(where, "unknown version of a wisdom file (1.0 was expected)");
      kernel = text_in(json, "key");
      const std::string objective = text_in(json, "objective");
      reader.emplace(path, objective.empty() ? "time" : objective, is_higher_better(objective));
      reader->set_parameters(json.contains("tunable_parameters") ? json["tunable_parameters"] : Json(), where);
      continue;
    }
    const Json environment = json.contains("environment") ? json["environment"] : Json::object();
    const bool has_environment = environment.is_object();
    reader->add(json, json.contains("config") ? json["config"] : Json(),
                has_environment ? text_in(environment, "device_name") : "", where);
    if (has_environment) reader->set_finished(text_in(environment, "date"));
  }
  if (!reader) fail(path, "the wisdom file is empty");
  return reader->finish("wisdom", kernel);
}

RecordedSpace import_results_store(const std::string& path, std::string_view text) {
  const Json store = Json::parse(text, nullptr, false);
  if (!store.is_object()) fail(path, "not valid JSON");
  const auto data = store.find("data");
  if (data == store.end() || !data->is_array()) fail(path, "has no list 'data'");
  const std::string objective = text_in(store, "objective").empty() ? "time" : text_in(store, "objective");
  const auto higher = store.find("objective_higher_is_better");
  RecordReader reader(path, objective, higher != store.end() && higher->is_boolean() && higher->get<bool>());
  reader.set_parameters(store.contains("tunable_parameters") ? store["tunable_parameters"] : Json(), path);
  for (std::size_t i = 0; i < data->size(); ++i) {
    const Json& record = (*data)[i];
    const std::string where = fmt::format("{}: record {}", path, i + 1);
    if (!record.is_object()) fail(where, "not a JSON object");
    reader.add(record, record.contains("tunable_parameters") ? record["tunable_parameters"] : Json(),
               text_in(record, "device_name"), where);
  }
  return reader.finish("results_store", text_in(store, "kernel_name"));
}

}  // namespace wattune::io
