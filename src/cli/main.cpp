// The `wattune` program: parses, runs one command, and turns an Error into one clear message and its exit code.
#include <csignal>
#include <exception>
#include <iostream>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/guard.hpp"

namespace {

using namespace wattune;  // NOLINT(google-build-using-namespace): this file is the program

int report(const Error& error, bool json) {
  if (json) {
    cli::Json document;
    document["ok"] = false;
    document["exit_code"] = static_cast<int>(error.code());
    document["problems"] = cli::problems_json(error.problems());
    std::cout << document.dump(2) << '\n';
  }
  for (const Problem& problem : error.problems()) std::cerr << "error: " << to_string(problem) << '\n';
  return static_cast<int>(error.code());
}

int report(const std::exception& error) {
  std::cerr << "internal error: " << error.what() << " (please report it with the command that you ran)\n";
  return static_cast<int>(ExitCode::internal);
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::optional<int> ended = run_watchdog(argc, argv)) return *ended;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes a failed write, not a killed tuner
  int exit_code = 0;
  bool json = false;
  try {
    const std::optional<cli::Arguments> arguments = cli::parse(argc, argv, exit_code);
    if (!arguments) return exit_code;
    json = arguments->json;
    cli::Console console(arguments->quiet);
    return static_cast<int>(
        std::visit([&](const auto& command) { return cli::run_command(command, json, console); }, arguments->command));
  } catch (const Error& error) {
    return report(error, json);
  } catch (const std::exception& error) {
    return report(error);
  }
}
