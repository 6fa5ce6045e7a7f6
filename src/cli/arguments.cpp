#include "cli/arguments.hpp"

#include <iostream>

#include "cli/subcommand.hpp"
#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

void add_search(CLI::App* sub, SearchFlags& search) {
  sub->add_option("-s,--strategy", search.strategy,
                  "Search strategy (docs/strategies.md); default: the spec's, else auto");
  sub->add_option("--option", search.options, "Option of the strategy, may be repeated")->type_name("NAME=VALUE");
  sub->add_option("--start", search.start, "Configuration to begin with, may be repeated; what is left out is default")
      ->type_name("NAME=VALUE,…");
  sub->add_option("-b,--budget", search.budget, "Evaluations at most")->type_name("N");
  sub->add_option("-t,--seconds", search.seconds, "Seconds of search at most (with --replay: of recorded time)")
      ->type_name("S");
  sub->add_option("--fraction", search.fraction, "Share of the valid configurations at most, 0..1")->type_name("F");
  sub->add_option("--no-improvement", search.no_improvement, "Stop after N evaluations without a better one")
      ->type_name("N");
  sub->add_option("--target", search.target, "Stop when the objective reaches this")->type_name("X");
  sub->add_option("--objective", search.objectives,
                  "What to optimise: time, energy, power, edp, a metric or a recorded quantity; may be repeated")
      ->type_name("NAME");
  // Not one flag into an optional: the parser would fill it also when nobody gave the flag.
  CLI::Option* up = sub->add_flag_callback(
      "--maximize", [&search] { search.maximize = true; },
      "The first objective goes up; default: as the spec or the recording says, else rates such as GFLOP/s up");
  sub->add_flag_callback(
         "--minimize", [&search] { search.maximize = false; }, "The first objective goes down")
      ->excludes(up);
  sub->add_option("--constraint", search.constraints, "Further condition on configurations, may be repeated")
      ->type_name("EXPR");
  sub->add_option("--metric", search.metrics, "Further number to compute, may be repeated")->type_name("NAME=EXPR");
  sub->add_option("--seed", search.seed, "Same seed, same search")->type_name("K");
}

void add_tune(CLI::App& app, Arguments& arguments, TuneCommand& command) {
  CLI::App* sub = add(app, arguments, command, "tune", "Search a kernel's parameters on a device and say what to use",
                      "wattune tune examples/01_gemm/gemm.toml --device auto --budget 200\n"
                      "  wattune tune --replay recording.json.gz --strategy random_sample --seconds 60");
  sub->add_option("SPEC", command.spec, "What to tune: a TOML spec (docs/spec.md) or a T1 input");
  sub->add_option("-d,--device", command.device,
                  "auto, cuda, opencl, gpu, cpu, an id of `wattune devices`, a UUID or part of a name")
      ->capture_default_str();
  add_search(sub, command.search);
  sub->add_option("--replay", command.replay,
                  "Let a recording answer instead of a device (docs/replay.md): a file, or a run of the store")
      ->type_name("FILE|RUN");
  sub->add_option("--time-unit", command.time_unit, "With --replay: what `time` is in expressions: s, ms or us")
      ->capture_default_str();
  sub->add_option("--samples", command.samples,
                  "With --replay: answer with the mean of N recorded times drawn at random (noise)")
      ->type_name("N");
  sub->add_option("-j,--jobs", command.jobs,
                  "Compilations at a time where the device allows it (0: as many as cores, at most 8)")
      ->type_name("N");
  sub->add_flag("-v,--verbose", command.verbose, "A line on stderr for every evaluation, once it is stored");
  sub->add_flag("--fresh", command.fresh, "Start anew even when an unfinished run of this task could go on");
  sub->add_flag("--reuse", command.reuse,
                "Take outcomes that finished runs of the same task have measured on this device");
  add_store(sub, command.store);
}

void add_import(CLI::App& app, Arguments& arguments, ImportCommand& command) {
  CLI::App* sub =
      add(app, arguments, command, "import", "Say what a recording of another tool holds, keep or convert it",
          "wattune import recording.json.gz --store runs.db");
  sub->add_option("FILE", command.file, "Kernel Tuner cache, T4, KTT, wisdom, results store or CSV; may be gz or bz2")
      ->required();
  sub->add_option("--metadata", command.metadata, "T4 metadata file that goes with it")->type_name("FILE");
  sub->add_option("-o,--output", command.output, "Write it in another format")->type_name("FILE");
  sub->add_option("-f,--format", command.format, "Format of --output: t4, kernel_tuner, csv or header")
      ->capture_default_str();
  sub->add_flag("--keep", command.keep, "Keep it in the store as a finished run (--store implies it)");
  add_store(sub, command.store);
}

void add_space(CLI::App& app, Arguments& arguments, SpaceCommand& command) {
  CLI::App* sub = add(app, arguments, command, "space", "Enumerate the valid configurations of a spec",
                      "wattune space examples/01_gemm/gemm.toml --json");
  sub->add_option("SPEC", command.spec, "A TOML spec or a T1 input")->required();
  sub->add_option("-d,--device", command.device, "Add this device's limits to the constraints");
  sub->add_option("--max-threads", command.max_threads,
                  "Limit on threads per block without a device: 1024 on every common GPU; 0 for none")
      ->type_name("N")
      ->capture_default_str();
  sub->add_option("--list", command.list, "Print the first N configurations")->type_name("N");
}

void add_power(CLI::App& app, Arguments& arguments, PowerCommand& command) {
  CLI::App* sub = add(app, arguments, command, "power", "Time, energy and power of a command",
                      "wattune power -- ./simulation input.dat");
  sub->add_option("-d,--device", command.device,
                  "Id of `wattune devices`, UUID or PCI bus (default: every device whose power can be read)");
  sub->add_option("COMMAND", command.command,
                  "The command; its exit code is passed through. With --json its output goes to stderr")
      ->required();
  sub->positionals_at_end();  // so that options of the command are its own
}

void add_restore(CLI::App& app, Arguments& arguments, RestoreCommand& command) {
  CLI::App* sub = add(app, arguments, command, "restore", "Bring back device settings that a killed run left changed",
                      "wattune restore");
  sub->add_option("-d,--device", command.device, "Id of the device (default: all that have something to restore)");
  sub->add_flag("--forget", command.forget, "Drop what is to be restored, e.g. after the driver was reloaded");
}

}  // namespace

std::optional<Arguments> parse(int argc, char** argv, int& exit_code) {
  CLI::App app{
      "Wattune makes GPU kernels fast and frugal: it searches their parameters on real devices and keeps every "
      "measurement.",
      "wattune"};
  app.set_version_flag("--version", "wattune " + version());
  app.require_subcommand(1);
  app.footer(
      "Example:\n  wattune tune examples/01_gemm/gemm.toml\nwattune COMMAND --help shows the options of a command.");

  Arguments arguments;
  DevicesCommand devices;
  CheckCommand check;
  SpaceCommand space;
  TuneCommand tune;
  ImportCommand imported;
  RunsCommand runs;
  ShowCommand show;
  ExportCommand exported;
  PowerCommand power;
  RestoreCommand restore;
  AnalysisCommands analysis;
  StudyCommands study;
  PredictionCommands prediction;

  add(app, arguments, devices, "devices", "List the devices, what can be read of them and what may be set",
      "wattune devices --json")
      ->add_flag("--measure", devices.measure, "Find out how often each sensor really updates (a few seconds)");
  CLI::App* check_app =
      add(app, arguments, check, "check", "Check a spec for everything that can be seen without a device",
          "wattune check examples/01_gemm/gemm.toml");
  check_app->add_option("SPEC", check.spec, "A TOML spec or a T1 input")->required();
  add_space(app, arguments, space);
  add_tune(app, arguments, tune);
  add_import(app, arguments, imported);
  CLI::App* runs_app = add(app, arguments, runs, "runs", "List stored runs", "wattune runs");
  add_store(runs_app, runs.store);
  CLI::App* show_app =
      add(app, arguments, show, "show", "Show a run or a recording: winner, finalists, failures, best configurations",
          "wattune show 3 --top 20");
  show_app->add_option("RUN", show.run, "Number of the run, `last`, or a file with a recording")->required();
  show_app->add_option("--top", show.top, "Best configurations to list")->capture_default_str();
  add_store(show_app, show.store);
  CLI::App* export_app = add(app, arguments, exported, "export", "Write a run or a recording for other tools",
                             "wattune export last --format header -o gemm_tuned.h");
  export_app->add_option("RUN", exported.run, "Number of the run, `last`, or a file with a recording")->required();
  export_app
      ->add_option("-f,--format", exported.format, "t4, kernel_tuner, csv, or header (C definitions of the winner)")
      ->capture_default_str();
  export_app->add_option("-o,--output", exported.output, "File to write (default: stdout)")->type_name("FILE");
  add_store(export_app, exported.store);

  add_power(app, arguments, power);
  add_restore(app, arguments, restore);
  add_analysis_commands(app, arguments, analysis);
  add_study_commands(app, arguments, study);
  add_prediction_commands(app, arguments, prediction);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, std::cout, std::cerr);
    exit_code = code == 0 ? static_cast<int>(ExitCode::ok) : static_cast<int>(ExitCode::usage);
    return std::nullopt;
  }
  return arguments;
}

}  // namespace wattune::cli
