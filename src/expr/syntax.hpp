// Syntax tree of an expression, the parser that makes it (one function a level of Python's grammar), and the folding of
// its constant parts. Refuses everything that could do more than compute: attributes, calls of unknown functions,
// assignments, lambdas; and trees so deep or large that walking them could exhaust the stack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expr/scalar_ops.hpp"
#include "wattune/value.hpp"

namespace wattune::expr {

struct Node;
using NodePtr = std::unique_ptr<Node>;

/// One `for target in iterable if condition …` of a comprehension.
struct Loop {
  std::string target;
  NodePtr iterable;
  std::vector<NodePtr> conditions;
};

struct Node {
  enum class Kind : std::uint8_t {
    literal,   ///< value
    name,      ///< text
    negate,    ///< -child
    positive,  ///< +child
    logical_not,
    binary,       ///< binary op
    logical_and,  ///< all children, left to right
    logical_or,
    comparison,     ///< children[0] ops[0] children[1] ops[1] …
    conditional,    ///< children: condition, then, else
    call,           ///< text = function, children = arguments
    list,           ///< [ … ] or ( … , ), not told apart
    comprehension,  ///< children[0] = element, loops
    index,          ///< children[0][children[1]]
  };
  enum class Relation : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal, in, not_in };

  Kind kind = Kind::literal;
  std::size_t position = 0;  ///< byte offset in the text, for messages
  Value value;
  std::string text;
  Binary binary = Binary::add;
  std::vector<Relation> relations;
  std::vector<NodePtr> children;
  std::vector<Loop> loops;
};

/// A written-out list of plain values.
bool is_constant_list(const Node& node);

/// Throws Error(bad_input) with a caret under the offending place.
NodePtr parse(std::string_view text, const std::string& origin);

/// The tree with every part that has no variables replaced by its value (a literal, or a list of literals); a part
/// whose evaluation fails stays, since a short circuit may never reach it.
NodePtr fold(NodePtr root);

/// Names that the tree reads from outside, in order of first use.
std::vector<std::string> names_of(const Node& root);

/// Error(bad_input) for a place in an expression: the message, the text, and a caret under `position`.
[[noreturn]] void fault(std::string_view text, std::size_t position, const std::string& origin,
                        const std::string& message, const std::string& hint = {});

}  // namespace wattune::expr
