// Reading and writing the files of users and of other tools.
// Room `io`. Lenient where real files demand it, strict in what is written. A file that cannot be read gives one Error
// that names file, place and expectation.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "wattune/run.hpp"
#include "wattune/spec.hpp"

namespace wattune {

struct RecordedSpace;

/// Reads a Wattune spec (TOML) or, when the text starts with '{', a T1 input (JSON). Throws Error(bad_input) with every
/// problem of the file at once: unknown keys (line, column, nearest known key), wrong types, faulty expressions.
Spec read_spec(const std::string& path);
Spec parse_toml_spec(std::string_view text, const std::string& file_name);
Spec parse_t1_spec(std::string_view text, const std::string& file_name);

/// Formats of `wattune export`.
enum class ExportFormat : std::uint8_t { t4, kernel_tuner, csv, header };
std::optional<ExportFormat> export_format_from(std::string_view name);
/// Writes `run`; returns the number of results written.
std::uint64_t export_run(const Run& run, ExportFormat format, std::ostream& out);
/// Writes a recording, with the lists of samples that a run has no place for.
std::uint64_t export_recording(const RecordedSpace& space, ExportFormat format, std::ostream& out);

}  // namespace wattune
