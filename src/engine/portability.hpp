// What makes one kernel source compile on every engine: the portability header pasted in, definitions at the top, and
// the language told from the text. Line numbers in compilers' messages stay those of the user's file.
// It looks at text only: no preprocessor, so an #include inside `#if 0` counts as one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wattune/spec.hpp"

namespace wattune::engine {

/// The text of share/wattune/portable.h, as built in.
std::string_view portable_header();

/// The language of a kernel source: `portable` when it includes wattune/portable.h, `cuda` with __global__, `opencl`
/// with __kernel or a `kernel` qualifier; `automatic` when the text tells nothing. Comments and strings are skipped.
Language detect_language(std::string_view source);

/// `source` with its first #include of wattune/portable.h replaced by the header's text; further ones are blanked. A
/// #line directive after it names `source_name` (may be empty) and the line that follows.
std::string paste_portable_header(std::string_view source, std::string_view source_name);

/// `#define` lines for `definitions` put before `source`, followed by a #line directive for line 1 of `source_name`.
std::string paste_definitions(std::string_view source, std::string_view source_name,
                              std::span<const std::pair<std::string, std::string>> definitions);

}  // namespace wattune::engine
