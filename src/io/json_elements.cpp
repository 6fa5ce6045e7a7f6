#include "io/json_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "io/importers.hpp"
#include "io/json_scanner.hpp"
#include "wattune/error.hpp"

namespace wattune::io {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t piece_size = std::size_t{4} << 20U;

[[noreturn]] void fail(const std::string& where, std::string_view message) {
  throw Error(ExitCode::bad_input, std::string(message), where);
}

/// "file:line" of `at` in `text`. The piece being parsed starts at `begin`, where a brace stands for a line break
/// unless that is the start of all.
std::string place(const std::string& path, std::string_view text, std::size_t begin, const char* at) {
  if (at == nullptr || at < text.data() || at > text.data() + text.size()) return path;
  return fmt::format("{}:{}", path, (begin > 0 ? 2 : 1) + std::count(text.data(), at, '\n'));
}

[[noreturn]] void fail_at(const std::string& path, std::string_view text, std::size_t begin,
                          ondemand::document* document, const simdjson::simdjson_error& error) {
  const char* at = nullptr;
  if (document != nullptr && document->current_location().get(at) != simdjson::SUCCESS) at = nullptr;
  fail(place(path, text, begin, at), fmt::format("not valid JSON: {}", error.what()));
}

/// The name in front of a value, as written.
std::string_view raw_key(ondemand::field& field) {
  const char* begin = field.key().raw();
  const char* end = begin;
  while (*end != '"' && *end != '\0') end += *end == '\\' ? 2 : 1;
  return {begin, static_cast<std::size_t>(end - begin)};
}

void give_elements(ondemand::value container, ElementHandler& handler) {
  if (first_character(container) == '[') {
    for (auto item : container.get_array()) handler.element({}, item.value());
  } else {
    for (auto entry : container.get_object()) {
      ondemand::field field = field_of(entry);
      const std::string_view key = raw_key(field);
      handler.element(key, field.value());
    }
  }
}

void give_member(std::string_view key, ondemand::value value, ElementHandler& handler) {
  const std::string_view json = simdjson::to_json_string(value).value();
  auto member = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!member.is_discarded()) handler.member(std::string(key), member);
}

/// Reads the members of the outermost object that came before (or around) the entries.
void give_members(const std::string& path, const std::string& head, std::string_view container,
                  ElementHandler& handler) {
  const auto members = nlohmann::ordered_json::parse(head, nullptr, false);
  if (members.is_discarded()) fail(path, "not valid JSON in front of the entries");
  for (const auto& [name, value] : members.items()) {
    if (name != container) handler.member(name, value);
  }
}

/// Cuts a stream of JSON text into the members around the entries and pieces of whole entries.
class Splitter {
 public:
  Splitter(const std::string& path, std::string_view container, ElementHandler& handler)
      : path_(path), container_(container), handler_(handler) {}

  void feed(std::string_view text) {
    for (char c : text) step(c);
  }

  /// True when the document ended too early.
  bool finish() {
    const bool cut_off = scanner_.depth() > 0;
    if (inside_) flush(whole_);
    if (!seen_) fail(path_, fmt::format("has no '{}'", container_));
    if (!cut_off) give_members(path_, head_, container_, handler_);
    return cut_off;
  }

 private:
  void step(char c) {
    const bool was_text = scanner_.in_text();
    const bool structure = scanner_.feed(c);
    if (inside_) {
      step_inside(c, structure);
      return;
    }
    head_ += c;
    if (!structure) {
      if (!was_text && scanner_.depth() == 1) name_.clear();
      if (was_text && scanner_.in_text() && scanner_.depth() == 1) name_ += c;
      return;
    }
    if ((c == '{' || c == '[') && scanner_.depth() == 2 && name_ == container_) begin(c);
  }

  void begin(char bracket) {
    inside_ = true;
    seen_ = true;
    open_ = bracket;
    head_.back() = 'n';
    head_ += "ull";
    give_members(path_, head_ + "}", container_, handler_);
    if (!handler_.ready()) fail(path_, fmt::format("above 64 MB, '{}' must come after the parameters", container_));
    buffer_.assign(1, open_);
    whole_ = 0;
  }

  void step_inside(char c, bool structure) {
    if (structure && scanner_.depth() == 1) {
      inside_ = false;
      flush(buffer_.size());
      return;
    }
    buffer_ += c;
    if (!structure || scanner_.depth() != 2) return;
    if (c == '}' || c == ']') whole_ = buffer_.size();
    if (c == ',' && buffer_.size() > piece_size) {
      flush(whole_);
      buffer_.assign(1, open_);
      whole_ = 0;
    }
  }

  void flush(std::size_t size) {
    if (size < 2) return;
    piece_.set_size(0);
    piece_.append(std::string_view(buffer_).substr(0, size));
    piece_.append(open_ == '{' ? "}" : "]");
    give_entries(path_, piece_, {0, piece_.size()}, parser_, handler_);
  }

  std::string path_;
  std::string container_;
  ElementHandler& handler_;
  ondemand::parser parser_;
  JsonScanner scanner_;
  Text piece_{0};
  std::string head_;       ///< the document with null for the entries
  std::string name_;       ///< of the member being read
  std::string buffer_;     ///< entries not yet given
  std::size_t whole_ = 0;  ///< of the buffer, up to the end of its last whole entry
  char open_ = '{';
  bool inside_ = false;
  bool seen_ = false;
};

/// All members, then the entries once they are ready. True when the container was met.
bool walk(ondemand::document& document, std::string_view container, ElementHandler& handler) {
  bool seen = false;
  bool deferred = false;
  for (auto entry : document.get_object()) {
    ondemand::field field = field_of(entry);
    const std::string_view key = raw_key(field);
    if (key != container) {
      give_member(key, field.value(), handler);
    } else if (seen || handler.ready()) {
      if (!seen) give_elements(field.value(), handler);
      seen = true;
    } else {
      deferred = true;
    }
  }
  if (!deferred || seen) return seen;
  document.rewind();
  for (auto entry : document.get_object()) {
    ondemand::field field = field_of(entry);
    if (raw_key(field) != container) continue;
    give_elements(field.value(), handler);
    return true;
  }
  return false;
}

}  // namespace

void give_entries(const std::string& path, Text& text, TextRange range, ondemand::parser& parser,
                  ElementHandler& handler) {
  const std::size_t size = range.end - range.begin;
  const std::size_t room = text.capacity() + text_padding - range.begin;
  ondemand::document document;
  bool started = false;
  try {
    document = parser.iterate(text.data() + range.begin, size, room).value();
    started = true;
    if (text.data()[range.begin] == '[') {
      for (auto item : document.get_array()) handler.element({}, item.value());
    } else {
      for (auto entry : document.get_object()) {
        ondemand::field field = field_of(entry);
        const std::string_view key = raw_key(field);
        handler.element(key, field.value());
      }
    }
  } catch (const simdjson::simdjson_error& error) {
    fail_at(path, text.view(), range.begin, started ? &document : nullptr, error);
  }
}

char first_character(ondemand::value& value) {
  const std::string_view token = value.raw_json_token();
  return token.empty() ? '\0' : token.front();
}

std::optional<double> number_of(ondemand::value& value) {
  double number = 0.0;
  if (value.get_double().get(number) == simdjson::SUCCESS) return number;
  const std::string_view token = value.raw_json_token();
  if (token.substr(0, 3) == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (token.substr(0, 8) == "Infinity") return std::numeric_limits<double>::infinity();
  if (token.substr(0, 9) == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<Value> scalar_of(ondemand::value& value) {
  const char first = first_character(value);
  if (first == '"') return Value(std::string(value.get_string().value()));
  if (first == 't' || first == 'f') return Value(value.get_bool().value());
  if (first != '-' && (first < '0' || first > '9')) return std::nullopt;
  std::int64_t integer = 0;
  if (value.get_int64().get(integer) == simdjson::SUCCESS) return Value(integer);
  double real = 0.0;
  if (value.get_double().get(real) == simdjson::SUCCESS) return Value(real);
  return std::nullopt;
}

bool read_elements(const std::string& path, Text& text, std::string_view container, ElementHandler& handler) {
  const Closing closing = closing_of(text.view(), container);
  if (closing.needed) {
    text.set_size(closing.keep);
    text.append(closing.tail);
  }
  if (read_lines(path, text, container, handler)) return closing.needed;
  ondemand::parser parser;
  ondemand::document document;
  bool started = false;
  try {
    document = parser.iterate(text.data(), text.size(), text.capacity() + text_padding).value();
    started = true;
    if (!walk(document, container, handler)) fail(path, fmt::format("has no '{}'", container));
  } catch (const simdjson::simdjson_error& error) {
    fail_at(path, text.view(), 0, started ? &document : nullptr, error);
  }
  return closing.needed;
}

bool read_elements(const JsonInput& input, std::string_view container, ElementHandler& handler) {
  return input.text != nullptr ? read_elements(input.path, *input.text, container, handler)
                               : read_elements_streaming(input.path, *input.source, container, handler);
}

bool read_elements_streaming(const std::string& path, ByteSource& source, std::string_view container,
                             ElementHandler& handler) {
  Splitter splitter(path, container, handler);
  std::vector<char> block(std::size_t{1} << 20U);
  while (const std::size_t got = source.read(block.data(), block.size())) splitter.feed({block.data(), got});
  return splitter.finish();
}

}  // namespace wattune::io
