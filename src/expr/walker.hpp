// Evaluates a syntax tree where lists may stand: parameter values, sizes of T1 files, constant parts of constraints.
// Used once per file, never in a search. Refuses what would take too long or too much memory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/scalar_ops.hpp"
#include "expr/syntax.hpp"
#include "wattune/expression.hpp"

namespace wattune::expr {

/// A value or a list of items.
struct Item {
  bool is_list = false;
  Value value;
  std::vector<Item> items;
};

/// How much one evaluation may use.
struct WalkLimits {
  std::size_t list = 1U << 20U;     ///< longest list
  std::size_t items = 1U << 23U;    ///< all list elements made, intermediate ones included
  std::size_t steps = 20'000'000U;  ///< nodes visited
};

class Walker {
 public:
  Walker(std::string_view text, std::span<const NamedValues> environment, const std::string& origin, WalkLimits limits);

  /// Throws Error(bad_input) with a caret.
  Item visit(const Node& node);
  [[noreturn]] void fault(const Node& node, const std::string& message, const std::string& hint = {}) const;

 private:
  void charge(const Node& node, std::size_t items);
  Item list_of(const Node& node, std::vector<Item> items);
  Scalar scalar(const Node& node, const Item& item) const;
  [[nodiscard]] Item checked(const Node& node, const Evaluation& result) const;
  Item copy(const Node& node, const Item& item);
  const Item& lookup(const Node& node) const;
  Item chain(const Node& node, bool stop_at);
  Item arithmetic(const Node& node);
  Item repeat(const Node& node, const Item& list, const Item& times);
  Item comparison(const Node& node);
  bool holds(const Node& node, Node::Relation relation, const Item& left, const Item& right);
  Item index(const Node& node);
  void loop(const Node& node, std::size_t depth, std::vector<Item>& items);
  Item range(const Node& node, const std::vector<Item>& arguments);
  Item call(const Node& node);
  void sort(const Node& node, std::vector<Item>& items) const;

  std::string_view text_;
  const std::string& origin_;
  WalkLimits limits_;
  std::size_t steps_ = 0;
  std::size_t items_ = 0;
  std::vector<std::pair<std::string, Item>> scope_;
};

}  // namespace wattune::expr
