#include "io/csv_rows.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune::io {
namespace {

char separator_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  for (const char candidate : {',', ';', '\t'}) {
    if (head.find(candidate) != std::string_view::npos) return candidate;
  }
  return ',';
}

}  // namespace

CsvRows::CsvRows(std::string path, std::string_view text, std::size_t line)
    : path_(std::move(path)), text_(text), separator_(separator_of(text)), line_(line), row_line_(line) {}

bool CsvRows::next(std::vector<std::string>& fields) {
  while (at_ < text_.size()) {
    read(fields);
    if (fields.size() > 1 || !fields.front().empty()) return true;
  }
  return false;
}

std::string CsvRows::where() const {
  return fmt::format("{}:{}", path_, row_line_);
}

void CsvRows::read(std::vector<std::string>& fields) {
  fields.assign(1, {});
  row_line_ = line_;
  bool quoted = false;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '\n') ++line_;
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        fields.back() += '"';
        ++at_;
      } else {
        quoted = false;
      }
    } else if (c == '"' && fields.back().empty()) {
      quoted = true;
    } else if (c == separator_) {
      fields.emplace_back();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  if (quoted) throw Error(ExitCode::bad_input, "a quoted field does not end", where());
}

std::optional<double> csv_number(std::string_view field) {
  field = base::trim(field);
  if (!field.empty() && field.front() == '+') field.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

}  // namespace wattune::io
