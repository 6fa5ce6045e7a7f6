// Replaces the parts of a tree that have no variables by their values, so that a constraint may contain anything that
// evaluates to a constant (`x in range(32, 1025, 32)`, `12*1024`) and pays for it once.
#include <algorithm>

#include "expr/syntax.hpp"
#include "expr/walker.hpp"
#include "wattune/error.hpp"

namespace wattune::expr {
namespace {

/// Longer constant lists stay as they are, and are refused where a constraint would scan them row after row.
constexpr WalkLimits fold_limits{.list = 1U << 14U, .items = 1U << 18U, .steps = 1U << 18U};

NodePtr node_of(Item item, std::size_t position) {
  auto node = std::make_unique<Node>();
  node->position = position;
  node->kind = item.is_list ? Node::Kind::list : Node::Kind::literal;
  node->value = std::move(item.value);
  for (Item& inner : item.items) node->children.push_back(node_of(std::move(inner), position));
  return node;
}

/// True when the node is a value now: it has no variables and nothing in it fails.
bool fold_node(NodePtr& node) {
  bool constant = true;
  if (node->kind == Node::Kind::comprehension) {
    constant = names_of(*node).empty();
  } else {
    for (NodePtr& child : node->children) constant = fold_node(child) && constant;
  }
  if (!constant || node->kind == Node::Kind::name) return false;
  if (node->kind == Node::Kind::literal || node->kind == Node::Kind::list) return true;
  const std::string nowhere;
  try {
    node = node_of(Walker({}, {}, nowhere, fold_limits).visit(*node), node->position);
  } catch (const Error&) {
    return false;  // it fails when it is evaluated, which a short circuit may prevent
  }
  return true;
}

void collect_names(const Node& node, std::vector<std::string>& bound, std::vector<std::string>& names) {
  const auto has = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), node.text) != list.end();
  };
  if (node.kind == Node::Kind::name && !has(bound) && !has(names)) names.push_back(node.text);
  const std::size_t outer = bound.size();
  for (const Loop& loop : node.loops) {
    collect_names(*loop.iterable, bound, names);
    bound.push_back(loop.target);
    for (const NodePtr& condition : loop.conditions) collect_names(*condition, bound, names);
  }
  for (const NodePtr& child : node.children) collect_names(*child, bound, names);
  bound.resize(outer);
}

}  // namespace

NodePtr fold(NodePtr root) {
  fold_node(root);
  return root;
}

std::vector<std::string> names_of(const Node& root) {
  std::vector<std::string> bound;
  std::vector<std::string> names;
  collect_names(root, bound, names);
  return names;
}

bool is_constant_list(const Node& node) {
  return node.kind == Node::Kind::list &&
         std::all_of(node.children.begin(), node.children.end(),
                     [](const NodePtr& child) { return child->kind == Node::Kind::literal; });
}

}  // namespace wattune::expr
