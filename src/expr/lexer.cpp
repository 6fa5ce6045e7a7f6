#include "expr/lexer.hpp"

#include <array>
#include <cctype>
#include <charconv>

#include "expr/syntax.hpp"

namespace wattune::expr {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

}  // namespace

Token Lexer::next() {
  while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)) ++at_;
  Token token;
  token.position = at_;
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'') return quoted();
  if (is_name_start(c)) {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    token.kind = Token::Kind::name;
    token.text = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }
  static constexpr std::array two = {"**", "//", "<=", ">=", "==", "!="};
  token.kind = Token::Kind::symbol;
  for (const std::string_view symbol : two) {
    if (text_.substr(at_).starts_with(symbol)) {
      token.text = symbol;
      at_ += 2;
      return token;
    }
  }
  static constexpr std::string_view one = "+-*/%<>()[],.";
  if (one.find(c) == std::string_view::npos) {
    fault(text_, at_, origin_,
          c == '=' ? "'=' is not a comparison" : std::string("'") + c + "' does not belong in an expression",
          c == '=' ? "write ==" : "");
  }
  token.text = c;
  ++at_;
  return token;
}

Token Lexer::number() {
  Token token;
  token.kind = Token::Kind::number;
  token.position = at_;
  std::size_t end = at_;
  bool real = false;
  if (text_[at_] == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X')) {
    end += 2;
    while (end < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[end])) != 0) ++end;
    std::int64_t value = 0;
    const auto result = std::from_chars(text_.data() + at_ + 2, text_.data() + end, value, 16);
    if (result.ec != std::errc() || end == at_ + 2) fault(text_, at_, origin_, "not a 64-bit integer");
    token.value = value;
  } else {
    std::string digits;
    const auto take_digits = [&] {
      while (end < text_.size() &&
             (is_digit(text_[end]) || (text_[end] == '_' && end > at_ && is_digit(text_[end - 1])))) {
        if (text_[end] != '_') digits += text_[end];
        ++end;
      }
    };
    take_digits();
    if (end < text_.size() && text_[end] == '.') {
      real = true;
      digits += text_[end++];
      take_digits();
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        real = true;
        digits += 'e';
        if (text_[end + 1] != '+' && exponent == end + 2) digits += '-';
        end = exponent;
        take_digits();
      }
    }
    if (real) {
      double value = 0.0;
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
      token.value = value;
    } else {
      std::int64_t value = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
        fault(text_, at_, origin_, "not a 64-bit integer");
      token.value = value;
    }
  }
  if (end < text_.size() && is_name_part(text_[end]))
    fault(text_, end, origin_, "a number ends here, and a name begins");
  at_ = end;
  return token;
}

Token Lexer::quoted() {
  Token token;
  token.kind = Token::Kind::text;
  token.position = at_;
  const char quote = text_[at_];
  for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) {
      at_ = i + 1;
      return token;
    }
    if (text_[i] == '\\' && i + 1 < text_.size()) {
      const char escaped = text_[++i];
      token.text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    } else {
      token.text += text_[i];
    }
  }
  fault(text_, at_, origin_, "a text without its closing quote");
}

}  // namespace wattune::expr
