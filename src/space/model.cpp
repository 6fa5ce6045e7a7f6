#include "space/model.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "space/conjuncts.hpp"
#include "space/rows.hpp"
#include "wattune/error.hpp"

namespace wattune::space {
namespace {

/// Integers up to here are exact as double.
constexpr std::int64_t exact_limit = std::int64_t{1} << 53;

/// Values that Python takes for equal have the same key.
std::string equality_key(const Value& value) {
  std::string key = value.is_text() ? "text " : "number ";
  if (value.is_text()) {
    key += value.as_text();
  } else if (value.is_integer()) {
    key += std::to_string(std::get<std::int64_t>(value.storage()));
  } else if (const double number = value.as_number();
             number == std::floor(number) && std::abs(number) < static_cast<double>(exact_limit)) {
    key += std::to_string(static_cast<std::int64_t>(number));
  } else {
    key += to_string(value);
  }
  return key;
}

Domain make_domain(const Parameter& parameter) {
  Domain domain;
  bool numeric = true;
  for (std::size_t i = 0; i < parameter.values.size(); ++i) {
    const Value& value = parameter.values[i];
    domain.positions.push_back(static_cast<std::uint32_t>(i));
    domain.scalars.push_back(Scalar::of(value));
    if (value.is_text()) {
      numeric = false;
      continue;
    }
    if (value.is_real()) domain.integral = false;
    if (value.is_integer() && std::abs(std::get<std::int64_t>(value.storage())) >= exact_limit) numeric = false;
    domain.numbers.push_back(value.as_number());
  }
  if (!numeric) domain.numbers.clear();
  return domain;
}

/// Keeps the entries of `domain` whose flag is set.
void keep(Domain& domain, std::span<const std::uint8_t> flags) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (flags[i] == 0) continue;
    domain.positions[kept] = domain.positions[i];
    domain.scalars[kept] = domain.scalars[i];
    if (!domain.numbers.empty()) domain.numbers[kept] = domain.numbers[i];
    ++kept;
  }
  domain.positions.resize(kept);
  domain.scalars.resize(kept);
  if (!domain.numbers.empty()) domain.numbers.resize(kept);
}

/// Parameters of the rule with more than one value left.
std::vector<std::uint32_t> open_scope(const Rule& rule, const std::vector<Domain>& domains) {
  std::vector<std::uint32_t> open;
  for (const std::uint32_t p : rule.scope) {
    if (domains[p].size() > 1) open.push_back(p);
  }
  return open;
}

/// Applies a rule with at most one open parameter. Values that cannot be evaluated stay; returns whether there were
/// any.
bool filter(const Model& model, const Rule& rule, std::vector<Domain>& domains, std::span<const std::uint32_t> open) {
  // Without an open parameter the rule is a question about any parameter that it reads, or about nothing.
  const std::uint32_t target = !open.empty() ? open[0] : (rule.scope.empty() ? 0 : rule.scope[0]);
  Rows rows(model, rule, domains);
  const std::vector<std::uint32_t> inner = rule.scope.empty() ? std::vector<std::uint32_t>{} : std::vector{target};
  rows.set_inner(inner);
  std::vector<std::uint8_t> truth(rows.count());
  const bool faulty = rows.evaluate(truth);
  if (rule.scope.empty()) {
    if (truth[0] == 0)
      truth.assign(domains[target].size(), 0);
    else
      return faulty;
  }
  keep(domains[target], truth);
  return faulty;
}

}  // namespace

void check_parameters(std::span<const Parameter> parameters, const SpaceOptions& options) {
  std::vector<Problem> problems;
  std::unordered_set<std::string> names;
  if (parameters.empty()) problems.push_back({"", "the space has no parameter", "give at least one parameter"});
  for (const Parameter& parameter : parameters) {
    std::string where = "parameter ";
    where += parameter.name;
    if (!names.insert(parameter.name).second) problems.push_back({where, "the name is used twice", ""});
    if (parameter.values.empty()) problems.push_back({where, "the value list is empty", "give at least one value"});
    std::unordered_set<std::string> seen;
    for (const Value& value : parameter.values) {
      if (!seen.insert(equality_key(value)).second) {
        problems.push_back({where, "the value " + to_string(value) + " is listed twice", "list each value once"});
        break;
      }
    }
    if (!parameter.values.empty() && parameter.default_index >= parameter.values.size()) {
      problems.push_back({where, "the default is not one of the values", ""});
    }
  }
  for (const auto& [name, value] : options.constants) {
    if (!names.insert(name).second) {
      problems.push_back({"constant " + name, "the name is used twice", "rename the constant or the parameter"});
    }
  }
  if (!problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
}

Model make_model(std::span<const Parameter> parameters, std::span<const Constraint> constraints,
                 const SpaceOptions& options) {
  Model model;
  model.parameters = parameters;
  model.constraints = constraints;
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    model.domains.push_back(make_domain(parameter));
    model.slots.push_back(model.domains.back().scalars.front());
  }
  for (const auto& [name, value] : options.constants) {
    names.push_back(name);
    model.slots.push_back(Scalar::of(value));
    model.constant_names.push_back(name);
  }
  const auto add = [&](Expression expression, std::size_t source) {
    Rule rule{std::move(expression), source, {}};
    for (const std::uint32_t slot : rule.expression.variables()) {
      if (slot < parameters.size()) rule.scope.push_back(slot);
    }
    model.rules.push_back(std::move(rule));
  };
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const Constraint& constraint = constraints[c];
    Expression whole = Expression::compile(constraint.text, names, constraint.origin);
    const std::vector<std::string> parts = conjuncts(constraint.text);
    if (parts.size() == 1) {
      add(std::move(whole), c);
      continue;
    }
    for (const std::string& part : parts) add(Expression::compile(part, names, constraint.origin), c);
  }
  return model;
}

Narrowed narrow(const Model& model, std::size_t constraint_count) {
  Narrowed result{model.domains, {}, {}, false};
  std::vector<std::size_t> waiting;
  for (std::size_t r = 0; r < model.rules.size(); ++r) {
    if (model.rules[r].source < constraint_count) waiting.push_back(r);
  }
  // A rule may fix a parameter and thereby leave another rule with one open parameter: repeat until nothing changes.
  for (bool changed = true; changed && !result.empty;) {
    changed = false;
    std::vector<std::size_t> still_waiting;
    for (const std::size_t r : waiting) {
      const Rule& rule = model.rules[r];
      const std::vector<std::uint32_t> open = open_scope(rule, result.domains);
      if (open.size() > 1 || result.empty) {
        still_waiting.push_back(r);
        continue;
      }
      if (filter(model, rule, result.domains, open)) result.faulty_rules.push_back(r);
      changed = true;
      for (const Domain& domain : result.domains) result.empty = result.empty || domain.size() == 0;
    }
    waiting = std::move(still_waiting);
  }
  result.open_rules = std::move(waiting);
  return result;
}

void throw_faulty(const Model& model, const Rule& rule, EvaluationError error, std::span<const Scalar> slots) {
  const Constraint& constraint = model.constraints[rule.source];
  std::string values;
  for (const std::uint32_t p : rule.scope) {
    if (!values.empty()) values += ", ";
    values += model.parameters[p].name + "=" + to_string(slots[p].to_value());
  }
  if (!values.empty()) values = " for " + values;
  throw Error(ExitCode::bad_input, "constraint '" + constraint.text + "': " + std::string(to_string(error)) + values,
              constraint.origin,
              error == EvaluationError::division_by_zero ? "guard it, as in 'b == 0 or a % b == 0'" : "");
}

}  // namespace wattune::space
