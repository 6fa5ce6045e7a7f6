// A table in text form, row by row: RFC 4180 with commas, semicolons or tabs; LF or CRLF. Knows nothing of headers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattune::io {

/// Splits text into rows of fields. Quoted fields may hold separators, line breaks and doubled quotes.
class CsvRows {
 public:
  /// The separator is the first of `,` `;` and tab that the first line holds. `path` is for messages; `line` is the
  /// number of the first line of `text` in the file.
  CsvRows(std::string path, std::string_view text, std::size_t line = 1);

  /// The next row that is not empty; false at the end. Throws Error(bad_input) when a quoted field does not end.
  bool next(std::vector<std::string>& fields);
  /// "file:line" of the row that next() gave last.
  [[nodiscard]] std::string where() const;

 private:
  void read(std::vector<std::string>& fields);

  std::string path_;
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_;
  std::size_t row_line_;
};

/// The number that the whole of a field is (blanks around it and a plus sign are allowed); may be NaN or infinite.
std::optional<double> csv_number(std::string_view field);

}  // namespace wattune::io
