// Expressions evaluated once, where lists may stand, and the names that an expression reads.
#include <algorithm>

#include "expr/syntax.hpp"
#include "expr/walker.hpp"
#include "wattune/expression.hpp"

namespace wattune {
namespace {

using expr::Item;
using expr::NodePtr;

}  // namespace

std::vector<Value> evaluate_list(std::string_view text, std::span<const NamedValues> environment,
                                 const ExpressionOrigin& origin, std::size_t limit) {
  const NodePtr root = expr::parse(text, origin);
  expr::WalkLimits limits;
  limits.list = limit;
  expr::Walker walker(text, environment, origin, limits);
  Item result = walker.visit(*root);
  if (!result.is_list) return {std::move(result.value)};
  std::vector<Value> values;
  values.reserve(result.items.size());
  for (Item& item : result.items) {
    if (item.is_list) walker.fault(*root, "a list of lists where plain values are wanted");
    values.push_back(std::move(item.value));
  }
  return values;
}

Value evaluate_value(std::string_view text, std::span<const NamedValues> environment, const ExpressionOrigin& origin) {
  const NodePtr root = expr::parse(text, origin);
  expr::Walker walker(text, environment, origin, {});
  const Item result = walker.visit(*root);
  if (result.is_list) walker.fault(*root, "a list where one value is wanted");
  return result.value;
}

std::vector<std::string> names_in(std::string_view text, const ExpressionOrigin& origin) {
  return expr::names_of(*expr::parse(text, origin));
}

}  // namespace wattune
