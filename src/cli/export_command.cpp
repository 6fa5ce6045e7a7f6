// `wattune export`: a stored run in a format that other tools read.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "wattune/formats.hpp"

namespace wattune::cli {

ExitCode run_command(const ExportCommand& command, bool json, Console& console) {
  const std::optional<ExportFormat> format = export_format_from(command.format);
  if (!format)
    throw Error(ExitCode::usage, "unknown format '" + command.format + "'", "--format",
                "choose t4, kernel_tuner, csv or header");
  Store store = Store::open(command.store);
  const Run run = load_run(store, command.run);
  if (command.output.empty() || command.output == "-") {
    if (json)
      throw Error(ExitCode::usage, "--json prints a summary on stdout, so the export itself needs a file", "--output",
                  "add -o FILE");
    export_run(run, *format, console.out());
    return ExitCode::ok;
  }
  std::ofstream file(command.output, std::ios::binary | std::ios::trunc);
  std::uint64_t results = 0;
  if (file) results = export_run(run, *format, file);
  file.close();
  if (!file) throw Error(ExitCode::storage, std::string("cannot write: ") + std::strerror(errno), command.output);
  if (json) {
    console.out() << Json{{"written", command.output}, {"results", results}}.dump(2) << '\n';
  } else {
    console.notice("Wrote " + std::to_string(results) + (results == 1 ? " result to " : " results to ") +
                   command.output);
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli
