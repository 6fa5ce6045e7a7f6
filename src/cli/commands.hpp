// One function a command: does it, prints it, returns its exit code. Errors are thrown and end in main().
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>

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
ExitCode run_command(const ImportCommand& command, bool json, Console& console);
ExitCode run_command(const RunsCommand& command, bool json, Console& console);
ExitCode run_command(const ShowCommand& command, bool json, Console& console);
ExitCode run_command(const ExportCommand& command, bool json, Console& console);
ExitCode run_command(const PowerCommand& command, bool json, Console& console);
ExitCode run_command(const RestoreCommand& command, bool json, Console& console);
ExitCode run_command(const RidgeCommand& command, bool json, Console& console);
ExitCode run_command(const ParetoCommand& command, bool json, Console& console);
ExitCode run_command(const CompareStrategiesCommand& command, bool json, Console& console);
ExitCode run_command(const CappingCommand& command, bool json, Console& console);
ExitCode run_command(const DatasetImportCommand& command, bool json, Console& console);
ExitCode run_command(const DatasetInfoCommand& command, bool json, Console& console);

/// Writes an export and returns its number of results.
using Writer = std::function<std::uint64_t(std::ostream&)>;
/// Into a file. Throws Error(storage).
std::uint64_t write_file(const std::string& path, const Writer& write);

/// Prints the result of a run for people: winner, speed-up, statuses.
void print_result(const Run& run, std::ostream& out);
/// " 56 correct, 3 runtime".
std::string statuses_text(std::span<const Status> statuses);
/// The best configuration with its numbers; only for a run that has one.
void print_best(const Run& run, std::ostream& out);
/// Parameters of a configuration that have more than one value, one a line, with their defaults.
void print_configuration(const RunRecord& head, const Outcome& outcome, std::ostream& out);

}  // namespace wattune::cli
