// Small text helpers shared by all rooms: nearest name for error messages, splitting, trimming, hashing of sources.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattune::base {

/// Damerau-Levenshtein distance (adjacent transposition counts 1).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name` when it is near enough to be a likely slip (at most a third of its length, at least
/// 1, compared without case), else "".
std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// "did you mean 'x'?" or "" when nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);
/// The first `count` lines, with "…" when cut.
std::string first_lines(std::string_view text, std::size_t count);
bool starts_with_no_case(std::string_view text, std::string_view prefix);
std::string lower(std::string_view text);

/// 128-bit FNV-1a style hash as 32 hex digits; for keys, not for security.
std::string content_hash(std::string_view text);

/// Whole file as bytes. Throws Error(bad_input) naming `path` (and `what`, e.g. "kernel source").
std::string read_file(const std::string& path, std::string_view what);

}  // namespace wattune::base
