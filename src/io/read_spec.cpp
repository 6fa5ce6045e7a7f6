// Opens a spec file and hands it to the reader of its format: JSON (T1) begins with a brace, all else is TOML.
#include <filesystem>

#include "base/text.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {

Spec read_spec(const std::string& path) {
  if (std::error_code error; std::filesystem::is_directory(path, error)) {
    throw Error(ExitCode::bad_input, "is a folder, not a spec", path, "give a .toml or T1 .json file");
  }
  const std::string text = base::read_file(path, "the spec");
  std::string_view body(text);
  if (body.substr(0, 3) == "\xEF\xBB\xBF") body.remove_prefix(3);  // some editors put a byte order mark in front
  const std::string_view trimmed = base::trim(body);
  return !trimmed.empty() && trimmed.front() == '{' ? parse_t1_spec(body, path) : parse_toml_spec(body, path);
}

}  // namespace wattune
