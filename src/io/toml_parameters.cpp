// The names of a spec: problem sizes and tunable parameters with their value lists.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "io/toml_spec.hpp"
#include "wattune/expression.hpp"

namespace wattune::io {

namespace {

constexpr std::string_view device_kinds[] = {"cpu", "gpu"};
constexpr std::size_t max_values =
    1'000'000;  // of one parameter: far beyond use, but keeps a slip from eating the memory

std::vector<NamedValues> environment_of(const Spec& spec) {
  std::vector<NamedValues> environment;
  for (const NamedValue& size : spec.problem) environment.push_back({size.name, {size.value}, false});
  return environment;
}

/// Orders values so that equal ones (Python's `==`: 1, 1.0 and True) share a place.
using Order = std::tuple<int, std::int64_t, double, std::string>;
Order order_of(const Value& value) {
  if (value.is_text()) return {2, 0, 0.0, value.as_text()};
  const double number = value.as_number();
  const bool integral = !value.is_real() || (std::floor(number) == number && std::abs(number) < 9.0e18);
  return integral ? Order{0, value.as_integer(), 0.0, {}} : Order{1, 0, number, {}};
}

std::vector<Value> values_in(TomlContext& context, const toml::node& node, const std::string& name, const Spec& spec) {
  const SourcePosition at = context.position(node.source());
  if (const auto* text = node.as_string()) {
    try {
      return evaluate_list(text->get(), environment_of(spec), to_string(at), max_values);
    } catch (const Error& error) {
      context.problems.insert(context.problems.end(), error.problems().begin(), error.problems().end());
      return {};
    }
  }
  const auto* list = node.as_array();
  if (list == nullptr) {
    context.report(at, fmt::format("the values of '{}' must be a list or an expression, not {}", name, kind_of(node)));
    return {};
  }
  if (list->empty()) context.report(at, fmt::format("'{}' has no values", name));
  std::vector<Value> values;
  for (const toml::node& item : *list) {
    if (auto value = value_of(item)) {
      values.push_back(std::move(*value));
    } else {
      context.report(
          context.position(item.source()),
          fmt::format("a value of '{}' must be a finite number, a boolean or a text, not {}", name, kind_of(item)));
    }
  }
  return values;
}

void refuse_duplicates(TomlContext& context, const ParameterSpec& parameter) {
  std::set<Order> seen;
  for (const Value& value : parameter.values) {
    if (seen.insert(order_of(value)).second) continue;
    context.report(parameter.at, fmt::format("'{}' has the value {} twice", parameter.name, to_string(value)));
    return;
  }
}

/// Values of a setting that only the device knows: "supported", "equidistant(7)", "around(1005, 10)".
bool names_supported_values(const std::string& name, const toml::node& node) {
  const auto* text = node.as_string();
  if (text == nullptr || hardware_setting(name).empty()) return false;
  const std::string_view given = text->get();
  return given == "supported" || given.starts_with("equidistant(") || given.starts_with("around(");
}

void read_values(TomlContext& context, const toml::node& node, const Spec& spec, ParameterSpec& parameter) {
  if (names_supported_values(parameter.name, node)) {
    parameter.supported = LocatedText{node.as_string()->get(), context.position(node.source())};
  } else {
    parameter.values = values_in(context, node, parameter.name, spec);
  }
}

ParameterSpec read_parameter(TomlContext& context, const std::string& name, const toml::node& node, const Spec& spec) {
  ParameterSpec parameter;
  parameter.name = name;
  parameter.at = context.position(node.source());
  const auto* table = node.as_table();
  if (table == nullptr) {
    read_values(context, node, spec, parameter);
    refuse_duplicates(context, parameter);
    return parameter;
  }
  TomlTable entry(context, *table, "tune.parameters." + name, parameter.at);
  if (const toml::node* values = entry.find("values")) {
    read_values(context, *values, spec, parameter);
  } else {
    context.report(parameter.at, fmt::format("'{}' has no values", name), "write values = [...]");
  }
  refuse_duplicates(context, parameter);
  if (const toml::node* node_default = entry.find("default")) {
    parameter.default_value = value_of(*node_default);
    const SourcePosition at = context.position(node_default->source());
    if (!parameter.default_value) {
      context.report(at, fmt::format("the default of '{}' must be one of its values", name));
    } else if (!parameter.values.empty() && std::find(parameter.values.begin(), parameter.values.end(),
                                                      *parameter.default_value) == parameter.values.end()) {
      context.report(at, fmt::format("the default {} of '{}' is not one of its values",
                                     to_string(*parameter.default_value), name));
    }
  }
  entry.finish();
  return parameter;
}

std::vector<NamedValue> read_sizes(TomlContext& context, const toml::table& table) {
  std::vector<NamedValue> sizes;
  for (const auto& [key, node] : in_file_order(table)) {
    const std::string name(key->str());
    if (std::find(std::begin(device_kinds), std::end(device_kinds), name) != std::end(device_kinds) &&
        node->is_table()) {
      continue;
    }
    const SourcePosition at = context.position(node->source());
    const auto value = value_of(*node);
    if (!is_identifier(name)) {
      context.report(context.position(key->source()), fmt::format("'{}' cannot be the name of a problem size", name),
                     "letters, digits and underscores only");
    } else if (!value) {
      context.report(at, fmt::format("the problem size '{}' must be a finite number, a boolean or a text, not {}", name,
                                     kind_of(*node)));
    }
    sizes.push_back({name, value.value_or(Value()), at});
  }
  return sizes;
}

void read_overrides(TomlTable& problem, const std::string& kind, Spec& spec) {
  auto table = problem.table(kind);
  if (!table) return;
  TomlContext& context = problem.context();
  std::vector<NamedValue> sizes = read_sizes(context, table->raw());
  std::vector<std::string> known;
  for (const NamedValue& size : spec.problem) known.push_back(size.name);
  for (const NamedValue& size : sizes) {
    if (std::find(known.begin(), known.end(), size.name) != known.end()) continue;
    context.report(size.at, fmt::format("[problem.{}] overrides '{}', which [problem] does not have", kind, size.name),
                   base::did_you_mean(size.name, known));
  }
  spec.problem_for[kind] = std::move(sizes);
}

}  // namespace

void read_problem(TomlTable& top, Spec& spec) {
  auto problem = top.table("problem");
  if (!problem) return;
  spec.problem = read_sizes(top.context(), problem->raw());
  for (const NamedValue& size : spec.problem) top.context().names.push_back(size.name);
  for (std::string_view kind : device_kinds) {
    const toml::node* node = problem->raw().get(kind);
    if (node != nullptr && node->is_table()) read_overrides(*problem, std::string(kind), spec);
  }
}

void read_parameters(TomlTable& tune, Spec& spec) {
  TomlContext& context = tune.context();
  auto parameters = tune.table("parameters");
  if (!parameters) {
    if (tune.raw().get("parameters") == nullptr) {
      context.report(tune.at(), "no [tune.parameters]: a spec needs at least one tunable parameter");
    }
    return;
  }
  if (parameters->raw().empty()) context.report(parameters->at(), "[tune.parameters] is empty");
  for (const auto& [key, node] : in_file_order(parameters->raw())) {
    const std::string name(key->str());
    const SourcePosition at = context.position(key->source());
    if (!is_identifier(name)) {
      context.report(at, fmt::format("'{}' cannot be the name of a parameter", name),
                     "letters, digits and underscores only");
    } else if (std::find(context.names.begin(), context.names.end(), name) != context.names.end()) {
      context.report(at, fmt::format("'{}' is a problem size and a parameter", name));
    }
    spec.parameters.push_back(read_parameter(context, name, *node, spec));
  }
  for (const ParameterSpec& parameter : spec.parameters) context.names.push_back(parameter.name);
}

}  // namespace wattune::io
