// What a user typed, as plain data: one struct a command. Only arguments.cpp knows the parser library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/analysis_commands.hpp"
#include "cli/prediction_commands.hpp"
#include "cli/study_commands.hpp"

namespace wattune::cli {

struct DevicesCommand {
  bool measure = false;  ///< find out how often each sensor updates
};

struct PowerCommand {
  std::string device;  ///< "" = every device whose power can be read
  std::vector<std::string> command;
};

struct RestoreCommand {
  std::string device;   ///< "" = every device that has something to restore
  bool forget = false;  ///< drop the journal instead
};

struct CheckCommand {
  std::string spec;
};

struct SpaceCommand {
  std::string spec;
  std::string device;                ///< "" = no device: only max_threads limits
  std::uint64_t max_threads = 1024;  ///< limit on threads per block without a device; 0 = none
  std::size_t list = 0;              ///< print so many configurations
};

/// What to search for and how, beside or instead of what a spec says.
struct SearchFlags {
  std::string strategy;
  std::vector<std::string> options;     ///< "name=value" of the strategy
  std::vector<std::string> start;       ///< "name=value,name=value"
  std::optional<std::uint64_t> budget;  ///< evaluations
  std::optional<double> seconds;
  std::optional<double> fraction;
  std::optional<std::uint64_t> no_improvement;
  std::optional<double> target;
  std::vector<std::string> objectives;
  std::optional<bool> maximize;  ///< the first objective; nothing = by its kind
  std::vector<std::string> constraints;
  std::vector<std::string> metrics;  ///< "name=expression"
  std::optional<std::uint64_t> seed;
};

struct TuneCommand {
  std::string spec;
  SearchFlags search;
  std::string device = "auto";
  std::string replay;           ///< "" = on a device; else a recording, or a run of the store
  std::string time_unit = "s";  ///< of `time` in expressions, with --replay
  std::uint32_t samples = 0;    ///< with --replay: recorded times to draw; 0 = the recorded time itself
  std::string store;
  bool fresh = false;
  bool reuse = false;
  bool verbose = false;  ///< one line on stderr for every evaluation
  std::size_t jobs = 0;
};

struct RunsCommand {
  std::string store;
};

struct ImportCommand {
  std::string file;
  std::string metadata;       ///< T4 metadata file that goes with it
  std::string output;         ///< "" = none
  std::string format = "t4";  ///< of `output`
  bool keep = false;
  std::string store;  ///< given: keep it there
};

struct ShowCommand {
  std::string run;  ///< or a file
  std::string store;
  std::size_t top = 10;
};

struct ExportCommand {
  std::string run;  ///< or a file
  std::string format = "t4";
  std::string output;  ///< "" or "-" = stdout
  std::string store;
};

using Command = std::variant<DevicesCommand, CheckCommand, SpaceCommand, TuneCommand, ImportCommand, RunsCommand,
                             ShowCommand, ExportCommand, PowerCommand, RestoreCommand, RidgeCommand, ParetoCommand,
                             CompareStrategiesCommand, CappingCommand, DatasetImportCommand, DatasetInfoCommand>;

struct Arguments {
  bool json = false;
  bool quiet = false;
  Command command;
};

/// Parses, or says what is wrong (exit code `usage`) or prints help/version (exit code `ok`) and gives nothing.
std::optional<Arguments> parse(int argc, char** argv, int& exit_code);

}  // namespace wattune::cli
