// What a user typed for the commands about data sets and scaling models: dataset, evaluate, train, predict, advise,
// explore.
#pragma once

#include <string>
#include <vector>

namespace wattune::cli {

struct DatasetImportCommand {
  std::string map;
  std::vector<std::string> files;
  std::string output;
};

struct DatasetInfoCommand {
  std::string data;
};

/// One of each, as a place for the parser to write to.
struct PredictionCommands {
  DatasetImportCommand dataset_import;
  DatasetInfoCommand dataset_info;
};

}  // namespace wattune::cli
