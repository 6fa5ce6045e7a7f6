// Words of an expression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wattune/value.hpp"

namespace wattune::expr {

struct Token {
  enum class Kind : std::uint8_t { end, number, text, name, symbol };
  Kind kind = Kind::end;
  std::size_t position = 0;
  std::string text;  ///< name, symbol, or contents of a string
  Value value;       ///< number
};

/// Gives one token after another. Throws Error(bad_input) for characters that belong to no expression.
class Lexer {
 public:
  Lexer(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}
  Token next();

 private:
  Token number();
  Token quoted();

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
};

}  // namespace wattune::expr
