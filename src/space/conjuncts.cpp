#include "space/conjuncts.hpp"

#include <cctype>

#include "base/text.hpp"

namespace wattune::space {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Position after the string literal that starts at `at`.
std::size_t skip_literal(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// Positions of `and` outside of parentheses; nothing when the outermost operation is another, weaker one.
std::vector<std::size_t> outermost_ands(std::string_view text) {
  std::vector<std::size_t> found;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = skip_literal(text, at);
    } else if (is_word(c)) {
      const std::size_t start = at;
      while (at < text.size() && is_word(text[at])) ++at;
      const std::string_view word = text.substr(start, at - start);
      if (depth > 0) continue;
      if (word == "and") found.push_back(start);
      if (word == "or" || word == "if" || word == "else" || word == "lambda") return {};
    } else {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      ++at;
    }
  }
  return found;
}

/// Without parentheses that enclose all of it.
std::string_view unwrap(std::string_view text) {
  while (true) {
    text = base::trim(text);
    if (text.size() < 2 || text.front() != '(') return text;
    int depth = 0;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == '"' || text[at] == '\'') {
        at = skip_literal(text, at);
        continue;
      }
      if (text[at] == '(') ++depth;
      if (text[at] == ',' && depth == 1) return text;  // a tuple
      if (text[at] == ')' && --depth == 0 && at + 1 < text.size()) return text;
      ++at;
    }
    text = text.substr(1, text.size() - 2);
  }
}

void split(std::string_view text, std::vector<std::string>& parts) {
  const std::string_view inner = unwrap(text);
  const std::vector<std::size_t> ands = outermost_ands(inner);
  if (ands.empty()) {
    parts.emplace_back(inner);
    return;
  }
  std::size_t start = 0;
  for (const std::size_t at : ands) {
    split(inner.substr(start, at - start), parts);
    start = at + 3;
  }
  split(inner.substr(start), parts);
}

}  // namespace

std::vector<std::string> conjuncts(std::string_view text) {
  std::vector<std::string> parts;
  split(text, parts);
  return parts;
}

}  // namespace wattune::space
