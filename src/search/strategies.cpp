// The table of strategies, one line each, and the check of names and options that users give.
#include <cmath>

#include "base/text.hpp"
#include "search/auto_strategy.hpp"
#include "search/bayesian_optimization.hpp"
#include "search/best_improvement.hpp"
#include "search/brute_force.hpp"
#include "search/differential_evolution.hpp"
#include "search/first_improvement.hpp"
#include "search/genetic_algorithm.hpp"
#include "search/iterated_local_search.hpp"
#include "search/latin_hypercube.hpp"
#include "search/multi_start.hpp"
#include "search/nsga2.hpp"
#include "search/ordered_greedy.hpp"
#include "search/particle_swarm.hpp"
#include "search/portfolio.hpp"
#include "search/random_sample.hpp"
#include "search/simulated_annealing.hpp"
#include "search/sobol.hpp"
#include "search/tabu.hpp"
#include "wattune/error.hpp"
#include "wattune/strategy.hpp"

namespace wattune {
namespace {

std::vector<StrategyInfo> build_table() {
  return {
      search::auto_strategy(),
      search::brute_force(),
      search::random_sample(),
      search::latin_hypercube(),
      search::sobol(),
      search::first_improvement(),
      search::best_improvement(),
      search::multi_start_local_search(),
      search::ordered_greedy_local_search(),
      search::iterated_local_search(),
      search::tabu(),
      search::simulated_annealing(),
      search::genetic_algorithm(),
      search::differential_evolution(),
      search::particle_swarm(),
      search::bayesian_optimization(),
      search::nsga2(),
      search::portfolio(),
  };
}

const StrategyInfo& find_strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  std::string hint = base::did_you_mean(name, names);
  if (hint.empty()) hint = "known: " + base::join(names, ", ");
  throw Error(ExitCode::bad_input, "unknown strategy '" + std::string(name) + "'", {}, hint);
}

const StrategyOption* find_option(const StrategyInfo& info, const std::string& name) {
  for (const StrategyOption& option : info.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string range_text(const StrategyOption& option) {
  if (!option.choices.empty()) return "one of " + base::join(option.choices, ", ");
  const Value low = option.default_value.is_integer() ? Value(static_cast<std::int64_t>(option.low.value_or(0.0)))
                                                      : Value(option.low.value_or(0.0));
  const Value high = option.default_value.is_integer() ? Value(static_cast<std::int64_t>(option.high.value_or(0.0)))
                                                       : Value(option.high.value_or(0.0));
  return "from " + to_string(low) + " to " + to_string(high);
}

/// The value in the type of the option's default, or what is wrong with it.
std::optional<Value> checked(const StrategyOption& option, const Value& given) {
  if (option.default_value.is_text()) {
    if (!given.is_text()) return std::nullopt;
    for (const std::string& choice : option.choices) {
      if (choice == given.as_text()) return given;
    }
    return option.choices.empty() ? std::optional<Value>(given) : std::nullopt;
  }
  if (option.default_value.is_boolean()) {
    return given.is_boolean() ? std::optional<Value>(given) : std::nullopt;
  }
  if (given.is_text()) return std::nullopt;
  const double number = given.as_number();
  if (!std::isfinite(number)) return std::nullopt;
  if (option.low && number < *option.low) return std::nullopt;
  if (option.high && number > *option.high) return std::nullopt;
  if (!option.default_value.is_integer()) return Value(number);
  if (number != std::floor(number)) return std::nullopt;
  return Value(static_cast<std::int64_t>(number));
}

Problem unknown_option(const StrategyInfo& info, const std::string& name) {
  std::vector<std::string> names;
  for (const StrategyOption& option : info.options) names.push_back(option.name);
  std::string hint = base::did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has no options" : "known: " + base::join(names, ", ");
  return {"strategy " + info.name, "unknown option '" + name + "'", hint};
}

}  // namespace

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> table = build_table();
  return table;
}

StrategyOptions resolve_options(const StrategyInfo& info, const StrategyOptions& given) {
  StrategyOptions complete;
  for (const StrategyOption& option : info.options) complete[option.name] = option.default_value;
  std::vector<Problem> problems;
  for (const auto& [name, value] : given) {
    const StrategyOption* option = find_option(info, name);
    if (option == nullptr) {
      problems.push_back(unknown_option(info, name));
      continue;
    }
    const std::optional<Value> accepted = checked(*option, value);
    if (accepted) {
      complete[name] = *accepted;
    } else {
      const std::string kind = option->default_value.is_integer() ? "a whole number " : "";
      problems.push_back({"strategy " + info.name, "option '" + name + "' cannot be " + to_string(value),
                          option->default_value.is_boolean() ? "True or False" : kind + range_text(*option)});
    }
  }
  if (!problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
  return complete;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const StrategyTask& task,
                                        const StrategyOptions& options) {
  const StrategyInfo& info = find_strategy(name);
  const StrategyOptions complete = resolve_options(info, options);
  const std::string where = "strategy " + info.name;
  if (task.space == nullptr) throw Error(ExitCode::internal, "no space was given", where);
  if (task.objectives == 0) throw Error(ExitCode::internal, "no objective was given", where);
  if (!task.start.empty() && !info.accepts_start) {
    throw Error(ExitCode::bad_input, "a start configuration has no meaning here", where,
                "leave it out, or choose another strategy");
  }
  for (const ConfigurationId id : task.start) {
    if (id >= task.space->size()) {
      throw Error(ExitCode::bad_input, "start configuration " + std::to_string(id) + " is not in the space", where);
    }
  }
  return info.make(task, complete);
}

}  // namespace wattune
