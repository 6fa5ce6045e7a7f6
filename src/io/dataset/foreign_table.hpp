// A file of others as rows of named fields, whatever its layout.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/dataset/map.hpp"

namespace wattune::io {

struct ForeignTable {
  std::string path;
  std::vector<std::string> labels;  ///< names of the columns as in the file
  std::vector<std::string> names;   ///< as expressions may write them: letters, digits, underscores, each once
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> where;   ///< "file:line" of each row
  std::vector<std::string> blocks;  ///< of each row; empty without blocks

  /// The field of a row that a template names: a column (by label or name), {file} (stem), {folder} or {block}.
  /// Throws Error(bad_input) for a name that is none of these.
  [[nodiscard]] std::string field(std::size_t row, const std::string& name) const;
  /// A text with {name} replaced; `number` stands for {number}.
  [[nodiscard]] std::string filled(std::size_t row, const std::string& text, std::size_t number = 0) const;
};

/// Throws Error(bad_input): unreadable, a row of another width than the header, no rows.
ForeignTable read_foreign_table(const std::string& path, const ForeignLayout& layout);

}  // namespace wattune::io
