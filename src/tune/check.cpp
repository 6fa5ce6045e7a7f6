// A spec put through everything that tuning would do before it opens a device.
#include <vector>

#include "tune/arguments.hpp"
#include "tune/task.hpp"
#include "wattune/budget.hpp"
#include "wattune/error.hpp"
#include "wattune/spec_profile.hpp"
#include "wattune/strategy.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

template <class Check>
void collect(std::vector<Problem>& problems, Check&& check) {
  try {
    check();
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

void check_strategy(const Spec& spec, const Space& space) {
  StrategyTask task;
  task.space = &space;
  StrategyOptions options;
  for (const auto& [name, value] : spec.strategy.options) options[name] = value.value;
  try {
    make_strategy(spec.strategy.name.value, task, options);
  } catch (const Error& error) {
    std::vector<Problem> placed = error.problems();
    for (Problem& problem : placed) {
      if (problem.where.empty()) problem.where = to_string(spec.strategy.name.at);
    }
    throw Error(error.code(), placed);
  }
}

void check_arguments(const tune::Task& task) {
  const std::vector<Value> configuration = task.default_configuration();
  static_cast<void>(task.launch().geometry(task.environment(), configuration));
  if (const auto reference = task.reference_launch())
    static_cast<void>(reference->geometry(task.environment(), configuration));
  static_cast<void>(task.request(configuration));
  for (const ArgumentSpec& argument : task.spec().arguments) {
    const auto& text = argument.kind == ArgumentKind::scalar ? argument.value : argument.size;
    if (text) static_cast<void>(task.environment().evaluate(task.environment().compile(*text), configuration));
  }
}

}  // namespace

void check_resolved(const Spec& given) {
  std::vector<Problem> problems;
  Spec spec = given;
  for (ParameterSpec& parameter : spec.parameters) {  // values that only the device knows: any will do here
    if (parameter.supported && parameter.values.empty()) parameter.values.emplace_back(1);
    parameter.supported.reset();
  }
  collect(problems, [&] {
    const Space space = build_space(spec);
    collect(problems, [&] { Budget(spec.budget, space.size()); });
    collect(problems, [&] { check_strategy(spec, space); });
  });
  collect(problems, [&] {
    const tune::Task task(spec, DeviceDescription{});
    collect(problems, [&] { check_arguments(task); });
    if (spec.profile) static_cast<void>(SpecProfile(spec).evaluate(task.default_configuration()));
  });
  if (!problems.empty()) throw Error(ExitCode::bad_input, std::move(problems));
}

}  // namespace wattune
