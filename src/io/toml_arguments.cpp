// The kernel's arguments, in the order of its parameter list: buffers, scalars, local and constant memory.
#include <fmt/format.h>

#include <cmath>

#include "io/toml_spec.hpp"

namespace wattune::io {

namespace {

constexpr std::string_view kind_words[] = {"buffer", "scalar", "local", "constant"};
constexpr ArgumentKind kinds[] = {ArgumentKind::buffer, ArgumentKind::scalar, ArgumentKind::local,
                                  ArgumentKind::constant};

void read_random(TomlContext& context, TomlTable& table, FillSpec& fill, const toml::node& bounds) {
  fill.kind = FillSpec::Kind::random;
  const auto* list = bounds.as_array();
  const auto low = list != nullptr && list->size() == 2 ? (*list)[0].value<double>() : std::nullopt;
  const auto high = list != nullptr && list->size() == 2 ? (*list)[1].value<double>() : std::nullopt;
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low >= *high) {
    context.report(table.position_of("random"), "'random' must be two numbers, the lower first",
                   "random = [-1.0, 1.0]");
    return;
  }
  fill.low = *low;
  fill.high = *high;
}

FillSpec read_fill(TomlContext& context, const toml::node& node) {
  FillSpec fill;
  const SourcePosition at = context.position(node.source());
  if (node.is_number()) {
    fill.value = node.value<double>().value_or(0.0);
    if (!std::isfinite(fill.value)) context.report(at, "'fill' must be finite");
    return fill;
  }
  const auto* inner = node.as_table();
  if (inner == nullptr) {
    context.report(at, fmt::format("'fill' must be a number or a table, not {}", kind_of(node)),
                   "fill = 0.0, { random = [-1, 1] }, { ramp = 0 } or { file = \"a.bin\" }");
    return fill;
  }
  TomlTable table(context, *inner, "argument.fill", at);
  int ways = 0;
  if (auto value = table.number("constant", -HUGE_VAL, HUGE_VAL)) fill.value = *value, ++ways;
  if (const toml::node* bounds = table.find("random")) read_random(context, table, fill, *bounds), ++ways;
  if (auto value = table.number("ramp", -HUGE_VAL, HUGE_VAL)) {
    fill.kind = FillSpec::Kind::ramp;
    fill.value = *value;
    ++ways;
  }
  if (auto path = table.text("file")) {
    fill.kind = FillSpec::Kind::file;
    fill.path = path->value;
    ++ways;
  }
  if (auto seed = table.count("seed", 0, INT64_MAX)) fill.seed = *seed;
  if (auto step = table.number("step", -HUGE_VAL, HUGE_VAL)) fill.step = *step;
  table.finish();
  if (ways != 1) context.report(at, "'fill' must have exactly one of 'constant', 'random', 'ramp' and 'file'");
  return fill;
}

/// Each kind of argument needs some keys and has no use for others.
void check_argument(TomlContext& context, const ArgumentSpec& argument, bool has_fill) {
  const std::string name = argument.name;
  const auto report = [&](std::string_view message) {
    context.report(argument.at, fmt::format("argument '{}' {}", name, message));
  };
  if (argument.kind == ArgumentKind::scalar) {
    if (!argument.value) report("is a scalar without a 'value'");
    if (argument.size) report("has a 'value' and a 'size': a scalar has no size");
    if (has_fill) report("is a scalar and cannot have a 'fill'");
  } else {
    if (!argument.size) report("has no 'size' (number of elements)");
    if (argument.value) report("has a 'value', which only a scalar has");
  }
  if (argument.kind == ArgumentKind::local && has_fill) report("is local memory, which cannot be filled");
  if (argument.output && argument.kind != ArgumentKind::buffer) report("cannot be an output: only a buffer can");
}

ArgumentSpec read_argument(TomlContext& context, const toml::table& raw, std::size_t index) {
  TomlTable table(context, raw, "argument", context.position(raw.source()));
  ArgumentSpec argument;
  argument.at = table.at();
  argument.name = fmt::format("argument {}", index + 1);
  if (auto name = table.text("name")) argument.name = name->value;
  if (auto type = table.text("type")) {
    if (auto known = element_type_from(type->value)) {
      argument.type = *known;
    } else {
      context.report(type->at, fmt::format("'{}' is no element type", type->value),
                     "char, short, int, long, their unsigned forms, half, float, double");
    }
  } else if (raw.get("type") == nullptr) {
    context.report(table.at(), fmt::format("argument '{}' has no 'type'", argument.name));
  }
  argument.size = table.expression("size");
  argument.value = table.expression("value");
  argument.kind = argument.value ? ArgumentKind::scalar : ArgumentKind::buffer;
  if (auto kind = table.choice("kind", kind_words)) argument.kind = kinds[*kind];
  const toml::node* fill = table.find("fill");
  if (fill != nullptr) argument.fill = read_fill(context, *fill);
  argument.output = table.flag("output").value_or(false);
  table.finish();
  check_argument(context, argument, fill != nullptr);
  return argument;
}

}  // namespace

void read_arguments(TomlTable& top, Spec& spec) {
  const toml::node* node = top.find("argument");
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr) {
    top.wrong_kind("argument", *node, "a list of tables, each under [[argument]]");
    return;
  }
  for (const toml::node& item : *list) {
    if (const auto* table = item.as_table()) {
      ArgumentSpec argument = read_argument(top.context(), *table, spec.arguments.size());
      for (const ArgumentSpec& other : spec.arguments) {
        if (other.name == argument.name) {
          top.context().report(argument.at, fmt::format("two arguments are called '{}'", argument.name));
        }
      }
      spec.arguments.push_back(std::move(argument));
    } else {
      top.wrong_kind("argument", item, "a table");
    }
  }
}

}  // namespace wattune::io
