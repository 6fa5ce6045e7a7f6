#include "io/dataset/glob.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune::io {
namespace {

/// Whether `c` is in the set that begins behind '['; `end` becomes the position behind ']', or npos without one.
bool in_set(std::string_view pattern, char c, std::size_t& end) {
  end = pattern.find(']', 1);
  if (end == std::string_view::npos) return false;
  bool found = false;
  for (std::size_t i = 0; i < end; ++i) {
    if (i + 2 < end && pattern[i + 1] == '-') {
      found = found || (pattern[i] <= c && c <= pattern[i + 2]);
      i += 2;
    } else {
      found = found || pattern[i] == c;
    }
  }
  ++end;
  return found;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // where to go back to: the last star, which then takes one more
  std::size_t star_text = 0;
  while (t < text.size()) {
    std::size_t width = 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    if (p < pattern.size()) {
      std::size_t end = 0;
      if (pattern[p] == '[') {
        width = in_set(pattern.substr(p + 1), text[t], end) ? end + 1 : 0;
      } else if (pattern[p] == '?' || pattern[p] == text[t]) {
        width = 1;
      }
    }
    if (width > 0) {
      p += width;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_path(std::string_view pattern, std::string_view path) {
  const std::vector<std::string> patterns = base::split(pattern, '/');
  const std::vector<std::string> parts = base::split(path, '/');
  if (patterns.size() > parts.size()) return false;
  return std::equal(patterns.rbegin(), patterns.rend(), parts.rbegin(), matches_glob);
}

std::vector<std::string> files_below(const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (fs::is_directory(input, error)) {
      for (const auto& entry : fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied)) {
        if (entry.is_regular_file()) files.push_back(entry.path().generic_string());
      }
    } else if (fs::exists(input, error)) {
      files.push_back(fs::path(input).generic_string());
    } else {
      throw Error(ExitCode::bad_input, "there is no such file or directory", input);
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace wattune::io
