// Declares the arguments of the commands that judge search strategies.
#include "cli/subcommand.hpp"

namespace wattune::cli {
namespace {

void add_compare_strategies(CLI::App& app, Arguments& arguments, CompareStrategiesCommand& command) {
  CLI::App* sub = add(app, arguments, command, "compare-strategies",
                      "Judge search strategies on recorded spaces, against random search and the optimum",
                      "wattune compare-strategies a100.json.gz a4000.json.gz --strategies auto,genetic_algorithm "
                      "--budgets 25,50,100");
  sub->add_option("SPACE", command.spaces, "Recordings (docs/formats.md), or runs of the store")
      ->type_name("FILE|RUN")
      ->required();
  sub->add_option("--strategies", command.strategies, "Strategies to judge (docs/strategies.md; default: all)")
      ->delimiter(',')
      ->type_name("A,B");
  sub->add_option("--budgets", command.budgets, "Evaluations; a search of its own for each")
      ->delimiter(',')
      ->type_name("N,M")
      ->capture_default_str();
  sub->add_option("--repeats", command.repeats, "Searches for each space, strategy and budget")
      ->type_name("R")
      ->capture_default_str();
  sub->add_option("--seed", command.seed, "Repeat r searches with seed K + r")->type_name("K")->capture_default_str();
  sub->add_option("-j,--jobs", command.jobs, "Threads (0: as many as cores); they change no number")->type_name("N");
  sub->add_option("--objective", command.objective,
                  "What is optimised: time, energy or a recorded quantity (default: the recording's)")
      ->type_name("NAME");
  sub->add_option("--constraint", command.constraints, "Further condition on configurations, may be repeated")
      ->type_name("EXPR");
  sub->add_flag("--csv", command.csv, "The curves over evaluations as CSV on stdout, for plots");
  add_store(sub, command.store);
}

}  // namespace

void add_study_commands(CLI::App& app, Arguments& arguments, StudyCommands& study) {
  add_compare_strategies(app, arguments, study.compare_strategies);
}

}  // namespace wattune::cli
