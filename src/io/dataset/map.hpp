// How foreign files become a data set: which columns are what, and which rows cannot be believed. Written by hand, a
// TOML file for each public set (share/wattune/datasets/, docs/datasets.md).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dataset/builder.hpp"
#include "wattune/dataset.hpp"
#include "wattune/spec.hpp"

namespace wattune::io {

/// How the rows of a file are laid out.
struct ForeignLayout {
  enum class Kind : std::uint8_t {
    header,   ///< the first line names the columns
    columns,  ///< there is no header: `columns` names them
    blocks,   ///< a line with a name only, then rows without header; the name is {block}
  };
  Kind kind = Kind::header;
  std::size_t skip_lines = 0;
  std::vector<std::string> columns;
};

/// A second table whose columns are added to the rows of the first.
struct ForeignJoin {
  std::vector<std::string> files;
  ForeignLayout layout;
  std::string key;                           ///< template over the second table's row: what kernel it is about
  std::map<std::string, std::string> names;  ///< name of a kernel -> its name in the second table, where they differ
  std::string prefix;                        ///< of the added columns
  bool sum = false;                          ///< rows of one key are added up; else the first counts
  bool required = false;                     ///< kernels without a partner are left out
  SourcePosition at;
};

/// Rows that cannot be believed.
struct ForeignRule {
  enum class Drop : std::uint8_t { row, time, power, counters };
  Drop drop = Drop::row;
  std::string why;
  std::string file, kernel, group;  ///< patterns; empty: any
  std::string where;                ///< axes as in matching_configurations(); empty: any
  SourcePosition at;
};

struct DatasetMap {
  std::string name, device, source, note;
  Provenance provenance = Provenance::measured;
  std::vector<std::string> files;  ///< patterns
  ForeignLayout layout;

  std::string kernel, group;  ///< templates with {column}, {file}, {folder}, {block}, {number}
  std::vector<std::pair<std::string, std::string>>
      groups;                          ///< pattern of what `group` gives -> another name; first match
  std::vector<std::string> number_by;  ///< columns; rows equal in all of them have one {number}
  std::vector<std::pair<HardwareAxis, LocatedText>> axes;
  std::vector<LocatedText> time, power;  ///< alternatives: the first whose columns all exist counts
  Repeats repeats = Repeats::refuse;

  /// Counters by expression: name and alternatives.
  std::vector<std::pair<std::string, std::vector<LocatedText>>> features;
  /// Columns kept as they are under `raw_prefix` + name: patterns, and patterns of exceptions.
  std::string raw_prefix = "raw.";
  std::vector<std::string> raw_columns, raw_except;
  bool raw_shares = false;  ///< each as a share of the sum of all of them in the row

  std::vector<ForeignJoin> joins;
  std::vector<ForeignRule> rules;
};

/// Throws Error(bad_input) with every fault of the file.
DatasetMap read_dataset_map(const std::string& path);

}  // namespace wattune::io
