// One function a command: does it, prints it, returns its exit code. Errors are thrown and end in main().
#pragma once

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "wattune/error.hpp"
#include "wattune/run.hpp"
#include "wattune/store.hpp"

namespace wattune::cli {

ExitCode run_command(const DevicesCommand& command, bool json, Console& console);
ExitCode run_command(const CheckCommand& command, bool json, Console& console);
ExitCode run_command(const SpaceCommand& command, bool json, Console& console);
ExitCode run_command(const TuneCommand& command, bool json, Console& console);
ExitCode run_command(const RunsCommand& command, bool json, Console& console);
ExitCode run_command(const ShowCommand& command, bool json, Console& console);
ExitCode run_command(const ExportCommand& command, bool json, Console& console);

/// The run that a user means by "3" or "last". Throws Error(bad_input).
Run load_run(Store& store, const std::string& which);

/// Prints the result of a run for people: winner, speed-up, statuses.
void print_result(const Run& run, std::ostream& out);

}  // namespace wattune::cli
