// Words of an expression: numbers, quoted texts, names, symbols. Refuses what is written from habit of other languages
// (&&, ^, =) with a hint at the Python form.
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
  Token symbol();
  Token number();
  /// The decimal number that begins here; moves `end` behind it.
  Value decimal(std::size_t& end) const;
  Token quoted();

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
};

}  // namespace wattune::expr
