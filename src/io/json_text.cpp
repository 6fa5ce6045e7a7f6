#include "io/json_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace wattune::io {

namespace {

constexpr std::uint32_t replacement = 0xFFFD;

/// Decodes one UTF-8 character at `at` and moves behind it; one byte is consumed when it is not valid.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 && first < 0xF5   ? 3
                   : first >= 0xE0 && first < 0xF0 ? 2
                   : first >= 0xC2 && first < 0xE0 ? 1
                                                   : 0;
  if (more == 0 || at + static_cast<std::size_t>(more) > text.size()) return replacement;
  std::uint32_t character = first & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) {
    const std::uint8_t next = byte(at + static_cast<std::size_t>(i));
    if ((next & 0xC0U) != 0x80U) return replacement;
    character = (character << 6U) | (next & 0x3FU);
  }
  const bool overlong = (more == 2 && character < 0x800) || (more == 3 && character < 0x10000);
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (overlong || surrogate || character > 0x10FFFF) return replacement;
  at += static_cast<std::size_t>(more);
  return character;
}

void append_escaped(std::string& out, std::uint32_t character) {
  if (character >= 0x10000) {
    character -= 0x10000;
    out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (character >> 10U), 0xDC00 + (character & 0x3FFU));
  } else {
    out += fmt::format("\\u{:04x}", character);
  }
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t character = next_character(text, at);
    switch (character) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (character >= 0x20 && character < 0x7F) {
          out += static_cast<char>(character);
        } else {
          append_escaped(out, character);
        }
    }
  }
  return out + "\"";
}

std::string json_number(double number) {
  return to_string(Value(number));
}

std::string json_value(const Value& value) {
  if (value.is_text()) return json_quoted(value.as_text());
  if (value.is_boolean()) return value.truthy() ? "true" : "false";
  return to_string(value);
}

}  // namespace wattune::io
