// Reading and writing the files of users and of other tools.
// Room `io`. Lenient where real files demand it, strict in what is written. A file that cannot be read gives one Error
// that names file, place and expectation.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "wattune/recorded_space.hpp"
#include "wattune/run.hpp"
#include "wattune/spec.hpp"

namespace wattune {

/// Reads a Wattune spec (TOML) or, when the text starts with '{', a T1 input (JSON). Throws Error(bad_input) with every
/// problem of the file at once: unknown keys (line, column, nearest known key), wrong types, faulty expressions.
Spec read_spec(const std::string& path);
Spec parse_toml_spec(std::string_view text, const std::string& file_name);
Spec parse_t1_spec(std::string_view text, const std::string& file_name);

/// Reads a recording in any known format, found by content: Kernel Tuner cache, T4, KTT, kernel_launcher wisdom,
/// results store, CSV; gzip and bzip2 are undone on the way. Lenient where real files demand it (docs/formats.md);
/// throws Error(bad_input) naming file, place and expectation. Above 64 MB of text, entries are read in pieces of 4 MB:
/// memory then stays below three times the size of the recording (its columns grow by doubling) plus 32 MB, whatever
/// the size of the file.
RecordedSpace import_recording(const std::string& path);

/// Adds what a T4 metadata file says of the machine: the device's name where the recording has none (a T4 result never
/// has one unless we wrote it), and a sentence on driver and operating system in the note. Throws Error(bad_input).
void add_t4_metadata(RecordedSpace& recording, const std::string& path);

/// Formats of `wattune export`.
enum class ExportFormat : std::uint8_t { t4, kernel_tuner, csv, header };
std::optional<ExportFormat> export_format_from(std::string_view name);
/// Writes `run`; returns the number of results written.
std::uint64_t export_run(const Run& run, ExportFormat format, std::ostream& out);
/// Writes a recording, with the lists of samples that a run has no place for.
std::uint64_t export_recording(const RecordedSpace& space, ExportFormat format, std::ostream& out);

}  // namespace wattune
