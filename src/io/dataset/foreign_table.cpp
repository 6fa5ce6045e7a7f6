#include "io/dataset/foreign_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.hpp"
#include "io/byte_source.hpp"
#include "io/csv_rows.hpp"
#include "wattune/error.hpp"

namespace wattune::io {
namespace {

/// "time/ms" -> "time_ms", "add.cc" -> "add_cc", "and" -> "and_", "2d" -> "_2d"; a name that is taken gets a number.
std::vector<std::string> identifiers(const std::vector<std::string>& labels) {
  static constexpr std::array<std::string_view, 10> words = {"and", "or",   "not", "in",   "is",
                                                             "if",  "else", "for", "True", "False"};
  std::vector<std::string> names;
  for (const std::string& label : labels) {
    std::string name;
    for (const char c : label) {
      const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      name += fits ? c : '_';
    }
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
    if (std::ranges::find(words, name) != words.end()) name += '_';
    const std::string first = name;
    for (int i = 2; std::ranges::find(names, name) != names.end(); ++i) name = first + "_" + std::to_string(i);
    names.push_back(std::move(name));
  }
  return names;
}

/// The text behind `count` lines.
std::string_view without_lines(std::string_view text, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return text;
}

void add_row(ForeignTable& table, std::vector<std::string> fields, const std::string& where) {
  // Some tools write a separator behind the last field.
  if (fields.size() == table.labels.size() + 1 && fields.back().empty()) fields.pop_back();
  if (fields.size() != table.labels.size()) {
    throw Error(ExitCode::bad_input,
                fmt::format("the row has {} fields, {} are expected", fields.size(), table.labels.size()), where);
  }
  table.rows.push_back(std::move(fields));
  table.where.push_back(where);
}

void read_blocks(CsvRows& rows, ForeignTable& table) {
  std::vector<std::string> fields;
  std::string block;
  std::map<std::string, int> seen;
  while (rows.next(fields)) {
    if (fields.size() == 1) {
      block = std::string(base::trim(fields[0]));
      const int times = ++seen[block];
      if (times > 1) block += "#" + std::to_string(times);
      continue;
    }
    add_row(table, fields, rows.where());
    table.blocks.push_back(block);
  }
}

}  // namespace

std::string ForeignTable::field(std::size_t row, const std::string& name) const {
  const std::filesystem::path file(path);
  if (name == "file") return file.stem().string();
  if (name == "folder") return file.parent_path().filename().string();
  if (name == "block" && !blocks.empty()) return blocks[row];
  for (const auto* list : {&labels, &names}) {
    const auto found = std::find(list->begin(), list->end(), name);
    if (found != list->end())
      return std::string(base::trim(rows[row][static_cast<std::size_t>(found - list->begin())]));
  }
  std::string hint = base::did_you_mean(name, names);
  if (hint.empty()) hint = "columns: " + base::first_lines(base::join(names, ", ").substr(0, 300), 1);
  throw Error(ExitCode::bad_input, fmt::format("there is no column '{}'", name), path, std::move(hint));
}

std::string ForeignTable::filled(std::size_t row, const std::string& text, std::size_t number) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (close == std::string::npos) {
      result += text[at++];
      continue;
    }
    const std::string name = text.substr(at + 1, close - at - 1);
    result += name == "number" ? fmt::format("{:03}", number) : field(row, name);
    at = close + 1;
  }
  return result;
}

ForeignTable read_foreign_table(const std::string& path, const ForeignLayout& layout) {
  const auto text = read_text(path, std::size_t{1} << 34U);
  if (!text) throw Error(ExitCode::bad_input, "the file is larger than 16 GiB", path);
  std::string_view body = text->view();
  if (body.substr(0, 3) == "\xEF\xBB\xBF") body.remove_prefix(3);
  CsvRows rows(path, without_lines(body, layout.skip_lines), layout.skip_lines + 1);
  ForeignTable table;
  table.path = path;
  table.labels = layout.columns;
  std::vector<std::string> fields;
  if (layout.kind == ForeignLayout::Kind::header) {
    if (!rows.next(table.labels)) throw Error(ExitCode::bad_input, "the file is empty", path);
    for (std::string& label : table.labels) label = std::string(base::trim(label));
  }
  table.names = identifiers(table.labels);
  if (layout.kind == ForeignLayout::Kind::blocks) {
    read_blocks(rows, table);
  } else {
    while (rows.next(fields)) add_row(table, fields, rows.where());
  }
  if (table.rows.empty()) throw Error(ExitCode::bad_input, "the file has no rows", path);
  return table;
}

}  // namespace wattune::io
