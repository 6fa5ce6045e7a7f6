// Reads a T1 input (JSON, schema 1.0.0, with the additions of Kernel Tuner's files) as a Spec. Lenient where real files
// demand it: unknown keys, a default outside of the value list, a LocalSize of parameters that do not exist. Refuses
// what a tuner cannot do without, with file and JSON path.
#include <algorithm>
#include <filesystem>
#include <set>

#include "io/t1_reader.hpp"
#include "wattune/formats.hpp"

namespace wattune {

namespace {

using io::T1Context;
using io::T1Node;

/// `Values` is a Python expression in a text; some files write the list itself.
std::vector<Value> read_values(const T1Node& node) {
  std::vector<Value> values;
  if (!node.present()) {
    node.report("the value list is missing", "write \"Values\": \"[16, 32, 64]\"");
  } else if (node.json().is_string()) {
    try {
      values = evaluate_list(node.json().get<std::string>(), {}, to_string(node.at()));
    } catch (const Error& error) {
      node.report(error);
      return values;
    }
    if (values.empty()) node.report("the value list is empty");
  } else {
    for (const T1Node& item : node.items()) {
      if (auto value = item.value()) values.push_back(std::move(*value));
    }
    if (values.empty()) node.report("the value list is empty");
  }
  return values;
}

/// The default, if it is one of the values. Some files write a list of one, or a text that holds the number.
std::optional<Value> read_default(const T1Node& node, const std::vector<Value>& values) {
  const std::vector<T1Node> items = node.items();
  if (items.size() != 1) return std::nullopt;
  const std::optional<Value> given = items.front().value();
  if (!given) return std::nullopt;
  for (const Value& value : values) {
    if (value == *given || to_string(value) == to_string(*given)) return value;
  }
  return std::nullopt;
}

void read_parameters(const T1Node& space, Spec& spec) {
  const std::vector<T1Node> items = space["TuningParameters"].items();
  if (items.empty()) space["TuningParameters"].report("a list of at least one parameter is expected");
  std::set<std::string> seen;
  for (const T1Node& item : items) {
    if (!item.is_object(true)) continue;
    ParameterSpec parameter;
    parameter.at = item.at();
    parameter.name = item["Name"].text(true).value_or("");
    parameter.values = read_values(item["Values"]);
    parameter.default_value = read_default(item["Default"], parameter.values);
    if (!parameter.name.empty() && !seen.insert(parameter.name).second) {
      item["Name"].report("the parameter '" + parameter.name + "' is listed twice");
    }
    item.context().lists.push_back({parameter.name, parameter.values, true});
    item.context().names.push_back(parameter.name);
    spec.parameters.push_back(std::move(parameter));
  }
}

void read_conditions(const T1Node& space, Spec& spec) {
  for (const T1Node& item : space["Conditions"].items()) {
    const T1Node expression = item.present() && item.json().is_string() ? item : item["Expression"];
    const std::optional<std::string> text = expression.text(true);
    if (!text) continue;
    try {
      (void)Expression::compile(*text, item.context().names, to_string(expression.at()));
      spec.constraints.push_back({*text, expression.at()});
    } catch (const Error& error) {
      expression.report(error);
    }
  }
}

void read_budget(const T1Node& top, Spec& spec) {
  for (const T1Node& item : top["Budget"].items()) {
    const std::string type = item["Type"].text(true).value_or("");
    const std::optional<double> value = item["BudgetValue"].number();
    if (!value || !(*value > 0.0)) {
      item["BudgetValue"].report("a number above 0 is expected");
    } else if (type == "TuningDuration") {
      spec.budget.seconds = *value;
    } else if (type == "ConfigurationCount") {
      spec.budget.evaluations = static_cast<std::uint64_t>(std::min(*value, 1e18));
    } else if (type == "ConfigurationFraction") {
      spec.budget.fraction = std::min(*value, 1.0);
    } else if (!type.empty()) {
      item["Type"].report("'" + type + "' is no budget",
                          "TuningDuration, ConfigurationCount and ConfigurationFraction are known");
    }
  }
}

void read_search(const T1Node& search, Spec& spec) {
  if (!search.present()) return;
  if (const auto name = search["Name"].text()) spec.strategy.name = {*name, search["Name"].at()};
  for (const T1Node& item : search["Attributes"].items()) {
    const std::optional<std::string> name = item["Name"].text(true);
    const std::optional<Value> value = item["Value"].value();
    if (name && value) spec.strategy.options[*name] = {*value, item.at()};
  }
}

}  // namespace

Spec parse_t1_spec(std::string_view text, const std::string& file_name) {
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {  // also out_of_range, for a number beyond what a double holds
    std::string message = error.what();  // "[json.exception.parse_error.101] parse error at line 3, column 5: …"
    if (const std::size_t end = message.find("] "); end != std::string::npos) message.erase(0, end + 2);
    throw Error(ExitCode::bad_input, "the file is not valid JSON: " + message, file_name);
  }
  T1Context context{file_name, {}, {}, {}};
  const T1Node top(context, &document, "");
  const std::filesystem::path path(file_name);
  Spec spec;
  spec.at = {file_name, 0, 0};
  spec.name = top["General"]["BenchmarkName"].text().value_or(path.stem().string());
  spec.directory = path.parent_path().string();

  const T1Node space = top["ConfigurationSpace"];
  const T1Node kernel = top["KernelSpecification"];
  if (space.is_object(true)) read_parameters(space, spec);
  if (kernel.is_object(true)) io::read_t1_problem(kernel, spec);
  read_conditions(space, spec);
  if (kernel.present() && kernel.json().is_object()) {
    io::read_t1_kernel(kernel, spec);
    io::read_t1_arguments(kernel, spec);
  }
  read_budget(top, spec);
  read_search(top["Search"], spec);
  if (!context.problems.empty()) throw Error(ExitCode::bad_input, std::move(context.problems));
  return spec;
}

}  // namespace wattune
