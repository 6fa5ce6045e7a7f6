// The shape that all JSON recordings share: an object of small members, one of which holds the entries. The small
// members are given as a whole, the entries one by one, so that a file of any size can be read: up to 64 MB at once,
// above in pieces.
#pragma once

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "wattune/value.hpp"

namespace wattune::io {

/// Takes the parts of a recording in the order of the file, except that the entries may wait for members before them.
class ElementHandler {
 public:
  virtual ~ElementHandler() = default;
  /// One member besides the entries.
  virtual void member(const std::string& name, const nlohmann::ordered_json& value) = 0;
  /// True when entries can be read with the members seen so far.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// One entry. `key` is its name as written (without quotes, escapes not undone); empty in a list.
  virtual void element(std::string_view key, simdjson::ondemand::value value) = 0;
  /// There will be about `factor` times as many entries as came until now: a chance to reserve memory.
  virtual void expect(double /*factor*/) {}
};

/// Files up to this size are read at once.
inline constexpr std::size_t whole_limit = std::size_t{64} << 20U;

struct JsonInput;

/// Reads a document, whole or in pieces, as `input` has it; see the functions below.
bool read_elements(const JsonInput& input, std::string_view container, ElementHandler& handler);

/// Reads a document whose entries are under `container`. A file that a killed run left open is closed after its last
/// whole entry; returns true when that was needed. Throws Error(bad_input) with file and line.
bool read_elements(const std::string& path, Text& text, std::string_view container, ElementHandler& handler);

/// The same for a document with one entry a line; false, and nothing done, when it is not laid out like that.
bool read_lines(const std::string& path, Text& text, std::string_view container, ElementHandler& handler);

/// Gives the entries of the object or list in [begin, end) of `text` to the handler.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
void give_entries(const std::string& path, Text& text, TextRange range, simdjson::ondemand::parser& parser,
                  ElementHandler& handler);

/// The same piece by piece, for files above whole_limit. A piece is about 4 MB.
bool read_elements_streaming(const std::string& path, ByteSource& source, std::string_view container,
                             ElementHandler& handler);

/// The member that an iteration over an object stands at; throws simdjson_error when the text is not valid there.
inline simdjson::ondemand::field field_of(simdjson::simdjson_result<simdjson::ondemand::field> member) {
  simdjson::ondemand::field field;
  if (const auto error = std::move(member).get(field)) throw simdjson::simdjson_error(error);
  return field;
}

/// A number; NaN and infinities, which JSON forbids and Python writes, included. Nothing when it is something else.
std::optional<double> number_of(simdjson::ondemand::value& value);
/// A number, boolean or text as a parameter's value; nothing for lists, objects and null.
std::optional<Value> scalar_of(simdjson::ondemand::value& value);
/// First character of a value: '"', '[', '{', 't', 'f', 'n', a digit, '-', or 'N' and 'I' for NaN and Infinity.
char first_character(simdjson::ondemand::value& value);

}  // namespace wattune::io
