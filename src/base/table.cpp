#include "base/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>
#include <span>

namespace wattune::base {
namespace {

/// A cell that starts like a number is aligned like one.
bool numeric(const std::string& cell) {
  if (cell.empty() || cell == "-") return true;
  const bool sign = cell.front() == '-' || cell.front() == '+';
  const std::size_t at = sign ? 1 : 0;
  return at < cell.size() && std::isdigit(static_cast<unsigned char>(cell[at])) != 0;
}

/// Takes the next code point from the front of `text`; a byte that begins none is taken alone, as U+FFFD.
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  char32_t point = length == 1 ? first : first & (0x7fU >> length);
  bool valid = length == 1 || (first >= 0xc2 && first <= 0xf4 && length <= text.size());
  for (std::size_t at = 1; valid && at < length; ++at) {
    valid = (byte(at) & 0xc0U) == 0x80U;
    point = (point << 6U) | (byte(at) & 0x3fU);
  }
  text.remove_prefix(valid ? length : 1);
  return valid ? point : U'\ufffd';
}

struct Range {
  char32_t first, last;
};

bool within(char32_t point, std::span<const Range> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [=](Range r) { return r.first <= point && point <= r.last; });
}

/// The blocks that matter in names and messages, after Markus Kuhn's wcwidth() and Unicode's East Asian Width.
constexpr std::array<Range, 5> zero_width = {
    {{0x0300, 0x036f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 9> double_width = {{{0x1100, 0x115f},
                                                {0x2e80, 0xa4cf},
                                                {0xac00, 0xd7a3},
                                                {0xf900, 0xfaff},
                                                {0xfe30, 0xfe6f},
                                                {0xff00, 0xff60},
                                                {0xffe0, 0xffe6},
                                                {0x1f300, 0x1faff},
                                                {0x20000, 0x3fffd}}};

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    width += within(point, zero_width) ? 0 : within(point, double_width) ? 2 : 1;
  }
  return width;
}

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(headers_.size());
  for (std::string& cell : cells) {
    std::replace_if(
        cell.begin(), cell.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  }
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
