// A plain table for terminals and files alike: columns aligned by spaces, numbers to the right, no colour.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace wattune::base {

class Table {
 public:
  explicit Table(std::vector<std::string> headers) : headers_(std::move(headers)) {}
  /// A row with fewer cells than headers is filled up with empty ones; more cells than headers are cut. Line breaks and
  /// tabs become spaces, so that a row stays a line.
  void add_row(std::vector<std::string> cells);
  void print(std::ostream& out) const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a terminal takes for a UTF-8 text: combining marks none, East Asian wide characters and emoji two. A
/// byte that is no UTF-8 counts one.
std::size_t display_width(std::string_view text);

}  // namespace wattune::base
