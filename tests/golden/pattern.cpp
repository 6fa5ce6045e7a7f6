#include "pattern.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <utility>

namespace wattune::golden {
namespace {

constexpr std::string_view any_lines = "{lines}";

/// Hole and the ECMAScript expression that it stands for. Digits are ASCII with a point: output must not depend on the
/// user's locale; thousands are grouped by commas.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> holes{{
    {"{number}", R"(-?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)"},
    {"{integer}", R"(-?[0-9][0-9,]*)"},
    {"{time}", R"((?:[0-9]+ (?:h|min) )?[0-9]+(?:\.[0-9]+)? (?:ns|us|µs|ms|s|min|h))"},
    {"{path}", R"([^\s:"]+)"},
    {"{any}", R"(.*)"},
}};

std::string to_regex(std::string_view pattern) {
  std::string expression;
  while (!pattern.empty()) {
    const auto* const hole =
        std::ranges::find_if(holes, [&](const auto& candidate) { return pattern.starts_with(candidate.first); });
    if (hole != holes.end()) {
      expression += hole->second;
      pattern.remove_prefix(hole->first.size());
      continue;
    }
    if (std::string_view("\\^$.|?*+()[]{}").find(pattern.front()) != std::string_view::npos) expression += '\\';
    expression += pattern.front();
    pattern.remove_prefix(1);
  }
  return expression;
}

}  // namespace

bool matches_line(const std::string& pattern, const std::string& line) {
  return std::regex_match(line, std::regex(to_regex(pattern)));
}

std::optional<Mismatch> first_mismatch(const std::vector<std::string>& expected,
                                       const std::vector<std::string>& output) {
  // reach[o]: the lines of `expected` so far can stand for the first `o` lines of `output`.
  std::vector<bool> reach(output.size() + 1, false);
  reach[0] = true;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    std::vector<bool> next(output.size() + 1, false);
    std::size_t furthest = 0;
    for (std::size_t o = 0; o <= output.size(); ++o) {
      if (!reach[o]) continue;
      furthest = o;
      if (expected[e] == any_lines) {
        std::fill(next.begin() + static_cast<std::ptrdiff_t>(o), next.end(), true);
      } else if (o < output.size() && matches_line(expected[e], output[o])) {
        next[o + 1] = true;
      }
    }
    if (std::ranges::find(next, true) == next.end()) return Mismatch{e, furthest};
    reach = std::move(next);
  }
  if (reach[output.size()]) return std::nullopt;
  const auto last = std::ranges::find(reach.rbegin(), reach.rend(), true);
  return Mismatch{expected.size(), static_cast<std::size_t>(reach.rend() - last) - 1};
}

}  // namespace wattune::golden
