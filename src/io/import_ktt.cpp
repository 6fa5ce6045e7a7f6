// Reads the JSON output of the Kernel Tuning Toolkit (KTT 2.x): one result a configuration with a status, durations in
// the unit that its metadata names (microseconds by default), compilation data, and hardware counters of every kernel.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "io/date_text.hpp"
#include "io/importers.hpp"
#include "io/json_elements.hpp"
#include "io/recording_builder.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

using Json = nlohmann::ordered_json;

double number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
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

Status status_of(const std::string& name) {
  if (name == "Ok") return Status::correct;
  if (name == "CompilationFailed") return Status::compile;
  if (name == "ValidationFailed") return Status::correctness;
  return Status::runtime;  // ComputationFailed, DeviceLimitsExceeded
}

class KttReader final : public ElementHandler {
 public:
  explicit KttReader(std::string path) : path_(std::move(path)) {}

  void member(const std::string& name, const Json& value) override {
    if (name != "Metadata" || !value.is_object()) return;
    builder_.head().device_name = text_in(value, "Device");
    const std::string unit = base::lower(text_in(value, "TimeUnit"));
    if (unit == "nanoseconds")
      per_second_ = 1e9;
    else if (unit == "milliseconds")
      per_second_ = 1e3;
    else if (unit == "seconds")
      per_second_ = 1.0;
    else if (!unit.empty() && unit != "microseconds")
      throw Error(ExitCode::bad_input, fmt::format("unknown time unit '{}'", unit), path_);
  }

  void element(std::string_view /*key*/, simdjson::ondemand::value value) override {
    const Json result = Json::parse(std::string_view(simdjson::to_json_string(value).value()), nullptr, false);
    const auto configuration = result.is_object() ? result.find("Configuration") : result.end();
    if (!result.is_object() || configuration == result.end() || !configuration->is_array() || configuration->empty()) {
      throw Error(ExitCode::bad_input, fmt::format("result {} has no 'Configuration'", builder_.entries() + 1), path_);
    }
    if (builder_.head().kernel_name.empty()) builder_.head().kernel_name = text_in(result, "KernelName");
    put_configuration(*configuration);
    put_durations(result);
    const std::string status = text_in(result, "Status");
    if (status_of(status) != Status::correct) builder_.fail(status_of(status), status);
    builder_.end_entry(path_);
  }

  RecordedSpace finish() { return builder_.finish(); }
  RecordedSpace& head() { return builder_.head(); }

 private:
  void put_configuration(const Json& configuration) {
    if (!builder_.has_parameters()) {
      std::vector<RunParameter> parameters;
      for (const Json& pair : configuration) parameters.push_back({text_in(pair, "Name"), {}, {}, false});
      builder_.set_parameters(std::move(parameters), false);
    }
    builder_.begin_entry();
    for (const Json& pair : configuration) {
      const std::string name = text_in(pair, "Name");
      const auto parameter = builder_.head().parameter_index(name);
      const auto value = pair.contains("Value") ? value_in(pair["Value"]) : std::nullopt;
      if (!parameter || !value) {
        throw Error(ExitCode::bad_input,
                    fmt::format("result {} has no usable value for '{}'", builder_.entries(), name), path_);
      }
      builder_.set_value(*parameter, *value);
    }
  }

  void put_durations(const Json& result) {
    const double duration = number_in(result, "TotalDuration") / per_second_;
    const double verify = number_in(result, "ValidationOverhead") / per_second_;
    const double total = number_in(result, "TotalOverhead") / per_second_;
    double compile = 0.0;
    const auto computations = result.find("ComputationResults");
    if (computations != result.end() && computations->is_array()) {
      for (const Json& computation : *computations) {
        compile += number_in(computation, "Overhead") / per_second_;  // of the launch, nearly all compilation
        put_counters(computation);
      }
    }
    builder_.set_compile(compile);
    builder_.set_verify(verify);
    builder_.set_benchmark(duration);
    builder_.add_overhead(std::max(0.0, total - compile - verify));
    builder_.set_time(duration);
  }

  void put_counters(const Json& computation) {
    const auto put = [&](const std::string& name, double number) {
      builder_.set_number(builder_.number_column(name), number);
    };
    if (const auto data = computation.find("CompilationData"); data != computation.end() && data->is_object()) {
      for (const auto& [name, number] : data->items()) {
        if (number.is_number()) put(name == "RegistersCount" ? "registers" : name, number.get<double>());
      }
    }
    const auto profiling = computation.find("ProfilingData");
    if (profiling == computation.end() || !profiling->is_object() || !profiling->contains("Counters")) return;
    const Json& counters = (*profiling)["Counters"];
    if (!counters.is_array()) return;
    for (const Json& counter : counters) {
      if (counter.is_object() && counter.contains("Value") && counter["Value"].is_number()) {
        put(text_in(counter, "Name"), counter["Value"].get<double>());
      }
    }
  }

  std::string path_;
  RecordingBuilder builder_;
  double per_second_ = 1e6;
};

}  // namespace

RecordedSpace import_ktt(const JsonInput& input) {
  KttReader reader(input.path);
  const bool open = read_elements(input, "Results", reader);
  reader.head().source = input.path;
  reader.head().format = "ktt";
  if (open) reader.head().note = "the file is cut off; it was read up to its last whole result";
  return reader.finish();
}

}  // namespace wattune::io
