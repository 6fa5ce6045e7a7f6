// `wattune compare-strategies`: every strategy searches every recorded space many times; what they reach, against
// random search and the optimum.
#include <atomic>
#include <csignal>
#include <filesystem>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/search_flags.hpp"
#include "cli/sources.hpp"
#include "cli/study_text.hpp"
#include "wattune/replay.hpp"
#include "wattune/strategy.hpp"
#include "wattune/strategy_study.hpp"

namespace wattune::cli {
namespace {

std::atomic<bool> stop_requested{false};

void request_stop(int /*signal*/) {
  stop_requested = true;
}

/// A line of progress for every so many parts of the whole.
constexpr std::uint64_t progress_parts = 500;

/// Folder and stem of a file: what tells recordings of one kernel on several devices apart, and is short.
std::string name_of(const std::string& source) {
  if (names_run(source)) return "run " + source;
  const std::filesystem::path path(source);
  const std::string file = path.filename().string();
  const std::string folder = path.parent_path().filename().string();
  return (folder.empty() ? "" : folder + "/") + file.substr(0, file.find('.'));
}

std::vector<StudySpace> load_spaces(const CompareStrategiesCommand& command) {
  SearchFlags flags;
  if (!command.objective.empty()) flags.objectives = {command.objective};
  flags.constraints = command.constraints;
  std::vector<StudySpace> spaces;
  for (const std::string& source : command.spaces) {
    const RecordedSpace recording = load_recording(source, command.store);
    Spec spec = spec_of(recording);
    apply(flags, &recording, spec);
    spaces.push_back(study_space(recording, spec, name_of(source)));
  }
  return spaces;
}

StudyRequest request_of(const CompareStrategiesCommand& command, const std::vector<StudySpace>& spaces,
                        Console& console) {
  StudyRequest request;
  for (const StudySpace& space : spaces) request.spaces.push_back(&space);
  request.strategies = command.strategies;
  if (request.strategies.empty()) {
    for (const StrategyInfo& info : strategies()) request.strategies.push_back(info.name);
  }
  request.budgets = command.budgets;
  request.repeats = command.repeats;
  request.seed = command.seed;
  request.jobs = command.jobs;
  request.stop = &stop_requested;
  request.progress = [&console](std::uint64_t done, std::uint64_t total) {
    if (done % std::max<std::uint64_t>(1, total / progress_parts) == 0)
      console.progress(base::format_count(done) + " of " + base::format_count(total) + " searches");
  };
  return request;
}

}  // namespace

ExitCode run_command(const CompareStrategiesCommand& command, bool json, Console& console) {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  const std::vector<StudySpace> spaces = load_spaces(command);
  const StudyRequest request = request_of(command, spaces, console);
  const StudyResult result = judge_strategies(request);
  console.clear();
  if (json) {
    console.out() << study_json(request, result).dump(2) << '\n';
  } else if (command.csv) {
    print_study_csv(request, result, console.out());
  } else {
    print_study(request, result, console.out());
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli
