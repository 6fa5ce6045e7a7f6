// `wattune export`: a run or a recording in a format that other tools read.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/sources.hpp"
#include "wattune/formats.hpp"

namespace wattune::cli {
namespace {

/// Writes what is exported and says how many results it has. A recording keeps its lists of samples, for which a run
/// has no place.
Writer writer_of(const ExportCommand& command, ExportFormat format) {
  if (names_run(command.run)) {
    return [run = load_run_or_recording(command.run, command.store), format](std::ostream& out) {
      return export_run(run, format, out);
    };
  }
  return [recording = load_recording(command.run, command.store), format](std::ostream& out) {
    return export_recording(recording, format, out);
  };
}

}  // namespace

std::uint64_t write_file(const std::string& path, const Writer& write) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  std::uint64_t results = 0;
  if (file) results = write(file);
  file.close();
  if (!file) throw Error(ExitCode::storage, std::string("cannot write: ") + std::strerror(errno), path);
  return results;
}

ExitCode run_command(const ExportCommand& command, bool json, Console& console) {
  const std::optional<ExportFormat> format = export_format_from(command.format);
  if (!format)
    throw Error(ExitCode::usage, "unknown format '" + command.format + "'", "--format",
                "choose t4, kernel_tuner, csv or header");
  const Writer write = writer_of(command, *format);
  if (command.output.empty() || command.output == "-") {
    if (json)
      throw Error(ExitCode::usage, "--json prints a summary on stdout, so the export itself needs a file", "--output",
                  "add -o FILE");
    write(console.out());
    return ExitCode::ok;
  }
  const std::uint64_t results = write_file(command.output, write);
  if (json) {
    console.out() << Json{{"written", command.output}, {"results", results}}.dump(2) << '\n';
  } else {
    console.notice("Wrote " + std::to_string(results) + (results == 1 ? " result to " : " results to ") +
                   command.output);
  }
  return ExitCode::ok;
}

}  // namespace wattune::cli
