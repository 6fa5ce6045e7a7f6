#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

/// A sub-command with its example, whose struct becomes the parsed command.
template <class T>
CLI::App* add(CLI::App& app, Arguments& arguments, T& command, const std::string& name, const std::string& what,
              const std::string& example) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->footer("Example:\n  " + example);
  sub->add_flag("--json", arguments.json, "One JSON document on stdout; progress and logs go to stderr");
  sub->add_flag("-q,--quiet", arguments.quiet, "No progress on stderr");
  sub->callback([&arguments, &command] { arguments.command = command; });
  return sub;
}

void add_store(CLI::App* sub, std::string& store) {
  sub->add_option("--store", store,
                  "SQLite file with all runs (default: $WATTUNE_STORE, else ~/.local/share/wattune/runs.db)")
      ->type_name("FILE");
}

void add_tune(CLI::App& app, Arguments& arguments, TuneCommand& command) {
  CLI::App* sub = add(app, arguments, command, "tune", "Search a kernel's parameters on a device and say what to use",
                      "wattune tune examples/01_gemm/gemm.toml --device auto --budget 200");
  sub->add_option("SPEC", command.spec, "What to tune: a TOML spec (docs/spec.md) or a T1 input")->required();
  sub->add_option("-d,--device", command.device,
                  "auto, cuda, opencl, gpu, cpu, an id of `wattune devices`, a UUID or part of a name")
      ->capture_default_str();
  sub->add_option("-s,--strategy", command.strategy,
                  "Search strategy (docs/strategies.md); default: the spec's, else auto");
  sub->add_option("-b,--budget", command.budget, "Evaluations at most")->type_name("N");
  sub->add_option("-t,--seconds", command.seconds, "Seconds of search at most")->type_name("S");
  sub->add_option("--seed", command.seed, "Same seed, same search")->type_name("K");
  sub->add_option("-j,--jobs", command.jobs,
                  "Compilations at a time where the device allows it (0: as many as cores, at most 8)")
      ->type_name("N");
  sub->add_flag("-v,--verbose", command.verbose, "A line on stderr for every evaluation, once it is stored");
  sub->add_flag("--fresh", command.fresh, "Start anew even when an unfinished run of this task could go on");
  sub->add_flag("--reuse", command.reuse,
                "Take outcomes that finished runs of the same task have measured on this device");
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
  RunsCommand runs;
  ShowCommand show;
  ExportCommand exported;

  add(app, arguments, devices, "devices", "List the devices, what can be read of them and what may be set",
      "wattune devices --json");
  CLI::App* check_app =
      add(app, arguments, check, "check", "Check a spec for everything that can be seen without a device",
          "wattune check examples/01_gemm/gemm.toml");
  check_app->add_option("SPEC", check.spec, "A TOML spec or a T1 input")->required();
  add_space(app, arguments, space);
  add_tune(app, arguments, tune);
  CLI::App* runs_app = add(app, arguments, runs, "runs", "List stored runs", "wattune runs");
  add_store(runs_app, runs.store);
  CLI::App* show_app =
      add(app, arguments, show, "show", "Show a stored run: winner, finalists, failures, best configurations",
          "wattune show 3 --top 20");
  show_app->add_option("RUN", show.run, "Number of the run, or `last`")->required();
  show_app->add_option("--top", show.top, "Best configurations to list")->capture_default_str();
  add_store(show_app, show.store);
  CLI::App* export_app = add(app, arguments, exported, "export", "Write a stored run for other tools",
                             "wattune export last --format header -o gemm_tuned.h");
  export_app->add_option("RUN", exported.run, "Number of the run, or `last`")->required();
  export_app
      ->add_option("-f,--format", exported.format, "t4, kernel_tuner, csv, or header (C definitions of the winner)")
      ->capture_default_str();
  export_app->add_option("-o,--output", exported.output, "File to write (default: stdout)")->type_name("FILE");
  add_store(export_app, exported.store);

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
