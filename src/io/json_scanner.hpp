// Follows the structure of JSON text character by character, without building anything: what simdjson cannot do for
// text that comes in pieces or ends in the middle.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wattune::io {

/// Where a character stands. Feed every character in order; the state is the one after it.
class JsonScanner {
 public:
  /// Accepts the next character. Returns true when it is structure, not part of a text.
  bool feed(char c) {
    if (in_text_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_text_ = false;
      }
      return false;
    }
    if (c == '"') {
      in_text_ = true;
      return false;
    }
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    return true;
  }
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] bool in_text() const { return in_text_; }

 private:
  int depth_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

/// Length of `text` up to which an unfinished document is whole, and what must follow to close it; `needed` is false
/// for a document that is complete.
struct Closing {
  bool needed = false;
  std::size_t keep = 0;
  std::string tail;
};
/// `container` is the member whose last incomplete entry is dropped.
Closing closing_of(std::string_view text, std::string_view container);

/// Names of the members of the outermost object, as far as `text` reaches; `ended` tells whether the object closed in
/// it, and `end` where.
struct TopLevel {
  std::vector<std::string> names;
  bool ended = false;
  std::size_t end = 0;
};
TopLevel top_level_of(std::string_view text);

}  // namespace wattune::io
