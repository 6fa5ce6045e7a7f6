// The fast way through a document that has one entry a line, as Kernel Tuner writes its caches: pieces that fit the
// processor's cache are parsed one after the other, in place. The parser's own tables then stay small; for a text of 12
// MB at once they are another 25 MB, and the page faults for them cost more than all parsing.
#include <fmt/format.h>

#include "base/text.hpp"
#include "io/json_elements.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t piece_size = std::size_t{128} << 10U;

/// Where the entries are: behind the container's brace, and up to (not including) its closing brace.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Nothing when the layout is another one: the first entry takes more than its line, or members follow the container.
std::optional<Span> entry_lines(std::string_view text, std::string_view container) {
  const std::string opening = fmt::format("\n\"{}\": {{\n", container);
  const std::size_t found = text.find(opening);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t begin = found + opening.size() - 1;
  const std::size_t line_end = text.find('\n', begin + 1);
  if (line_end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(begin + 1, line_end - begin - 1);
  if (line.size() < 4 || line.front() != '"' || line.substr(line.size() - 2) != "},") return std::nullopt;
  const std::size_t document_end = text.rfind('}');
  const std::size_t container_end = text.rfind('}', document_end - 1);
  const std::string_view between = text.substr(container_end + 1, document_end - container_end - 1);
  if (container_end <= line_end || !base::trim(between).empty()) return std::nullopt;
  return Span{begin, container_end};
}

/// End of the piece that begins at `begin`: the comma behind an entry, or the end of all.
std::size_t piece_end(std::string_view text, std::size_t begin, std::size_t end) {
  if (end - begin <= piece_size) return end;
  const std::size_t found = text.find("},\n\"", begin + piece_size);
  return found == std::string_view::npos || found + 1 >= end ? end : found + 1;
}

}  // namespace

bool read_lines(const std::string& path, Text& text, std::string_view container, ElementHandler& handler) {
  const auto lines = entry_lines(text.view(), container);
  if (!lines) return false;
  const std::string head = std::string(text.view().substr(0, lines->begin)) + "}}";
  const auto members = nlohmann::ordered_json::parse(head, nullptr, false);
  if (members.is_discarded()) return false;
  for (const auto& [name, value] : members.items()) {
    if (name != container) handler.member(name, value);
  }
  if (!handler.ready()) return false;

  ondemand::parser parser;
  for (std::size_t begin = lines->begin; begin < lines->end;) {
    const std::size_t end = piece_end(text.view(), begin, lines->end);
    // The line break in front and the comma (or brace) behind become the braces of a document of its own.
    const char behind = text.data()[end];
    text.data()[begin] = '{';
    text.data()[end] = '}';
    give_entries(path, text, {begin, end + 1}, parser, handler);
    text.data()[begin] = '\n';
    text.data()[end] = behind;
    if (begin == lines->begin)
      handler.expect(static_cast<double>(lines->end - begin) / static_cast<double>(end - begin));
    begin = end + 1;
  }
  return true;
}

}  // namespace wattune::io
