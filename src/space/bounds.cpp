#include "space/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace wattune::space {
namespace {

using Kind = expr::Node::Kind;
using Relation = expr::Node::Relation;

/// Larger results are not trusted: integers are exact in Python and in doubles only below 2^53.
constexpr double trusted = 9007199254740992.0;

template <class Op>
void corners(double al, double ah, double bl, double bh, Op op, double& low, double& high) {
  const double all[] = {op(al, bl), op(al, bh), op(ah, bl), op(ah, bh)};
  low = *std::min_element(std::begin(all), std::end(all));
  high = *std::max_element(std::begin(all), std::end(all));
}

}  // namespace

Bounds::Bounds(const Model& model, const Rule& rule, const std::vector<Domain>& domains,
               std::span<const std::uint32_t> depth_of) {
  const expr::NodePtr tree = expr::parse(rule.expression.text(), rule.expression.origin());
  root_ = add(*tree, model, domains, depth_of);
}

std::uint32_t Bounds::add_name(const std::string& name, const Model& model, const std::vector<Domain>& domains,
                               std::span<const std::uint32_t> depth_of) {
  Term term{Kind::name};
  for (std::uint32_t p = 0; p < model.parameters.size(); ++p) {
    if (model.parameters[p].name != name) continue;
    const std::vector<double>& numbers = domains[p].numbers;
    if (numbers.empty()) return unknown;
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    term.range = {*low, *high};
    term.numbers = numbers.data();
    term.depth = depth_of[p];
    if (numbers.size() == 1) term.kind = Kind::literal;
    terms_.push_back(term);
    return static_cast<std::uint32_t>(terms_.size() - 1);
  }
  const std::size_t constant = static_cast<std::size_t>(
      std::find(model.constant_names.begin(), model.constant_names.end(), name) - model.constant_names.begin());
  if (constant == model.constant_names.size()) return unknown;
  const Scalar& value = model.slots[model.parameters.size() + constant];
  if (value.kind == Scalar::Kind::text || !(std::abs(value.as_number()) < trusted)) return unknown;
  term.kind = Kind::literal;
  term.range = {value.as_number(), value.as_number()};
  terms_.push_back(term);
  return static_cast<std::uint32_t>(terms_.size() - 1);
}

std::uint32_t Bounds::add(const expr::Node& node, const Model& model, const std::vector<Domain>& domains,
                          std::span<const std::uint32_t> depth_of) {
  if (node.kind == Kind::name) return add_name(node.text, model, domains, depth_of);
  if (node.kind == Kind::literal) {
    if (node.value.is_text() || !(std::abs(node.value.as_number()) < trusted)) return unknown;
    Term term{Kind::literal};
    term.range = {node.value.as_number(), node.value.as_number()};
    terms_.push_back(term);
    return static_cast<std::uint32_t>(terms_.size() - 1);
  }
  const bool extreme = node.kind == Kind::call && (node.text == "min" || node.text == "max");
  const bool handled = extreme || node.kind == Kind::negate || node.kind == Kind::positive ||
                       node.kind == Kind::logical_not || node.kind == Kind::binary || node.kind == Kind::logical_and ||
                       node.kind == Kind::logical_or || node.kind == Kind::comparison;
  if (!handled || (extreme && node.children.size() < 2)) return unknown;
  for (const Relation relation : node.relations) {
    if (relation == Relation::in || relation == Relation::not_in) return unknown;
  }
  std::vector<std::uint32_t> children;
  for (const expr::NodePtr& child : node.children) {
    children.push_back(add(*child, model, domains, depth_of));
    if (children.back() == unknown) return unknown;
  }
  return join(node, children);
}

/// Chains become binary: a < b < c is (a < b) and (b < c); min(a, b, c) is min(min(a, b), c).
std::uint32_t Bounds::join(const expr::Node& node, std::span<const std::uint32_t> children) {
  const auto push = [&](Term term) {
    terms_.push_back(term);
    return static_cast<std::uint32_t>(terms_.size() - 1);
  };
  Term term{node.kind, node.binary};
  term.minimum = node.text == "min";
  term.left = children[0];
  if (children.size() == 1) return push(term);
  std::uint32_t result = unknown;
  for (std::size_t i = 1; i < children.size(); ++i) {
    term.right = children[i];
    if (node.kind == Kind::comparison) {
      term.left = children[i - 1];
      term.relation = node.relations[i - 1];
      const std::uint32_t link = push(term);
      if (result == unknown) {
        result = link;
        continue;
      }
      Term both{Kind::logical_and};
      both.left = result;
      both.right = link;
      result = push(both);
    } else {
      result = push(term);
      term.left = result;
    }
  }
  return result;
}

bool Bounds::possible(const std::uint32_t* chosen, std::size_t depth) const {
  if (root_ == unknown) return true;
  bool unsure = false;
  const Truth result = truth(root_, chosen, depth, unsure);
  return unsure || result != Truth::no;
}

Bounds::Truth Bounds::truth(std::uint32_t at, const std::uint32_t* chosen, std::size_t depth, bool& unsure) const {
  const Term& term = terms_[at];
  switch (term.kind) {
    case Kind::logical_not: {
      const Truth inner = truth(term.left, chosen, depth, unsure);
      return inner == Truth::no ? Truth::yes : inner == Truth::yes ? Truth::no : Truth::maybe;
    }
    case Kind::logical_and:
      return std::min(truth(term.left, chosen, depth, unsure), truth(term.right, chosen, depth, unsure));
    case Kind::logical_or:
      return std::max(truth(term.left, chosen, depth, unsure), truth(term.right, chosen, depth, unsure));
    case Kind::comparison: {
      const Range a = range(term.left, chosen, depth, unsure);
      const Range b = range(term.right, chosen, depth, unsure);
      const auto less = [](const Range& x, const Range& y) {
        return x.high < y.low ? Truth::yes : x.low >= y.high ? Truth::no : Truth::maybe;
      };
      const auto less_equal = [](const Range& x, const Range& y) {
        return x.high <= y.low ? Truth::yes : x.low > y.high ? Truth::no : Truth::maybe;
      };
      const bool apart = a.high < b.low || b.high < a.low;
      const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
      switch (term.relation) {
        case Relation::less:
          return less(a, b);
        case Relation::less_equal:
          return less_equal(a, b);
        case Relation::greater:
          return less(b, a);
        case Relation::greater_equal:
          return less_equal(b, a);
        case Relation::equal:
          return apart ? Truth::no : same ? Truth::yes : Truth::maybe;
        default:
          return apart ? Truth::yes : same ? Truth::no : Truth::maybe;
      }
    }
    default: {
      const Range value = range(at, chosen, depth, unsure);
      if (value.low > 0.0 || value.high < 0.0) return Truth::yes;
      return value.low == 0.0 && value.high == 0.0 ? Truth::no : Truth::maybe;
    }
  }
}

Bounds::Range Bounds::range(std::uint32_t at, const std::uint32_t* chosen, std::size_t depth, bool& unsure) const {
  const Term& term = terms_[at];
  if (term.kind == Kind::literal) return term.range;
  if (term.kind == Kind::name) {
    if (term.depth > depth) return term.range;
    const double value = term.numbers[chosen[term.depth]];
    return {value, value};
  }
  if (term.kind == Kind::comparison || term.kind == Kind::logical_not) {
    const Truth known = truth(at, chosen, depth, unsure);
    return {known == Truth::yes ? 1.0 : 0.0, known == Truth::no ? 0.0 : 1.0};
  }
  if (term.kind == Kind::logical_and || term.kind == Kind::logical_or) {
    unsure = true;  // they return an operand, not a truth
    return {0.0, 0.0};
  }
  const Range a = range(term.left, chosen, depth, unsure);
  if (term.kind == Kind::negate) return {-a.high, -a.low};
  if (term.kind == Kind::positive) return a;
  const Range b = range(term.right, chosen, depth, unsure);
  Range r{0.0, 0.0};
  if (term.kind == Kind::call) {
    r = term.minimum ? Range{std::min(a.low, b.low), std::min(a.high, b.high)}
                     : Range{std::max(a.low, b.low), std::max(a.high, b.high)};
    return r;
  }
  const auto combine = [&](auto op) { corners(a.low, a.high, b.low, b.high, op, r.low, r.high); };
  switch (term.binary) {
    case expr::Binary::add:
      r = {a.low + b.low, a.high + b.high};
      break;
    case expr::Binary::subtract:
      r = {a.low - b.high, a.high - b.low};
      break;
    case expr::Binary::multiply:
      combine([](double x, double y) { return x * y; });
      break;
    case expr::Binary::divide:
    case expr::Binary::floor_divide:
      if (b.low <= 0.0 && b.high >= 0.0) {
        unsure = true;
        return r;
      }
      combine([](double x, double y) { return x / y; });
      if (term.binary == expr::Binary::floor_divide) {
        // Python's floor of a real quotient may lie one below the floor of the rounded quotient.
        r = {std::floor(r.low) - 1.0, std::floor(r.high)};
      }
      break;
    case expr::Binary::remainder:
      if (!(b.low > 0.0)) {
        unsure = true;
        return r;
      }
      r = {0.0, a.low >= 0.0 ? std::min(a.high, b.high) : b.high};
      break;
    case expr::Binary::power:
      if (!(a.low >= 1.0 && b.low >= 0.0)) {
        unsure = true;
        return r;
      }
      // pow is not correctly rounded: allow for it.
      r = {std::pow(a.low, b.low) * (1.0 - 1e-12), std::pow(a.high, b.high) * (1.0 + 1e-12)};
      break;
  }
  if (!(r.low > -trusted && r.high < trusted)) unsure = true;
  return r;
}

}  // namespace wattune::space
