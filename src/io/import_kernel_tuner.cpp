// Reads cache files of Kernel Tuner, all generations since 2019: left open by a killed run or closed; failures as text
// in place of a number, as "__error__", or as a time of 1e20; objective as text, list or absent; problem size as
// number, list, text or absent. Times in the file are milliseconds. Refuses a file without tunable parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.hpp"
#include "io/date_text.hpp"
#include "io/importers.hpp"
#include "io/json_elements.hpp"
#include "io/quantities.hpp"
#include "io/recording_builder.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

namespace ondemand = simdjson::ondemand;

/// What a key of an entry means.
enum class Role { parameter, time, times, compile, verify, benchmark, overhead, timestamp, error, status, other };

constexpr std::array<std::pair<std::string_view, Role>, 10> roles = {{
    {"time", Role::time},
    {"times", Role::times},
    {"compile_time", Role::compile},
    {"verification_time", Role::verify},
    {"benchmark_time", Role::benchmark},
    {"strategy_time", Role::overhead},
    {"framework_time", Role::overhead},
    {"timestamp", Role::timestamp},
    {"__error__", Role::error},
    {"status", Role::status},
}};

struct Slot {
  std::string name;
  Role role = Role::other;
  std::size_t parameter = 0;
  std::optional<std::size_t> numbers;  ///< column, once a number was seen
  std::optional<std::size_t> list;     ///< column, once a list was seen
};

std::optional<Value> value_in(const nlohmann::ordered_json& json) {
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_integer()) return Value(json.get<std::int64_t>());
  if (json.is_number()) return Value(json.get<double>());
  if (json.is_string()) return Value(json.get<std::string>());
  return std::nullopt;
}

class CacheReader final : public ElementHandler {
 public:
  explicit CacheReader(std::string path) : path_(std::move(path)) {
    builder_.head().objectives = {{"time", false, "s"}};
  }

  void member(const std::string& name, const nlohmann::ordered_json& value) override {
    RecordedSpace& head = builder_.head();
    if (name == "device_name" && value.is_string()) head.device_name = value.get<std::string>();
    if (name == "kernel_name" && value.is_string()) head.kernel_name = value.get<std::string>();
    if (name == "problem_size") read_problem(value);
    if (name == "objective") read_objective(value);
    if (name == "tune_params_keys" && value.is_array()) keys_ = value;
    if (name == "tune_params" && value.is_object()) lists_ = value;
    if (builder_.entries() == 0 && !lists_.is_null()) set_parameters();
  }

  [[nodiscard]] bool ready() const override { return builder_.has_parameters(); }

  void element(std::string_view key, ondemand::value value) override {
    if (!builder_.has_parameters()) throw Error(ExitCode::bad_input, "the cache has no 'tune_params'", path_);
    builder_.begin_entry();
    std::size_t expected = 0;
    for (auto member : value.get_object()) {
      ondemand::field field = field_of(member);
      Slot& slot = slot_of(field, expected++);
      read(slot, field.value());
    }
    complete_from_key(key);
    builder_.end_entry(path_);
  }

  void expect(double factor) override { builder_.expect(factor); }

  RecordedSpace finish() { return builder_.finish(); }
  RecordedSpace& head() { return builder_.head(); }

 private:
  void read_problem(const nlohmann::ordered_json& value) {
    RecordedSpace& head = builder_.head();
    head.problem_size.clear();
    if (value.is_string()) {
      head.problem = value.get<std::string>();
      head.problem_size = problem_numbers(head.problem);
      return;
    }
    for (const auto& size : value.is_array() ? value : nlohmann::ordered_json::array({value})) {
      if (size.is_number()) head.problem_size.push_back(size.get<double>());
    }
    head.problem = problem_text(head.problem_size);
  }

  void read_objective(const nlohmann::ordered_json& value) {
    std::vector<ObjectiveRecord> objectives;
    for (const auto& name : value.is_array() ? value : nlohmann::ordered_json::array({value})) {
      if (!name.is_string()) continue;
      const std::string text = name.get<std::string>();
      objectives.push_back({text, is_higher_better(text), text == "time" ? "s" : std::string(unit_of(text))});
    }
    if (!objectives.empty()) builder_.head().objectives = std::move(objectives);
  }

  void set_parameters() {
    std::vector<RunParameter> parameters;
    const auto add = [&](const std::string& name) {
      RunParameter parameter;
      parameter.name = name;
      const auto list = lists_.find(name);
      if (list != lists_.end() && list->is_array()) {
        for (const auto& item : *list) {
          if (auto value = value_in(item)) parameter.values.push_back(std::move(*value));
        }
      }
      parameters.push_back(std::move(parameter));
    };
    if (keys_.is_array()) {
      for (const auto& name : keys_) {
        if (name.is_string()) add(name.get<std::string>());
      }
    } else {
      for (const auto& [name, list] : lists_.items()) add(name);
    }
    slots_.clear();
    order_.clear();
    builder_.set_parameters(std::move(parameters), true);
  }

  /// Entries mostly have the same keys in the same order, so that the slot of the same place in the last entry is tried
  /// before the table is asked.
  Slot& slot_of(ondemand::field& field, std::size_t expected) {
    const char* raw = field.key().raw();
    if (expected < order_.size()) {
      Slot& slot = *order_[expected];
      if (std::char_traits<char>::compare(raw, slot.name.data(), slot.name.size()) == 0 &&
          raw[slot.name.size()] == '"') {
        return slot;
      }
    }
    const std::string name(field.unescaped_key().value());
    Slot& slot = slots_[name];
    if (slot.name.empty()) describe(slot, name);
    order_.resize(std::max(order_.size(), expected + 1), &slot);
    order_[expected] = &slot;
    return slot;
  }

  void describe(Slot& slot, const std::string& name) {
    slot.name = name;
    for (const auto& [known, role] : roles) {
      if (name == known) slot.role = role;
    }
    if (auto parameter = builder_.head().parameter_index(name)) {
      slot.role = Role::parameter;
      slot.parameter = *parameter;
    }
  }

  void read(Slot& slot, ondemand::value value) {
    const char first = first_character(value);
    if (slot.role == Role::parameter) {
      read_parameter(slot.parameter, first, value);
    } else if (first == '"') {
      read_text(slot, value.get_string().value());
    } else if (first == '[') {
      read_list(slot, value.get_array());
    } else if (const auto number = number_of(value)) {
      read_number(slot, *number);
    }
  }

  void read_parameter(std::size_t parameter, char first, ondemand::value& value) {
    std::int64_t integer = 0;
    const bool numeric = first == '-' || (first >= '0' && first <= '9');
    if (numeric && value.get_int64().get(integer) == simdjson::SUCCESS) {
      builder_.set_value(parameter, integer);
    } else if (auto scalar = scalar_of(value)) {
      builder_.set_value(parameter, *scalar);
    }
  }

  void read_text(const Slot& slot, std::string_view text) {
    if (slot.role == Role::timestamp) {
      if (const auto date = seconds_from(text)) builder_.set_finished(*date);
    } else if (slot.role == Role::status) {
      if (const auto status = status_from(text); status && *status != Status::correct) builder_.fail(*status);
    } else if (const auto failure = status_of_failure(text)) {
      builder_.fail(*failure);
    } else if (slot.role == Role::time || slot.role == Role::error) {
      builder_.fail(Status::runtime, text);
    }
  }

  void read_list(Slot& slot, ondemand::array list) {
    if (slot.role == Role::times) {
      for (auto item : list) {
        ondemand::value value = item.value();
        if (const auto number = number_of(value)) builder_.add_sample(seconds_of_ms(*number));
      }
      return;
    }
    for (auto item : list) {
      ondemand::value value = item.value();
      const auto number = number_of(value);
      if (!number) continue;
      if (!slot.list) slot.list = builder_.list_column(slot.name);
      builder_.add_to_list(*slot.list, *number);
    }
  }

  void read_number(Slot& slot, double number) {
    switch (slot.role) {
      case Role::time:
        builder_.set_time(seconds_of_ms(number));
        break;
      case Role::compile:
        builder_.set_compile(seconds_of_ms(number));
        break;
      case Role::verify:
        builder_.set_verify(seconds_of_ms(number));
        break;
      case Role::benchmark:
        builder_.set_benchmark(seconds_of_ms(number));
        break;
      case Role::overhead:
        builder_.add_overhead(seconds_of_ms(number));
        break;
      default:
        if (!slot.numbers) slot.numbers = builder_.number_column(slot.name);
        builder_.set_number(*slot.numbers, number);
    }
  }

  /// Entries that do not repeat their parameters have them in their key, as Python's str(), in the order of the
  /// parameters.
  void complete_from_key(std::string_view key) {
    for (std::size_t p = 0; p < builder_.parameter_count(); ++p) {
      if (builder_.has_value(p)) continue;
      const std::vector<std::string> parts = base::split(key, ',');
      if (parts.size() != builder_.parameter_count()) return;
      for (const Value& value : builder_.listed_values(p)) {
        if (to_string(value) == base::trim(parts[p])) {
          builder_.set_value(p, Value(value));
          break;
        }
      }
    }
  }

  std::string path_;
  RecordingBuilder builder_;
  nlohmann::ordered_json keys_;
  nlohmann::ordered_json lists_;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<Slot*> order_;
};

}  // namespace

RecordedSpace import_kernel_tuner(const JsonInput& input) {
  CacheReader reader(input.path);
  const bool open = read_elements(input, "cache", reader);
  RecordedSpace& head = reader.head();
  head.source = input.path;
  head.format = "kernel_tuner";
  if (open) head.note = "the file was left open by its writer; it was read up to its last whole entry";
  return reader.finish();
}

}  // namespace wattune::io
