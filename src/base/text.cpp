#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "wattune/error.hpp"

namespace wattune::base {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(lower(name), lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string near = nearest(name, candidates);
  return near.empty() ? std::string() : "did you mean '" + near + "'?";
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string first_lines(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < count; ++line) {
    const std::size_t next = text.find('\n', end);
    if (next == std::string_view::npos) return std::string(trim(text));
    end = next + 1;
  }
  std::string head(trim(text.substr(0, end)));
  if (!trim(text.substr(end)).empty()) head += "\n…";
  return head;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return result;
}

bool starts_with_no_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && lower(text.substr(0, prefix.size())) == lower(prefix);
}

std::string content_hash(std::string_view text) {
  // Two independent 64-bit FNV-1a passes (different offsets, finalised by a mixer): plenty against accidental
  // collision.
  std::uint64_t a = 0xcbf29ce484222325ULL;
  std::uint64_t b = 0x9ae16a3b2f90404fULL;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    b = (b ^ (static_cast<unsigned char>(c) + 0x9e3779b97f4a7c15ULL + (b << 6U) + (b >> 2U))) * 0xff51afd7ed558ccdULL;
  }
  std::string digits;
  for (std::uint64_t word : {a, b}) {
    word ^= word >> 33U;
    for (int shift = 60; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[(word >> static_cast<unsigned>(shift)) & 15U];
  }
  return digits;
}

std::string read_file(const std::string& path, std::string_view what) {
  const auto fault = [&] {
    return Error(ExitCode::bad_input, "cannot read " + std::string(what) + ": " + std::strerror(errno), path,
                 "check the path; relative paths start at the spec's folder");
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fault();
  std::string text;
  std::array<char, 65536> block;
  do {
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (file.bad()) throw fault();  // a folder opens like a file; only reading it fails
  return text;
}

}  // namespace wattune::base
