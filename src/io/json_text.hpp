// Writing JSON text: quoted strings and numbers. A number that is not finite has no JSON form; callers leave it out.
#pragma once

#include <string>
#include <string_view>

#include "wattune/value.hpp"

namespace wattune::io {

/// `text` in quotes, in pure ASCII (other characters as \uXXXX, as Python's json writes them). Bytes that are no UTF-8,
/// as compilers sometimes print, become U+FFFD.
std::string json_quoted(std::string_view text);

/// The shortest digits that read back the same number, as Python writes them. `number` must be finite.
std::string json_number(double number);

/// A number, true, false or a quoted text.
std::string json_value(const Value& value);

}  // namespace wattune::io
