#include "engine/portability.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace wattune::engine {
namespace {

constexpr std::string_view header_name = "wattune/portable.h";

/// The source with comments and string or character literals replaced by blanks; line ends stay. An #include's file
/// name is kept, since it is no string.
std::string without_comments(std::string_view source) {
  std::string text(source);
  const auto blank = [&text](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  };
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '/' && next == '/') {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (c == '/' && next == '*') {
      const std::size_t close = text.find("*/", i + 2);
      const std::size_t end = close == std::string::npos ? text.size() : close + 2;
      blank(i, end);
      i = end;
    } else if (c == '"' || c == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      const std::size_t line = text.rfind('\n', i) == std::string::npos ? 0 : text.rfind('\n', i) + 1;
      if (!base::trim(std::string_view(text).substr(line, i - line)).starts_with('#')) blank(i, end);
      i = end;
    } else {
      ++i;
    }
  }
  return text;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

/// `# include "wattune/portable.h"` or with <>.
bool includes_header(std::string_view line) {
  line = base::trim(line);
  if (!line.starts_with('#')) return false;
  line = base::trim(line.substr(1));
  if (!line.starts_with("include")) return false;
  line = base::trim(line.substr(7));
  if (line.size() < header_name.size() + 2) return false;
  const char close = line.front() == '<' ? '>' : line.front() == '"' ? '"' : '\0';
  return close != '\0' && line.substr(1).starts_with(header_name) && line[header_name.size() + 1] == close;
}

std::string line_directive(std::size_t line, std::string_view source_name) {
  std::string text = "#line " + std::to_string(line);
  if (!source_name.empty()) {
    text += " \"";
    for (const char c : source_name) {
      if (c == '\\' || c == '"') text += '\\';
      if (c != '\n' && c != '\r') text += c;
    }
    text += '"';
  }
  return text + '\n';
}

}  // namespace

Language detect_language(std::string_view source) {
  const std::string text = without_comments(source);
  const std::vector<std::string> lines = base::split(text, '\n');
  if (std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return includes_header(line); })) {
    return Language::portable;
  }
  if (has_word(text, "__global__")) return Language::cuda;
  if (has_word(text, "__kernel")) return Language::opencl;
  for (std::size_t at = text.find("kernel"); at != std::string::npos; at = text.find("kernel", at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::string_view rest = std::string_view(text).substr(at + 6);
    // OpenCL C also allows the qualifier without underscores: `kernel void f(`.
    if (begins && rest.find_first_not_of(" \t\r\n") > 0 && base::trim(rest).starts_with("void"))
      return Language::opencl;
  }
  return Language::automatic;
}

std::string paste_portable_header(std::string_view source, std::string_view source_name) {
  const std::vector<std::string> original = base::split(source, '\n');
  const std::vector<std::string> bare = base::split(without_comments(source), '\n');
  std::string text;
  text.reserve(source.size() + portable_header().size());
  bool pasted = false;
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (includes_header(bare[i])) {
      if (!pasted) {
        text += line_directive(1, header_name);
        text += portable_header();
        text += '\n';
        text += line_directive(i + 2, source_name);
        pasted = true;
        continue;
      }
    } else {
      text += original[i];
    }
    if (i + 1 < original.size()) text += '\n';
  }
  return text;
}

std::string paste_definitions(std::string_view source, std::string_view source_name,
                              std::span<const std::pair<std::string, std::string>> definitions) {
  if (definitions.empty()) return std::string(source);
  std::string text;
  for (const auto& [name, body] : definitions)
    text.append("#define ").append(name).append(" ").append(body).append("\n");
  text += line_directive(1, source_name);
  text += source;
  return text;
}

}  // namespace wattune::engine
