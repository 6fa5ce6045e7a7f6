#include "expr/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "expr/syntax.hpp"

namespace wattune::expr {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

/// What people write from habit, and what it is here.
struct Slip {
  std::string_view written;
  std::string_view message;
  std::string_view hint;
};
constexpr std::array slips = {
    Slip{"&&", "'&&' is not an operator", "write and"},      Slip{"||", "'||' is not an operator", "write or"},
    Slip{"<<", "shifts are not supported", "write * 2**n"},  Slip{">>", "shifts are not supported", "write // 2**n"},
    Slip{"<>", "'<>' is not a comparison", "write !="},      Slip{":=", "assignments are not allowed", ""},
    Slip{"->", "'->' does not belong in an expression", ""},
};
constexpr std::array single_slips = {
    Slip{"=", "'=' is not a comparison", "write =="},
    Slip{"!", "'!' is not an operator", "write not"},
    Slip{"?", "'?' is not an operator", "write a if condition else b"},
    Slip{"^", "'^' is not an operator", "write ** for powers"},
    Slip{"&", "bitwise operators are not supported", "write and for conditions"},
    Slip{"|", "bitwise operators are not supported", "write or for conditions"},
    Slip{"~", "bitwise operators are not supported", "write not for conditions"},
    Slip{":", "':' does not belong in an expression", "slices are not supported"},
    Slip{"{", "sets and dictionaries are not supported", "write a list"},
};

}  // namespace

Token Lexer::next() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  Token token;
  token.position = at_;
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'') return quoted();
  if (!is_name_start(c)) return symbol();
  std::size_t end = at_;
  while (end < text_.size() && is_name_part(text_[end])) ++end;
  token.kind = Token::Kind::name;
  token.text = text_.substr(at_, end - at_);
  at_ = end;
  return token;
}

Token Lexer::symbol() {
  Token token;
  token.kind = Token::Kind::symbol;
  token.position = at_;
  const std::string_view rest = text_.substr(at_);
  const auto refuse = [&](const auto& table) {
    for (const Slip& slip : table) {
      if (rest.starts_with(slip.written)) fault(text_, at_, origin_, std::string(slip.message), std::string(slip.hint));
    }
  };
  static constexpr std::array two = {"**", "//", "<=", ">=", "==", "!="};
  static constexpr std::string_view one = "+-*/%<>()[],.";
  refuse(slips);
  for (const std::string_view symbol : two) {
    if (rest.starts_with(symbol)) token.text = symbol;
  }
  if (token.text.empty() && one.find(rest.front()) != std::string_view::npos) token.text = rest.front();
  if (token.text.empty()) {
    refuse(single_slips);
    const auto code = static_cast<unsigned char>(rest.front());
    fault(text_, at_, origin_,
          code < ' ' || code == 0x7f ? "a control character does not belong in an expression"
                                     : std::string("'") + rest.front() + "' does not belong in an expression");
  }
  at_ += token.text.size();
  return token;
}

Token Lexer::number() {
  Token token;
  token.kind = Token::Kind::number;
  token.position = at_;
  const bool hexadecimal = text_[at_] == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] | 0x20) == 'x';
  std::size_t end = at_;
  if (hexadecimal) {
    end += 2;
    while (end < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[end])) != 0) ++end;
    std::int64_t value = 0;
    const auto result = std::from_chars(text_.data() + at_ + 2, text_.data() + end, value, 16);
    if (result.ec != std::errc() || end == at_ + 2) fault(text_, at_, origin_, "not a 64-bit integer");
    token.value = value;
  } else {
    token.value = decimal(end);
  }
  if (end < text_.size() && is_name_part(text_[end]))
    fault(text_, end, origin_, "a number ends here, and a name begins");
  at_ = end;
  return token;
}

Value Lexer::decimal(std::size_t& end) const {
  std::string digits;
  const auto take_digits = [&] {
    while (end < text_.size()) {
      const bool separator = text_[end] == '_' && end > at_ && is_digit(text_[end - 1]) && end + 1 < text_.size() &&
                             is_digit(text_[end + 1]);
      if (!separator && !is_digit(text_[end])) return;
      if (!separator) digits += text_[end];
      ++end;
    }
  };
  bool real = false;
  take_digits();
  if (end < text_.size() && text_[end] == '.') {
    real = true;
    digits += text_[end++];
    take_digits();
  }
  if (end < text_.size() && (text_[end] | 0x20) == 'e') {
    const bool negative = end + 1 < text_.size() && text_[end + 1] == '-';
    const bool sign = negative || (end + 1 < text_.size() && text_[end + 1] == '+');
    const std::size_t exponent = end + (sign ? 2 : 1);
    if (exponent < text_.size() && is_digit(text_[exponent])) {
      real = true;
      digits += negative ? "e-" : "e";
      end = exponent;
      take_digits();
    }
  }
  const char* const stop = digits.data() + digits.size();
  if (real) {
    double value = 0.0;
    if (std::from_chars(digits.data(), stop, value).ec != std::errc())
      fault(text_, at_, origin_, "a number outside the range of reals");
    return value;
  }
  if (digits.size() > 1 && digits.front() == '0' && digits.find_first_not_of('0') != std::string::npos)
    fault(text_, at_, origin_, "an integer does not begin with 0");
  std::int64_t value = 0;
  if (std::from_chars(digits.data(), stop, value).ec != std::errc()) fault(text_, at_, origin_, "not a 64-bit integer");
  return value;
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
    if (text_[i] != '\\') {
      token.text += text_[i];
      continue;
    }
    static constexpr std::string_view written = "\\'\"nrt";
    static constexpr std::string_view meant = "\\'\"\n\r\t";
    const std::size_t escape = i + 1 < text_.size() ? written.find(text_[i + 1]) : std::string_view::npos;
    if (escape == std::string_view::npos) fault(text_, i, origin_, "this escape is not supported", "write \\\\ for \\");
    token.text += meant[escape];
    ++i;
  }
  fault(text_, at_, origin_, "a text without its closing quote");
}

}  // namespace wattune::expr
