// Patterns of names and paths, as shells have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattune::io {

/// Whether all of `text` matches: `*` any characters, `?` one, `[abc]` and `[a-c]` one of them.
bool matches_glob(std::string_view pattern, std::string_view text);

/// Whether the end of `path` matches, component by component: "a/*.csv" matches "/data/a/x.csv", and no `*` goes across
/// a slash.
bool matches_path(std::string_view pattern, std::string_view path);

/// The files among `inputs`, and below those that are directories, in the order of their names.
std::vector<std::string> files_below(const std::vector<std::string>& inputs);

}  // namespace wattune::io
