#include "expr/walker.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "expr/program.hpp"

namespace wattune::expr {
namespace {

Item single(Value value) {
  return {false, std::move(value), {}};
}

bool truthy(const Item& item) {
  return item.is_list ? !item.items.empty() : item.value.truthy();
}

bool whole(const Item& item) {
  return !item.is_list && (item.value.is_integer() || item.value.is_boolean());
}

bool same(const Item& a, const Item& b) {
  if (a.is_list != b.is_list) return false;
  if (!a.is_list) return a.value == b.value;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same);
}

/// Number of values that a copy of the item makes.
std::size_t weight(const Item& item) {
  std::size_t total = 1;
  for (const Item& inner : item.items) total += inner.is_list ? weight(inner) : 1;
  return total;
}

}  // namespace

Walker::Walker(std::string_view text, std::span<const NamedValues> environment, const std::string& origin,
               WalkLimits limits)
    : text_(text), origin_(origin), limits_(limits) {
  for (const NamedValues& named : environment) {
    Item item;
    item.is_list = named.is_list;
    if (named.is_list) {
      for (const Value& value : named.values) item.items.push_back(single(value));
    } else if (!named.values.empty()) {
      item.value = named.values.front();
    }
    scope_.emplace_back(named.name, std::move(item));
  }
}

Item Walker::visit(const Node& node) {
  if (++steps_ > limits_.steps) fault(node, "the expression takes too long to evaluate");
  switch (node.kind) {
    case Node::Kind::literal:
      return single(node.value);
    case Node::Kind::name:
      return copy(node, lookup(node));
    case Node::Kind::negate:
    case Node::Kind::positive: {
      const Item operand = visit(*node.children[0]);
      const Scalar value = scalar(*node.children[0], operand);
      return checked(node, node.kind == Node::Kind::negate ? negate(value) : positive(value));
    }
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
      return list_of(node, std::move(items));
    }
    case Node::Kind::comprehension: {
      std::vector<Item> items;
      loop(node, 0, items);
      return list_of(node, std::move(items));
    }
    case Node::Kind::index:
      return index(node);
  }
  return {};
}

void Walker::fault(const Node& node, const std::string& message, const std::string& hint) const {
  expr::fault(text_, node.position, origin_, message, hint);
}

void Walker::charge(const Node& node, std::size_t items) {
  items_ += items;
  if (items_ > limits_.items) fault(node, "the expression makes too many list elements");
}

Item Walker::list_of(const Node& node, std::vector<Item> items) {
  if (items.size() > limits_.list) fault(node, "the list is too long");
  charge(node, items.size());
  return {true, {}, std::move(items)};
}

Scalar Walker::scalar(const Node& node, const Item& item) const {
  if (item.is_list) fault(node, "a list where a number is wanted");
  return Scalar::of(item.value);
}

Item Walker::checked(const Node& node, const Evaluation& result) const {
  if (!result.ok()) fault(node, std::string(to_string(result.error)));
  return single(result.value.to_value());
}

Item Walker::copy(const Node& node, const Item& item) {
  charge(node, weight(item));
  return item;
}

const Item& Walker::lookup(const Node& node) const {
  for (auto entry = scope_.rbegin(); entry != scope_.rend(); ++entry) {
    if (entry->first == node.text) return entry->second;
  }
  if (find_function(node.text) != nullptr) fault(node, "'" + node.text + "' is a function and needs arguments");
  std::vector<std::string> known;
  for (const auto& entry : scope_) known.push_back(entry.first);
  fault(node, "unknown name '" + node.text + "'", base::did_you_mean(node.text, known));
}

Item Walker::chain(const Node& node, bool stop_at) {
  Item item;
  for (const NodePtr& child : node.children) {
    item = visit(*child);
    if (truthy(item) == stop_at) return item;
  }
  return item;
}

Item Walker::arithmetic(const Node& node) {
  Item left = visit(*node.children[0]);
  Item right = visit(*node.children[1]);
  if (node.binary == Binary::add && left.is_list && right.is_list) {
    std::move(right.items.begin(), right.items.end(), std::back_inserter(left.items));
    return list_of(node, std::move(left.items));
  }
  if (node.binary == Binary::multiply && left.is_list != right.is_list)
    return left.is_list ? repeat(node, left, right) : repeat(node, right, left);
  const Scalar a = scalar(*node.children[0], left);
  const Scalar b = scalar(*node.children[1], right);
  if (!is_text(a) && !is_text(b)) return checked(node, binary(node.binary, a, b));
  TextStore store;
  return checked(node, text_binary(node.binary, a, b, store));
}

Item Walker::repeat(const Node& node, const Item& list, const Item& times) {
  if (!whole(times)) fault(node, "a list is repeated a whole number of times");
  const std::int64_t count = std::max<std::int64_t>(0, times.value.as_integer());
  if (list.items.empty()) return list_of(node, {});
  if (count > static_cast<std::int64_t>(limits_.list / list.items.size())) fault(node, "the list is too long");
  charge(node, weight(list) * static_cast<std::size_t>(count));
  std::vector<Item> items;
  items.reserve(list.items.size() * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.insert(items.end(), list.items.begin(), list.items.end());
  return list_of(node, std::move(items));
}

Item Walker::comparison(const Node& node) {
  Item left = visit(*node.children[0]);
  for (std::size_t i = 0; i < node.relations.size(); ++i) {
    Item right = visit(*node.children[i + 1]);
    if (!holds(node, node.relations[i], left, right)) return single(false);
    left = std::move(right);
  }
  return single(true);
}

bool Walker::holds(const Node& node, Node::Relation relation, const Item& left, const Item& right) {
  using Relation = Node::Relation;
  if (relation == Relation::in || relation == Relation::not_in) {
    bool found = false;
    if (right.is_list) {
      steps_ += right.items.size();
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
  return checked(node, compare(static_cast<Compare>(relation), scalar(node, left), scalar(node, right))).value.truthy();
}

Item Walker::index(const Node& node) {
  const Node& list = *node.children[0];
  // A named list is read in place: sizes such as ProblemSize[0] stand in loops.
  Item made;
  if (list.kind != Node::Kind::name) made = visit(list);
  const Item& whole_list = list.kind == Node::Kind::name ? lookup(list) : made;
  if (!whole_list.is_list) fault(node, "only a list has elements");
  const Item position = visit(*node.children[1]);
  if (!whole(position)) fault(*node.children[1], "an index is a whole number");
  const auto size = static_cast<std::int64_t>(whole_list.items.size());
  std::int64_t at = position.value.as_integer();
  if (at < 0) at += size;
  if (at < 0 || at >= size) fault(node, "the index is outside the list of " + std::to_string(size));
  return copy(node, whole_list.items[static_cast<std::size_t>(at)]);
}

void Walker::loop(const Node& node, std::size_t depth, std::vector<Item>& items) {
  if (depth == node.loops.size()) {
    if (items.size() >= limits_.list) fault(node, "the list is too long");
    items.push_back(visit(*node.children[0]));
    return;
  }
  const Loop& current = node.loops[depth];
  Item range = visit(*current.iterable);
  if (!range.is_list) fault(*current.iterable, "a list or range is wanted after 'in'");
  for (Item& item : range.items) {
    scope_.emplace_back(current.target, std::move(item));
    const bool keep = std::all_of(current.conditions.begin(), current.conditions.end(),
                                  [&](const NodePtr& condition) { return truthy(visit(*condition)); });
    if (keep) loop(node, depth + 1, items);
    scope_.pop_back();
  }
}

Item Walker::range(const Node& node, const std::vector<Item>& arguments) {
  std::vector<std::int64_t> numbers;
  for (const Item& argument : arguments) {
    if (!whole(argument)) fault(node, "range() takes whole numbers");
    numbers.push_back(argument.value.as_integer());
  }
  if (numbers.empty() || numbers.size() > 3) fault(node, "range() takes 1 to 3 arguments");
  const std::int64_t begin = numbers.size() == 1 ? 0 : numbers[0];
  const std::int64_t end = numbers.size() == 1 ? numbers[0] : numbers[1];
  const std::int64_t step = numbers.size() == 3 ? numbers[2] : 1;
  if (step == 0) fault(node, "range() needs a step other than 0");
  if (step > 0 ? begin >= end : begin <= end) return list_of(node, {});
  // The distance of two 64-bit integers needs 64 bits without sign, and so does -step.
  const std::uint64_t distance = step > 0 ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin)
                                          : static_cast<std::uint64_t>(begin) - static_cast<std::uint64_t>(end);
  const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  const std::uint64_t length = (distance - 1) / stride + 1;
  if (length > limits_.list) fault(node, "the list is too long");
  std::vector<Item> items;
  for (std::uint64_t i = 0; i < length; ++i) items.push_back(single(begin + static_cast<std::int64_t>(i) * step));
  return list_of(node, std::move(items));
}

Item Walker::call(const Node& node) {
  std::vector<Item> arguments;
  for (const NodePtr& child : node.children) arguments.push_back(visit(*child));
  if (node.text == "range") return range(node, arguments);
  if (node.text == "list" || node.text == "tuple" || node.text == "sorted") {
    if (arguments.size() != 1 || !arguments[0].is_list) fault(node, node.text + "() takes one list");
    if (node.text == "sorted") sort(node, arguments[0].items);
    return std::move(arguments[0]);
  }
  const FunctionRow* row = find_function(node.text);
  if (row == nullptr) unknown_function(node, text_, origin_);
  const bool spread = row->takes_list && arguments.size() == 1 && arguments[0].is_list;
  if (spread) {
    std::vector<Item> inner = std::move(arguments[0].items);
    arguments = std::move(inner);
  }
  check_arguments(node, *row, arguments.size(), spread, text_, origin_);
  if (spread && row->function == Function::length) return single(static_cast<std::int64_t>(arguments.size()));
  if (arguments.empty()) return single(0);  // sum([])
  std::vector<Scalar> scalars;
  for (const Item& argument : arguments) scalars.push_back(scalar(node, argument));
  TextStore store;
  return checked(node,
                 row->function == Function::text ? text_of(scalars[0], store) : expr::call(row->function, scalars));
}

void Walker::sort(const Node& node, std::vector<Item>& items) const {
  for (const Item& item : items) {
    if (item.is_list || item.value.is_text() != items.front().value.is_text())
      fault(node, "sorted() needs values of one kind");
    if (item.value.is_real() && std::isnan(item.value.as_number())) fault(node, "NaN has no place in an order");
  }
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return compare(Compare::less, Scalar::of(a.value), Scalar::of(b.value)).value.boolean;
  });
}

}  // namespace wattune::expr
