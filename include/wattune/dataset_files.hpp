// Reading and writing data sets of kernels over hardware configurations, and importing those of others by a mapping.
// Room `io`. The formats are in docs/datasets.md.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "wattune/dataset.hpp"

namespace wattune {

/// Reads a data set file. Throws Error(bad_input) that names line and column of every fault: times that are zero,
/// negative or no numbers, a row twice, several devices, a counter that occurs twice, an unknown version.
Dataset read_dataset(const std::string& path);
Dataset parse_dataset(std::string_view text, const std::string& file_name);

/// Writes a data set file that reads back the same.
void write_dataset(const Dataset& dataset, std::ostream& out);

/// Reads foreign files by a mapping (TOML). `inputs` are files and directories; the mapping's file patterns choose
/// among them and what lies below them. Rows that the mapping's rules leave out are counted in the note. Throws
/// Error(bad_input): faults of the mapping with line and column, a file or column that is missing, a rule that matches
/// nothing.
Dataset import_dataset(const std::string& map_path, std::span<const std::string> inputs);

}  // namespace wattune
