// What every sub-command shares on the way in: its entry in the parser with an example, `--json`, `--quiet`, `--store`.
// Included by the files that declare arguments and by nothing else: they alone know the parser library.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/arguments.hpp"

namespace wattune::cli {

/// A sub-command with its example, whose struct becomes the parsed command.
template <class T>
CLI::App* add(CLI::App& app, Arguments& arguments, T& command, const std::string& name, const std::string& what,
              const std::string& example) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->footer("Example:\n  " + example);
  sub->add_flag("--json", arguments.json, "One JSON document on stdout; progress and logs go to stderr");
  sub->add_flag("-q,--quiet", arguments.quiet, "No progress on stderr");
  sub->callback([&arguments, &command] { arguments.command = command; });
  return sub;
}

inline void add_store(CLI::App* sub, std::string& store) {
  sub->add_option("--store", store,
                  "SQLite file with all runs (default: $WATTUNE_STORE, else ~/.local/share/wattune/runs.db)")
      ->type_name("FILE");
}

/// Commands that look at what was measured; parsed values land in `analysis`, which outlives the parse.
void add_analysis_commands(CLI::App& app, Arguments& arguments, AnalysisCommands& analysis);
/// Commands that judge search strategies; parsed values land in `study`, which outlives the parse.
void add_study_commands(CLI::App& app, Arguments& arguments, StudyCommands& study);

/// Commands about data sets and scaling models; parsed values land in `prediction`, which outlives the parse.
void add_prediction_commands(CLI::App& app, Arguments& arguments, PredictionCommands& prediction);

}  // namespace wattune::cli
