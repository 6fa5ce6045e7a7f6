// Expressions that give lists (parameter values, sizes of T1 files): a tree walk, used once per file, never in a
// search.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "expr/program.hpp"
#include "expr/syntax.hpp"
#include "wattune/error.hpp"
#include "wattune/expression.hpp"

namespace wattune {
namespace {

using expr::Node;
using expr::NodePtr;

/// A value or a list of items.
struct Item {
  bool is_list = false;
  Value value;
  std::vector<Item> items;
};

Item single(Value value) {
  return {false, std::move(value), {}};
}
Item list_of(std::vector<Item> items) {
  return {true, {}, std::move(items)};
}

class Walker {
 public:
  Walker(std::string_view text, std::span<const NamedValues> environment, const std::string& origin, std::size_t limit)
      : text_(text), origin_(origin), limit_(limit) {
    for (const NamedValues& named : environment) {
      std::vector<Item> items;
      for (const Value& value : named.values) items.push_back(single(value));
      scope_.emplace_back(named.name, named.is_list ? list_of(std::move(items)) : items.front());
    }
  }

  Item visit(const Node& node) {
    if (++steps_ > step_limit) fault(node, "the expression takes too long to evaluate");
    switch (node.kind) {
      case Node::Kind::literal:
        return single(node.value);
      case Node::Kind::name:
        return name(node);
      case Node::Kind::negate:
        return single(checked(node, expr::negate(scalar(node, value_of(*node.children[0])))));
      case Node::Kind::positive:
        return visit(*node.children[0]);
      case Node::Kind::logical_not:
        return single(!truthy(visit(*node.children[0])));
      case Node::Kind::binary:
        return arithmetic(node);
      case Node::Kind::logical_and:
        return chain(node, false);
      case Node::Kind::logical_or:
        return chain(node, true);
      case Node::Kind::comparison:
        return comparison(node);
      case Node::Kind::conditional:
        return visit(*node.children[truthy(visit(*node.children[0])) ? 1 : 2]);
      case Node::Kind::call:
        return call(node);
      case Node::Kind::list: {
        std::vector<Item> items;
        for (const NodePtr& child : node.children) items.push_back(visit(*child));
        return list_of(std::move(items));
      }
      case Node::Kind::comprehension:
        return comprehension(node);
      case Node::Kind::index:
        return index(node);
    }
    return {};
  }

  [[noreturn]] void fault(const Node& node, const std::string& message, const std::string& hint = {}) const {
    expr::fault(text_, node.position, origin_, message, hint);
  }

 private:
  static constexpr std::size_t step_limit = 50'000'000;

  /// Text is kept alive until the walk ends, since a Scalar only refers to it.
  Scalar scalar(const Node& node, const Item& item) {
    if (item.is_list) fault(node, "a list where a number is wanted");
    if (!item.value.is_text()) return Scalar::of(item.value);
    texts_.push_back(item.value.as_text());
    return Scalar::of(texts_.back());
  }

  Item value_of(const Node& node) { return visit(node); }

  Value checked(const Node& node, const Evaluation& result) const {
    if (!result.ok()) fault(node, std::string(to_string(result.error)));
    return result.value.to_value();
  }

  static bool truthy(const Item& item) { return item.is_list ? !item.items.empty() : item.value.truthy(); }

  static bool same(const Item& a, const Item& b) {
    if (a.is_list != b.is_list) return false;
    if (!a.is_list) return a.value == b.value;
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same);
  }

  Item name(const Node& node) {
    for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
      if (entry->first == node.text) return entry->second;
    }
    std::vector<std::string> known;
    for (const auto& entry : scope_) known.push_back(entry.first);
    fault(node, "unknown name '" + node.text + "'", base::did_you_mean(node.text, known));
  }

  Item chain(const Node& node, bool stop_at) {
    Item item;
    for (const NodePtr& child : node.children) {
      item = visit(*child);
      if (truthy(item) == stop_at) return item;
    }
    return item;
  }

  Item arithmetic(const Node& node) {
    Item left = visit(*node.children[0]);
    Item right = visit(*node.children[1]);
    if (node.binary == expr::Binary::add && left.is_list && right.is_list) {
      left.items.insert(left.items.end(), right.items.begin(), right.items.end());
      return left;
    }
    if (node.binary == expr::Binary::multiply && left.is_list != right.is_list) {
      if (!left.is_list) std::swap(left, right);
      if (!right.value.is_integer() && !right.value.is_boolean())
        fault(node, "a list is repeated a whole number of times");
      const std::int64_t times = std::max<std::int64_t>(0, right.value.as_integer());
      if (static_cast<double>(times) * static_cast<double>(left.items.size()) > static_cast<double>(limit_))
        fault(node, "the list is too long");
      std::vector<Item> items;
      for (std::int64_t i = 0; i < times; ++i) items.insert(items.end(), left.items.begin(), left.items.end());
      return list_of(std::move(items));
    }
    if (node.binary == expr::Binary::add && !left.is_list && !right.is_list && left.value.is_text() &&
        right.value.is_text()) {
      return single(left.value.as_text() + right.value.as_text());
    }
    return single(checked(node, expr::binary(node.binary, scalar(node, left), scalar(node, right))));
  }

  Item comparison(const Node& node) {
    Item left = visit(*node.children[0]);
    for (std::size_t i = 0; i < node.relations.size(); ++i) {
      Item right = visit(*node.children[i + 1]);
      if (!holds(node, node.relations[i], left, right)) return single(false);
      left = std::move(right);
    }
    return single(true);
  }

  bool holds(const Node& node, Node::Relation relation, const Item& left, const Item& right) {
    using Relation = Node::Relation;
    if (relation == Relation::in || relation == Relation::not_in) {
      bool found = false;
      if (right.is_list) {
        found = std::any_of(right.items.begin(), right.items.end(), [&](const Item& item) { return same(item, left); });
      } else if (right.value.is_text() && !left.is_list && left.value.is_text()) {
        found = right.value.as_text().find(left.value.as_text()) != std::string::npos;
      } else {
        fault(node, "`in` needs a list on its right");
      }
      return found == (relation == Relation::in);
    }
    if (left.is_list || right.is_list) {
      if (relation == Relation::equal) return same(left, right);
      if (relation == Relation::unequal) return !same(left, right);
      fault(node, "lists have no order here");
    }
    return checked(node, expr::compare(static_cast<expr::Compare>(relation), scalar(node, left), scalar(node, right)))
        .truthy();
  }

  Item index(const Node& node) {
    const Item whole = visit(*node.children[0]);
    const Item position = visit(*node.children[1]);
    if (!whole.is_list) fault(node, "only a list has elements");
    if (position.is_list || !(position.value.is_integer() || position.value.is_boolean()))
      fault(node, "an index is a whole number");
    const auto size = static_cast<std::int64_t>(whole.items.size());
    std::int64_t at = position.value.as_integer();
    if (at < 0) at += size;
    if (at < 0 || at >= size) fault(node, "the index is outside the list of " + std::to_string(size));
    return whole.items[static_cast<std::size_t>(at)];
  }

  Item comprehension(const Node& node) {
    std::vector<Item> items;
    loop(node, 0, items);
    return list_of(std::move(items));
  }

  void loop(const Node& node, std::size_t depth, std::vector<Item>& items) {
    if (depth == node.loops.size()) {
      if (items.size() >= limit_) fault(node, "the list is too long");
      items.push_back(visit(*node.children[0]));
      return;
    }
    const expr::Loop& current = node.loops[depth];
    const Item range = visit(*current.iterable);
    if (!range.is_list) fault(*current.iterable, "a list or range is wanted after 'in'");
    for (const Item& item : range.items) {
      scope_.emplace_back(current.target, item);
      bool keep = true;
      for (const NodePtr& condition : current.conditions) keep = keep && truthy(visit(*condition));
      if (keep) loop(node, depth + 1, items);
      scope_.pop_back();
    }
  }

  Item range(const Node& node, const std::vector<Item>& arguments) {
    std::vector<std::int64_t> numbers;
    for (const Item& argument : arguments) {
      if (argument.is_list || !(argument.value.is_integer() || argument.value.is_boolean()))
        fault(node, "range() takes whole numbers");
      numbers.push_back(argument.value.as_integer());
    }
    if (numbers.empty() || numbers.size() > 3) fault(node, "range() takes 1 to 3 arguments");
    const std::int64_t begin = numbers.size() == 1 ? 0 : numbers[0];
    const std::int64_t end = numbers.size() == 1 ? numbers[0] : numbers[1];
    const std::int64_t step = numbers.size() == 3 ? numbers[2] : 1;
    if (step == 0) fault(node, "range() needs a step other than 0");
    const long double count =
        (static_cast<long double>(end) - static_cast<long double>(begin)) / static_cast<long double>(step);
    if (count > static_cast<long double>(limit_)) fault(node, "the list is too long");
    std::vector<Item> items;
    const auto length = count > 0 ? static_cast<std::int64_t>(std::ceil(count)) : 0;
    for (std::int64_t i = 0; i < length; ++i) items.push_back(single(begin + i * step));
    return list_of(std::move(items));
  }

  Item call(const Node& node) {
    std::vector<Item> arguments;
    for (const NodePtr& child : node.children) arguments.push_back(visit(*child));
    if (node.text == "range") return range(node, arguments);
    if (node.text == "list" || node.text == "tuple" || node.text == "sorted") {
      if (arguments.size() != 1 || !arguments[0].is_list) fault(node, node.text + "() takes one list");
      if (node.text == "sorted") sort(node, arguments[0].items);
      return arguments[0];
    }
    if (node.text == "str" && arguments.size() == 1 && !arguments[0].is_list)
      return single(to_string(arguments[0].value));
    const expr::FunctionRow* row = expr::find_function(node.text);
    if (row == nullptr) {
      std::vector<std::string> known = expr::function_names();
      known.insert(known.end(), {"range", "list", "tuple", "sorted", "str"});
      fault(node, "unknown function '" + node.text + "'", base::did_you_mean(node.text, known));
    }
    const bool spread = row->takes_list && arguments.size() == 1 && arguments[0].is_list;
    if (spread && row->function == expr::Function::length)
      return single(static_cast<std::int64_t>(arguments[0].items.size()));
    if (spread) arguments = std::vector<Item>(arguments[0].items);
    if (row->function == expr::Function::sum && spread && arguments.empty()) return single(0);
    const auto count = static_cast<int>(arguments.size());
    if (count < row->least || (!spread && count > row->most))
      fault(node, "wrong number of arguments for " + node.text + "()");
    std::vector<Scalar> scalars;
    for (const Item& argument : arguments) scalars.push_back(scalar(node, argument));
    return single(checked(node, expr::call(row->function, scalars)));
  }

  void sort(const Node& node, std::vector<Item>& items) {
    for (const Item& item : items) {
      if (item.is_list || item.value.is_text() != items.front().value.is_text())
        fault(node, "sorted() needs values of one kind");
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return expr::compare(expr::Compare::less, Scalar::of(a.value), Scalar::of(b.value)).value.boolean;
    });
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t limit_;
  std::size_t steps_ = 0;
  std::vector<std::pair<std::string, Item>> scope_;
  std::deque<std::string> texts_;
};

void collect_names(const Node& node, std::vector<std::string>& bound, std::vector<std::string>& names) {
  const auto add = [&](const std::string& name) {
    if (std::find(bound.begin(), bound.end(), name) == bound.end() &&
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  if (node.kind == Node::Kind::name) add(node.text);
  const std::size_t outer = bound.size();
  for (const expr::Loop& loop : node.loops) {
    collect_names(*loop.iterable, bound, names);
    bound.push_back(loop.target);
    for (const NodePtr& condition : loop.conditions) collect_names(*condition, bound, names);
  }
  for (const NodePtr& child : node.children) collect_names(*child, bound, names);
  bound.resize(outer);
}

}  // namespace

std::vector<Value> evaluate_list(std::string_view text, std::span<const NamedValues> environment,
                                 const ExpressionOrigin& origin, std::size_t limit) {
  const NodePtr root = expr::parse(text, origin);
  Walker walker(text, environment, origin, limit);
  const Item result = walker.visit(*root);
  if (!result.is_list) return {result.value};
  std::vector<Value> values;
  for (const Item& item : result.items) {
    if (item.is_list) walker.fault(*root, "a list of lists where plain values are wanted");
    values.push_back(item.value);
  }
  return values;
}

Value evaluate_value(std::string_view text, std::span<const NamedValues> environment, const ExpressionOrigin& origin) {
  const NodePtr root = expr::parse(text, origin);
  Walker walker(text, environment, origin, 1U << 24U);
  const Item result = walker.visit(*root);
  if (result.is_list) walker.fault(*root, "a list where one value is wanted");
  return result.value;
}

std::vector<std::string> names_in(std::string_view text, const ExpressionOrigin& origin) {
  std::vector<std::string> bound;
  std::vector<std::string> names;
  collect_names(*expr::parse(text, origin), bound, names);
  return names;
}

}  // namespace wattune
