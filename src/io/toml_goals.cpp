// What a spec asks for: constraints, metrics, objectives, strategy, budget and how to measure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "io/toml_spec.hpp"

namespace wattune::io {

namespace {

// The quantities of an outcome that exist without a metric. `analysis` computes them; kept here because a spec is
// checked before anything is measured.
constexpr std::string_view quantities[] = {"time", "time_ms", "time_us", "power", "energy", "energy_mj", "edp", "ed2p"};
// What engines and sensors may record next to them. A name outside both lists is taken for a slip.
constexpr std::string_view observables[] = {"core_clock_mhz", "memory_clock_mhz", "temperature_c", "registers",
                                            "local_bytes",    "compute_units",    "power_limit_w"};

void add(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

std::optional<MetricSpec> read_metric(TomlContext& context, const std::string& name, const toml::node& node) {
  MetricSpec metric{name, {}, {}};
  if (const auto* table = node.as_table()) {
    TomlTable entry(context, *table, "metrics." + name, context.position(node.source()));
    auto expression = entry.text("expression");
    if (auto unit = entry.text("unit")) metric.unit = unit->value;
    entry.finish();
    if (!expression) {
      if (table->get("expression") == nullptr) {
        context.report(entry.at(), fmt::format("the metric '{}' has no 'expression'", name));
      }
      return std::nullopt;
    }
    metric.expression = std::move(*expression);
  } else if (const auto* text = node.as_string()) {
    metric.expression = {text->get(), context.position(node.source())};
  } else {
    context.report(context.position(node.source()),
                   fmt::format("the metric '{}' must be an expression, not {}", name, kind_of(node)));
    return std::nullopt;
  }
  return metric;
}

std::vector<std::string> objective_names(const Spec& spec) {
  std::vector<std::string> names(std::begin(quantities), std::end(quantities));
  for (const MetricSpec& metric : spec.metrics) add(names, metric.name);
  for (std::string_view name : observables) add(names, name);
  return names;
}

void read_objective(TomlContext& context, const toml::node& node, Spec& spec) {
  ObjectiveSpec objective;
  const SourcePosition at = context.position(node.source());
  if (const auto* text = node.as_string()) {
    objective.name = {text->get(), at};
  } else if (const auto* table = node.as_table()) {
    TomlTable entry(context, *table, "tune.objective", at);
    auto minimum = entry.text("minimize");
    auto maximum = entry.text("maximize");
    entry.finish();
    if (minimum.has_value() == maximum.has_value()) {
      context.report(at, "an objective has exactly one of 'minimize' and 'maximize'");
      return;
    }
    objective.maximize = maximum.has_value();
    objective.name = objective.maximize ? *maximum : *minimum;
  } else {
    context.report(at, fmt::format("an objective must be a name or a table, not {}", kind_of(node)),
                   "objective = \"time\" or { maximize = \"gflops\" }");
    return;
  }
  const std::vector<std::string> names = objective_names(spec);
  if (std::find(names.begin(), names.end(), objective.name.value) == names.end()) {
    std::string hint = base::did_you_mean(objective.name.value, names);
    if (hint.empty()) hint = "time, energy, power, edp, ed2p or a name under [metrics]";
    context.report(objective.name.at,
                   fmt::format("the objective '{}' is neither a quantity nor a metric", objective.name.value),
                   std::move(hint));
  }
  spec.objectives.push_back(std::move(objective));
}

void read_objectives(TomlTable& tune, Spec& spec) {
  const toml::node* one = tune.find("objective");
  const toml::node* several = tune.find("objectives");
  if (one != nullptr && several != nullptr) {
    tune.context().report(tune.position_of("objectives"), "give either 'objective' or 'objectives', not both");
  }
  if (one != nullptr) read_objective(tune.context(), *one, spec);
  if (several == nullptr) return;
  if (const auto* list = several->as_array()) {
    if (list->empty()) tune.context().report(tune.position_of("objectives"), "'objectives' is empty");
    for (const toml::node& item : *list) read_objective(tune.context(), item, spec);
  } else {
    tune.wrong_kind("objectives", *several, "a list");
  }
}

void read_strategy(TomlTable& tune, Spec& spec) {
  const toml::node* node = tune.find("strategy");
  if (node == nullptr) return;
  TomlContext& context = tune.context();
  const SourcePosition at = context.position(node->source());
  if (const auto* text = node->as_string()) {
    spec.strategy.name = {text->get(), at};
    return;
  }
  const auto* table = node->as_table();
  if (table == nullptr) {
    tune.wrong_kind("strategy", *node, "a name or a table");
    return;
  }
  TomlTable entry(context, *table, "tune.strategy", at);
  if (auto name = entry.text("name")) {
    spec.strategy.name = *name;
  } else if (table->get("name") == nullptr) {
    context.report(at, "the strategy has no 'name'");
  }
  // The options belong to the strategy, which checks them when it is made; only their kind is checked here.
  for (const auto& [key, option] : in_file_order(*table)) {
    const std::string name(key->str());
    if (name == "name") continue;
    if (auto value = value_of(*option)) {
      spec.strategy.options[name] = {*value, context.position(option->source())};
    } else {
      tune.wrong_kind(name, *option, "a number, a boolean or a text");
    }
  }
}

BudgetSpec read_limits(TomlTable& table) {
  BudgetSpec budget;
  budget.evaluations = table.count("evaluations", 1, INT64_MAX);
  budget.seconds = table.number("seconds", 0.0, HUGE_VAL, true);
  budget.fraction = table.number("fraction", 0.0, 1.0, true);
  budget.no_improvement = table.count("no_improvement", 1, INT64_MAX);
  budget.target = table.number("target", -HUGE_VAL, HUGE_VAL);
  return budget;
}

}  // namespace

void read_metrics(TomlTable& top, Spec& spec) {
  auto metrics = top.table("metrics");
  if (!metrics) return;
  TomlContext& context = top.context();
  std::vector<std::string> known = context.names;
  for (std::string_view name : quantities) add(known, name);
  for (std::string_view name : observables) add(known, name);
  for (const auto& [key, node] : in_file_order(metrics->raw())) {
    const std::string name(key->str());
    if (std::find(std::begin(quantities), std::end(quantities), name) != std::end(quantities)) {
      context.report(context.position(key->source()), fmt::format("'{}' is measured and cannot be a metric", name),
                     "choose another name");
      continue;
    }
    auto metric = read_metric(context, name, *node);
    if (metric) {
      context.check_expression(metric->expression, known);
      spec.metrics.push_back(std::move(*metric));
    }
    add(known, name);
  }
}

void read_goals(TomlTable& tune, Spec& spec) {
  spec.constraints = tune.texts("constraints");
  for (const LocatedText& constraint : spec.constraints) tune.context().check_expression(constraint);
  read_objectives(tune, spec);
  read_strategy(tune, spec);
  spec.seed = tune.count("seed", 0, INT64_MAX);
}

void read_budget(TomlTable& top, Spec& spec) {
  auto budget = top.table("budget");
  if (!budget) return;
  spec.budget = read_limits(*budget);
  for (const char* kind : {"cpu", "gpu"}) {
    if (auto table = budget->table(kind)) {
      spec.budget_for[kind] = read_limits(*table);
      table->finish();
    }
  }
  budget->finish();
}

void read_measure(TomlTable& top, Spec& spec) {
  auto table = top.table("measure");
  if (!table) return;
  constexpr std::uint64_t most = 1'000'000;
  constexpr std::string_view caches[] = {"warm", "cold"};
  MeasureSpec& measure = spec.measure;
  if (auto value = table->number("interval_percent", 0.0, 100.0, true)) measure.interval_percent = *value;
  if (auto value = table->count("min_repeats", 1, most)) measure.min_repeats = static_cast<std::uint32_t>(*value);
  if (auto value = table->count("max_repeats", 1, most)) measure.max_repeats = static_cast<std::uint32_t>(*value);
  if (auto value = table->count("warmup", 0, most)) measure.warmup = static_cast<std::uint32_t>(*value);
  if (auto value = table->number("time_limit", 0.0, HUGE_VAL, true)) measure.time_limit = *value;
  if (auto value = table->number("timeout", 0.0, HUGE_VAL, true)) measure.timeout = *value;
  if (auto value = table->choice("cache", caches)) measure.cache = caches[*value];
  if (auto value = table->count("finalists", 0, most)) measure.finalists = static_cast<std::uint32_t>(*value);
  if (measure.min_repeats > measure.max_repeats) {
    top.context().report(table->at(), fmt::format("'min_repeats' ({}) is more than 'max_repeats' ({})",
                                                  measure.min_repeats, measure.max_repeats));
  }
  table->finish();
}

}  // namespace wattune::io
