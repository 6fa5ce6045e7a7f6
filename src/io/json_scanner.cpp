#include "io/json_scanner.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wattune::io {

namespace {

/// True when the text ends in the three braces that close entry, cache and document, with only white space between: the
/// usual case of a cache file (whose entries hold no objects), told without reading the rest.
bool ends_closed(std::string_view text) {
  int braces = 0;
  while (!text.empty()) {
    text = base::trim(text);
    if (text.empty() || text.back() != '}') break;
    text.remove_suffix(1);
    ++braces;
  }
  return braces >= 3;
}

/// Reads the text between the quote before `begin` and the next quote that is not escaped.
std::string_view quoted_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return text.substr(begin, std::min(end, text.size()) - begin);
}

}  // namespace

Closing closing_of(std::string_view text, std::string_view container) {
  if (container == "cache" && ends_closed(text)) return {};
  JsonScanner scanner;
  std::string member;         // last text at depth 1: the name of the member being read
  std::string closers;        // what closes the brackets that are open, innermost last
  std::size_t whole_end = 0;  // behind the last whole entry of the container
  std::string whole_closers;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool was_text = scanner.in_text();
    const bool structure = scanner.feed(c);
    if (!structure) {
      if (!was_text && scanner.depth() == 1) member = quoted_at(text, i + 1);
      continue;
    }
    if (c == '{' || c == '[') {
      closers += c == '{' ? '}' : ']';
      if (scanner.depth() == 2 && member == container) {
        inside = true;
        whole_end = i + 1;
        whole_closers = closers;
      }
    } else if (c == '}' || c == ']') {
      if (!closers.empty()) closers.pop_back();
      if (scanner.depth() == 0) return {};
      if (inside && scanner.depth() == 2) {
        whole_end = i + 1;
        whole_closers = closers;
      } else if (scanner.depth() == 1) {
        inside = false;
      }
    }
  }
  Closing closing{true, whole_end, "\n"};
  for (auto closer = whole_closers.rbegin(); closer != whole_closers.rend(); ++closer) closing.tail += *closer;
  if (whole_end == 0) closing = {false, text.size(), ""};
  return closing;
}

TopLevel top_level_of(std::string_view text) {
  TopLevel top;
  JsonScanner scanner;
  bool expects_name = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool was_text = scanner.in_text();
    const bool structure = scanner.feed(c);
    if (!structure) {
      if (!was_text && scanner.depth() == 1 && expects_name) {
        top.names.emplace_back(quoted_at(text, i + 1));
        expects_name = false;
      }
      continue;
    }
    if (c == ',' && scanner.depth() == 1) expects_name = true;
    if ((c == '}' || c == ']') && scanner.depth() == 0) {
      top.ended = true;
      top.end = i + 1;
      return top;
    }
  }
  return top;
}

}  // namespace wattune::io
