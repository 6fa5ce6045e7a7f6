// Declares the arguments of the commands that look at what was measured.
#include "cli/subcommand.hpp"

namespace wattune::cli {
namespace {

void add_ridge(CLI::App& app, Arguments& arguments, RidgeCommand& command) {
  CLI::App* sub = add(app, arguments, command, "ridge",
                      "Fit power over clocks: the ridge, the clock of least energy, and the clocks worth measuring",
                      "wattune ridge --data clocks_of_my_gpu.csv --supported 210:1410:15");
  sub->add_option("--data", command.data, "Recording of one kernel over clocks, or a run of the store")
      ->type_name("FILE|RUN")
      ->required();
  sub->add_option("--supported", command.supported,
                  "Clocks that may be set, in MHz: LOW:HIGH:STEP or a list (default: the device's, else the data's)")
      ->type_name("MHZ");
  sub->add_option("--spread", command.spread, "Per cent to each side of the centre")->capture_default_str();
  sub->add_option("--count", command.count, "Clocks to recommend, evenly spread (0: all in the range)")->type_name("N");
  sub->add_option("--centre", command.centre, "Centre of the range: energy (the clock of least energy) or ridge")
      ->check(CLI::IsMember({"energy", "ridge"}))
      ->capture_default_str();
  sub->add_option("--form", command.form, "Rise of the voltage: auto (AICc chooses), linear, quadratic or mixed")
      ->check(CLI::IsMember({"auto", "linear", "quadratic", "mixed"}))
      ->capture_default_str();
  sub->add_flag("--csv", command.csv, "Points and curve as CSV on stdout");
  add_store(sub, command.store);
}

void add_pareto(CLI::App& app, Arguments& arguments, ParetoCommand& command) {
  CLI::App* sub = add(app, arguments, command, "pareto",
                      "Configurations that none beats in all of two or three quantities, and what one costs of another",
                      "wattune pareto recording.json --minimize time,energy\n"
                      "  wattune pareto last --maximize GFLOP/s,GFLOPs/W --intent energy-within:5%");
  sub->add_option("RUN", command.source, "Number of the run, `last`, or a file with a recording")->required();
  sub->add_option("--minimize", command.minimize, "Quantities, less is better (default: time,energy)")
      ->delimiter(',')
      ->type_name("A,B");
  sub->add_option("--maximize", command.maximize, "Quantities, more is better")->delimiter(',')->type_name("C");
  sub->add_option("--intent", command.intents,
                  "Choose one, may be repeated: time, energy, edp, ed2p, energy-within:5% (slower than the fastest), "
                  "time-under:200W, ES_50 (half of the possible saving), PL_10 (a tenth of the performance lost)")
      ->type_name("WHAT");
  sub->add_option("--power-limit", command.power_limit,
                  "Power limit that applied (default: the configuration's own, else the device's published one)")
      ->type_name("W");
  sub->add_flag("--csv", command.csv, "The front as CSV on stdout");
  add_store(sub, command.store);
}

void add_capping(CLI::App& app, Arguments& arguments, CappingCommand& command) {
  CLI::App* sub = add(app, arguments, command, "capping",
                      "Compare power limits with core clocks: the lowest energy of each, and what a cap cannot reach",
                      "wattune capping --data clocks_and_caps.csv");
  sub->add_option("--data", command.data,
                  "Recording over core clocks and power limits (docs/formats.md), a folder of such, or a run of the "
                  "store; may be repeated")
      ->type_name("FILE|DIR|RUN")
      ->required();
  sub->add_flag("--csv", command.csv, "Every cell of the grids as CSV on stdout");
  add_store(sub, command.store);
}

}  // namespace

void add_analysis_commands(CLI::App& app, Arguments& arguments, AnalysisCommands& analysis) {
  add_ridge(app, arguments, analysis.ridge);
  add_pareto(app, arguments, analysis.pareto);
  add_capping(app, arguments, analysis.capping);
}

}  // namespace wattune::cli
