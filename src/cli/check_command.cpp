// `wattune check`: everything about a spec that can be seen without a device.
#include <algorithm>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/formats.hpp"
#include "wattune/strategy.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

/// Runs one check and adds what it complains about.
template <class Check>
void collect(std::vector<Problem>& problems, Check&& check) {
  try {
    check();
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

std::vector<Problem> check_spec(const std::string& path) {
  std::vector<Problem> problems;
  std::optional<Spec> spec;
  collect(problems, [&] { spec = read_spec(path); });
  if (!spec) return problems;
  for (const char* kind : {"gpu", "cpu"}) {
    std::vector<Problem> found;
    collect(found, [&] { check_resolved(for_device_kind(*spec, kind)); });
    for (const Problem& problem : found) {
      const bool known =
          std::ranges::any_of(problems, [&](const Problem& other) { return to_string(other) == to_string(problem); });
      if (!known) problems.push_back(problem);
    }
  }
  return problems;
}

}  // namespace

ExitCode run_command(const CheckCommand& command, bool json, Console& console) {
  const std::vector<Problem> problems = check_spec(command.spec);
  if (json) {
    console.out() << Json{{"ok", problems.empty()}, {"problems", problems_json(problems)}}.dump(2) << '\n';
  } else if (problems.empty()) {
    console.out() << command.spec << ": no problems found\n";
  } else {
    for (const Problem& problem : problems) console.out() << to_string(problem) << '\n';
  }
  return problems.empty() ? ExitCode::ok : ExitCode::bad_input;
}

}  // namespace wattune::cli
