// What a user typed for the commands that look at what was measured: ridge, pareto, capping, difficulty, policies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wattune::cli {

struct RidgeCommand {
  std::string data;       ///< recording of one kernel over clocks, or a run
  std::string supported;  ///< "210:1410:15"; "" = the device's published list, else the clocks asked for
  double spread = 10.0;   ///< per cent to each side of the centre
  std::size_t count = 0;  ///< recommended clocks; 0 = all within the range
  std::string centre = "energy";
  std::string form = "auto";
  std::string store;
  bool csv = false;
};

struct ParetoCommand {
  std::string source;  ///< run or recording
  std::vector<std::string> minimize, maximize;
  std::vector<std::string> intents;   ///< "energy-within:5%"
  std::optional<double> power_limit;  ///< W; nothing = the configuration's own, else published for the device
  std::string store;
  bool csv = false;
};

struct CappingCommand {
  std::vector<std::string> data;  ///< recordings, runs, or folders of recordings
  std::string store;
  bool csv = false;
};

/// One of each, as a place for the parser to write to.
struct AnalysisCommands {
  RidgeCommand ridge;
  ParetoCommand pareto;
  CappingCommand capping;
};

}  // namespace wattune::cli
