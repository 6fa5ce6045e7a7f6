// What a user typed for the commands that judge search strategies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wattune::cli {

struct CompareStrategiesCommand {
  std::vector<std::string> spaces;      ///< recordings, or runs of the store
  std::vector<std::string> strategies;  ///< empty = all
  std::vector<std::uint64_t> budgets = {25, 50, 100, 200, 400};
  std::uint64_t repeats = 50;
  std::uint64_t seed = 0;
  std::size_t jobs = 0;   ///< threads; 0 = as many as cores
  std::string objective;  ///< "" = the recording's first
  std::vector<std::string> constraints;
  std::string store;
  bool csv = false;
};

/// One of each, as a place for the parser to write to.
struct StudyCommands {
  CompareStrategiesCommand compare_strategies;
};

}  // namespace wattune::cli
