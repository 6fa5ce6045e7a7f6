// What a user typed, as plain data: one struct a command. Only arguments.cpp knows the parser library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wattune::cli {

struct DevicesCommand {};

struct CheckCommand {
  std::string spec;
};

struct SpaceCommand {
  std::string spec;
  std::string device;                ///< "" = no device: only max_threads limits
  std::uint64_t max_threads = 1024;  ///< limit on threads per block without a device; 0 = none
  std::size_t list = 0;              ///< print so many configurations
};

struct TuneCommand {
  std::string spec;
  std::string device = "auto";
  std::string strategy;
  std::optional<std::uint64_t> budget;  ///< evaluations
  std::optional<double> seconds;
  std::optional<std::uint64_t> seed;
  std::string store;
  bool fresh = false;
  bool reuse = false;
  bool verbose = false;  ///< one line on stderr for every evaluation
  std::size_t jobs = 0;
};

struct RunsCommand {
  std::string store;
};

struct ShowCommand {
  std::string run;
  std::string store;
  std::size_t top = 10;
};

struct ExportCommand {
  std::string run;
  std::string format = "t4";
  std::string output;  ///< "" or "-" = stdout
  std::string store;
};

using Command =
    std::variant<DevicesCommand, CheckCommand, SpaceCommand, TuneCommand, RunsCommand, ShowCommand, ExportCommand>;

struct Arguments {
  bool json = false;
  bool quiet = false;
  Command command;
};

/// Parses, or says what is wrong (exit code `usage`) or prints help/version (exit code `ok`) and gives nothing.
std::optional<Arguments> parse(int argc, char** argv, int& exit_code);

}  // namespace wattune::cli
