// The table of functions that expressions may call, and what is said about wrong calls.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "expr/program.hpp"

namespace wattune::expr {
namespace {

constexpr int any_number = 1 << 20;

constexpr std::array functions = {
    FunctionRow{"min", Function::minimum, 1, any_number, true},
    FunctionRow{"max", Function::maximum, 1, any_number, true},
    FunctionRow{"abs", Function::absolute, 1, 1, false},
    FunctionRow{"int", Function::integer, 1, 1, false},
    FunctionRow{"float", Function::real, 1, 1, false},
    FunctionRow{"bool", Function::boolean, 1, 1, false},
    FunctionRow{"str", Function::text, 1, 1, false},
    FunctionRow{"len", Function::length, 1, 1, true},
    FunctionRow{"sum", Function::sum, 1, 1, true},
    FunctionRow{"round", Function::round, 1, 2, false},
    FunctionRow{"ceil", Function::ceil, 1, 1, false},
    FunctionRow{"floor", Function::floor, 1, 1, false},
    FunctionRow{"sqrt", Function::sqrt, 1, 1, false},
    FunctionRow{"log", Function::log, 1, 2, false},
    FunctionRow{"log2", Function::log2, 1, 1, false},
    FunctionRow{"exp", Function::exp, 1, 1, false},
};

}  // namespace

const FunctionRow* find_function(std::string_view name) {
  for (const FunctionRow& row : functions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void unknown_function(const Node& node, std::string_view text, const std::string& origin) {
  static constexpr std::array<std::string_view, 4> of_lists = {"range", "list", "tuple", "sorted"};
  std::vector<std::string> known(of_lists.begin(), of_lists.end());
  for (const FunctionRow& row : functions) known.emplace_back(row.name);
  if (std::find(of_lists.begin(), of_lists.end(), node.text) != of_lists.end()) {
    fault(text, node.position, origin, node.text + "() with variables is not possible here",
          "lists go with `in`, min, max, sum, len and parameter values");
  }
  fault(text, node.position, origin, "unknown function '" + node.text + "'", base::did_you_mean(node.text, known));
}

void check_arguments(const Node& node, const FunctionRow& row, std::size_t count, bool spread, std::string_view text,
                     const std::string& origin) {
  const bool needs_list =
      row.function == Function::minimum || row.function == Function::maximum || row.function == Function::sum;
  const auto refuse = [&](const std::string& message) { fault(text, node.position, origin, node.text + message); };
  if (spread) {
    const bool may_be_empty = row.function == Function::sum || row.function == Function::length;
    if (count == 0 && !may_be_empty) refuse("() of an empty list has no value");
    return;
  }
  const auto least = static_cast<std::size_t>(row.least);
  const auto most = static_cast<std::size_t>(row.most);
  if (count < least || count > most) {
    const std::string wanted = row.most == any_number ? " or more" : row.most > row.least ? " or 2" : "";
    refuse("() takes " + std::to_string(least) + wanted + (most == 1 ? " argument" : " arguments") + ", not " +
           std::to_string(count));
  }
  if (needs_list && count == 1) refuse("() of one value needs a list");
}

}  // namespace wattune::expr
