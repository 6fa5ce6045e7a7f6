// Declares the arguments of the commands about data sets and scaling models.
#include "cli/subcommand.hpp"

namespace wattune::cli {
namespace {

void add_dataset(CLI::App& app, Arguments& arguments, PredictionCommands& prediction) {
  CLI::App* dataset =
      app.add_subcommand("dataset", "Import and describe measurements of kernels over hardware configurations");
  dataset->require_subcommand(1);
  dataset->footer("Example:\n  wattune dataset import --map share/wattune/datasets/v100.toml data/ -o v100.csv");

  DatasetImportCommand& import = prediction.dataset_import;
  CLI::App* import_app =
      add(*dataset, arguments, import, "import", "Read files of others by a mapping (docs/datasets.md)",
          "wattune dataset import --map share/wattune/datasets/v100.toml data/ -o v100.csv");
  import_app->add_option("--map", import.map, "What is what in the files, and what in them is wrong (TOML)")
      ->type_name("MAP")
      ->required();
  import_app->add_option("FILES", import.files, "The files, or folders that hold them")->required();
  import_app->add_option("-o,--output", import.output, "Data set to write (default: stdout)")->type_name("FILE");

  DatasetInfoCommand& info = prediction.dataset_info;
  add(*dataset, arguments, info, "info", "Say what a data set holds", "wattune dataset info v100.csv")
      ->add_option("DATA", info.data, "A data set (docs/datasets.md)")
      ->required();
}

}  // namespace

void add_prediction_commands(CLI::App& app, Arguments& arguments, PredictionCommands& prediction) {
  add_dataset(app, arguments, prediction);
}

}  // namespace wattune::cli
