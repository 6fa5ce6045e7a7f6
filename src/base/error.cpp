#include "wattune/error.hpp"

namespace wattune {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_string(problem);
  }
  return text;
}

}  // namespace

std::string to_string(const Problem& problem) {
  std::string text;
  if (!problem.where.empty()) text += problem.where + ": ";
  text += problem.message;
  if (!problem.hint.empty()) text += " (" + problem.hint + ")";
  return text;
}

Error::Error(ExitCode code, std::string message, std::string where, std::string hint)
    : Error(code, std::vector<Problem>{{std::move(where), std::move(message), std::move(hint)}}) {}

Error::Error(ExitCode code, std::vector<Problem> problems)
    : std::runtime_error(joined(problems)), code_(code), problems_(std::move(problems)) {}

}  // namespace wattune
