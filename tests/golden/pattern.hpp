// Lines of expected output with named holes, as in tests/golden/*.out: {number}, {integer}, {time}, {path}, {any}, and
// a line {lines} that stands for any number of lines. Everything else is literal; a brace that opens no known hole too.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wattune::golden {

/// Does `line` match `pattern` as a whole?
bool matches_line(const std::string& pattern, const std::string& line);

/// Where `output` leaves `expected`: 0-based position in `expected` of the line that could not be matched on the way
/// that matched most, or nothing when all of it matches.
struct Mismatch {
  std::size_t pattern_line = 0;
  std::size_t output_line = 0;
};
std::optional<Mismatch> first_mismatch(const std::vector<std::string>& expected,
                                       const std::vector<std::string>& output);

}  // namespace wattune::golden
