#include "base/table.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

namespace wattune::base {
namespace {

/// A cell that starts like a number is aligned like one.
bool numeric(const std::string& cell) {
  if (cell.empty() || cell == "-") return true;
  const bool sign = cell.front() == '-' || cell.front() == '+';
  const std::size_t at = sign ? 1 : 0;
  return at < cell.size() && std::isdigit(static_cast<unsigned char>(cell[at])) != 0;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(headers_.size());
  rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t column = 0; column < headers_.size(); ++column) {
    std::size_t width = display_width(headers_[column]);
    bool numbers = !rows_.empty();
    for (const auto& row : rows_) {
      width = std::max(width, display_width(row[column]));
      numbers = numbers && numeric(row[column]);
    }
    widths.push_back(width);
    right.push_back(numbers);
  }
  const auto print_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string padding(widths[column] - display_width(cells[column]), ' ');
      if (column > 0) line += "  ";
      line += right[column] ? padding + cells[column] : cells[column] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  print_row(headers_);
  for (const auto& row : rows_) print_row(row);
}

}  // namespace wattune::base
