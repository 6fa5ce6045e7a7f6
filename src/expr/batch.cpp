#include "expr/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace wattune::expr {
namespace {

constexpr std::size_t block = 512;
/// Doubles hold integers exactly up to 2^53; two bits are kept free for the rounding trick of floor_of().
constexpr double exact_limit = 0x1.0p51;
constexpr std::size_t most_registers = 64;

/// floor(x) for |x| < 2^51 without a library call, so that the loop vectorises on plain x86-64: adding and subtracting
/// 1.5 * 2^52 rounds to the nearest integer.
inline double floor_of(double x) {
  constexpr double magic = 0x1.8p52;
  const double nearest = (x + magic) - magic;
  return nearest - (nearest > x ? 1.0 : 0.0);
}

using Kind = ColumnOp::Kind;

/// Emits column operations; gives up (nothing) at the first part that it does not know.
class ColumnGenerator {
 public:
  ColumnGenerator(std::span<const std::string> names, std::span<const std::uint32_t> variables)
      : names_(names), variables_(variables) {
    program_.registers = static_cast<std::uint16_t>(variables.size());
  }

  std::optional<ColumnProgram> run(const Node& root) {
    const std::optional<std::uint16_t> truth = visit(root);
    if (!truth || program_.registers > most_registers) return std::nullopt;
    program_.truth = *truth;
    return std::move(program_);
  }

 private:
  using Register = std::optional<std::uint16_t>;

  Register emit(Kind kind, std::uint16_t left, std::uint16_t right = 0, std::uint16_t third = 0, double value = 0.0) {
    const std::uint16_t dest = program_.registers++;
    program_.ops.push_back({kind, dest, left, right, third, value});
    return dest;
  }

  Register visit(const Node& node) {
    if (program_.registers > most_registers) return std::nullopt;
    switch (node.kind) {
      case Node::Kind::literal:
        if (node.value.is_text() || !(std::abs(node.value.as_number()) < exact_limit)) return std::nullopt;
        return emit(Kind::constant, 0, 0, 0, node.value.as_number());
      case Node::Kind::name:
        return name(node);
      case Node::Kind::negate:
        return unary(node, Kind::negate);
      case Node::Kind::positive:
        return visit(*node.children[0]);
      case Node::Kind::logical_not:
        return unary(node, Kind::logical_not);
      case Node::Kind::binary:
        return arithmetic(node);
      case Node::Kind::logical_and:
        return fold(node, Kind::logical_and);
      case Node::Kind::logical_or:
        return fold(node, Kind::logical_or);
      case Node::Kind::comparison:
        return comparison(node);
      case Node::Kind::conditional:
        return conditional(node);
      case Node::Kind::call:
        return call(node);
      default:
        return std::nullopt;
    }
  }

  Register name(const Node& node) {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (names_[variables_[i]] == node.text) return static_cast<std::uint16_t>(i);
    }
    return std::nullopt;
  }

  Register unary(const Node& node, Kind kind) {
    const Register child = visit(*node.children[0]);
    return child ? emit(kind, *child) : std::nullopt;
  }

  Register arithmetic(const Node& node) {
    const Register left = visit(*node.children[0]);
    if (!left) return std::nullopt;
    if (node.binary == Binary::power) {
      const Node& exponent = *node.children[1];
      const bool squared = exponent.kind == Node::Kind::literal && exponent.value == Value(2);
      return squared ? emit(Kind::square, *left) : std::nullopt;
    }
    const Register right = visit(*node.children[1]);
    if (!right) return std::nullopt;
    static constexpr std::array kinds = {Kind::add,    Kind::subtract,     Kind::multiply,
                                         Kind::divide, Kind::floor_divide, Kind::remainder};
    return emit(kinds[static_cast<std::size_t>(node.binary)], *left, *right);
  }

  Register fold(const Node& node, Kind kind) {
    Register result = visit(*node.children[0]);
    for (std::size_t i = 1; i < node.children.size() && result; ++i) {
      const Register next = visit(*node.children[i]);
      result = next ? emit(kind, *result, *next) : std::nullopt;
    }
    return result;
  }

  Register one_relation(Node::Relation relation, std::uint16_t left, const Node& right_node, Register& right) {
    if (relation == Node::Relation::in || relation == Node::Relation::not_in) {
      if (right_node.kind != Node::Kind::list || right_node.children.empty()) return std::nullopt;
      Register any;
      for (const NodePtr& element : right_node.children) {
        const Register value = visit(*element);
        const Register same = value ? emit(Kind::equal, left, *value) : std::nullopt;
        if (!same) return std::nullopt;
        any = any ? emit(Kind::logical_or, *any, *same) : same;
      }
      return relation == Node::Relation::in ? any : emit(Kind::logical_not, *any);
    }
    right = visit(right_node);
    if (!right) return std::nullopt;
    static constexpr std::array kinds = {Kind::equal,      Kind::unequal, Kind::less,
                                         Kind::less_equal, Kind::greater, Kind::greater_equal};
    return emit(kinds[static_cast<std::size_t>(relation)], left, *right);
  }

  Register comparison(const Node& node) {
    Register left = visit(*node.children[0]);
    Register all;
    for (std::size_t i = 0; i < node.relations.size(); ++i) {
      if (!left) return std::nullopt;
      Register right;
      const Register truth = one_relation(node.relations[i], *left, *node.children[i + 1], right);
      if (!truth) return std::nullopt;
      all = all ? emit(Kind::logical_and, *all, *truth) : truth;
      left = right;
    }
    return all;
  }

  Register conditional(const Node& node) {
    const Register condition = visit(*node.children[0]);
    const Register then = visit(*node.children[1]);
    const Register otherwise = visit(*node.children[2]);
    if (!condition || !then || !otherwise) return std::nullopt;
    return emit(Kind::select, *condition, *then, *otherwise);
  }

  Register call(const Node& node) {
    const bool smallest = node.text == "min";
    if (node.text == "abs" && node.children.size() == 1) return unary(node, Kind::absolute);
    if (!smallest && node.text != "max") return std::nullopt;
    const std::vector<NodePtr>* arguments = &node.children;
    if (arguments->size() == 1 && arguments->front()->kind == Node::Kind::list)
      arguments = &arguments->front()->children;
    if (arguments->size() < 2) return std::nullopt;
    Register result = visit(*arguments->front());
    for (std::size_t i = 1; i < arguments->size() && result; ++i) {
      const Register next = visit(*(*arguments)[i]);
      result = next ? emit(smallest ? Kind::minimum : Kind::maximum, *result, *next) : std::nullopt;
    }
    return result;
  }

  std::span<const std::string> names_;
  std::span<const std::uint32_t> variables_;
  ColumnProgram program_;
};

/// dest[i] = op(left[i], right[i]) for a block; the count is constant so that the loop is unrolled and vectorised.
template <class Operation>
inline void each(double* dest, const double* left, const double* right, Operation operation) {
  for (std::size_t i = 0; i < block; ++i) dest[i] = operation(left[i], right[i]);
}

/// Number (as a double, so that the sum vectorises) of values that are not exact any more.
inline double beyond(const double* values) {
  double bad = 0.0;
  for (std::size_t i = 0; i < block; ++i) bad += std::abs(values[i]) < exact_limit ? 0.0 : 1.0;
  return bad;
}

inline double zeros(const double* values) {
  double bad = 0.0;
  for (std::size_t i = 0; i < block; ++i) bad += values[i] == 0.0 ? 1.0 : 0.0;
  return bad;
}

inline double fractions(const double* values) {
  double bad = 0.0;
  for (std::size_t i = 0; i < block; ++i) bad += floor_of(values[i]) == values[i] ? 0.0 : 1.0;
  return bad;
}

/// Runs one operation on a block; the result counts rows whose value the scalar path must decide.
double apply(const ColumnOp& op, double* dest, const double* a, const double* b, const double* c) {
  switch (op.kind) {
    case Kind::constant:
      std::fill_n(dest, block, op.value);
      return 0.0;
    case Kind::add:
      each(dest, a, b, [](double x, double y) { return x + y; });
      return beyond(dest);
    case Kind::subtract:
      each(dest, a, b, [](double x, double y) { return x - y; });
      return beyond(dest);
    case Kind::multiply:
      each(dest, a, b, [](double x, double y) { return x * y; });
      return beyond(dest);
    case Kind::square:
      each(dest, a, a, [](double x, double y) { return x * y; });
      return beyond(dest);
    case Kind::divide:
      each(dest, a, b, [](double x, double y) { return x / y; });
      return zeros(b) + beyond(dest);
    case Kind::floor_divide:
      each(dest, a, b, [](double x, double y) { return floor_of(x / y); });
      return zeros(b) + fractions(a) + fractions(b) + beyond(dest);
    case Kind::remainder:
      each(dest, a, b, [](double x, double y) { return x - y * floor_of(x / y); });
      return zeros(b) + fractions(a) + fractions(b) + beyond(dest);
    case Kind::negate:
      each(dest, a, a, [](double x, double) { return -x; });
      return 0.0;
    case Kind::absolute:
      each(dest, a, a, [](double x, double) { return std::abs(x); });
      return 0.0;
    case Kind::equal:
      each(dest, a, b, [](double x, double y) { return x == y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::unequal:
      each(dest, a, b, [](double x, double y) { return x != y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::less:
      each(dest, a, b, [](double x, double y) { return x < y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::less_equal:
      each(dest, a, b, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::greater:
      each(dest, a, b, [](double x, double y) { return x > y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::greater_equal:
      each(dest, a, b, [](double x, double y) { return x >= y ? 1.0 : 0.0; });
      return 0.0;
    case Kind::logical_and:
      each(dest, a, b, [](double x, double y) { return x != 0.0 ? y : x; });
      return 0.0;
    case Kind::logical_or:
      each(dest, a, b, [](double x, double y) { return x != 0.0 ? x : y; });
      return 0.0;
    case Kind::logical_not:
      each(dest, a, a, [](double x, double) { return x == 0.0 ? 1.0 : 0.0; });
      return 0.0;
    case Kind::minimum:
      each(dest, a, b, [](double x, double y) { return y < x ? y : x; });
      return 0.0;
    case Kind::maximum:
      each(dest, a, b, [](double x, double y) { return y > x ? y : x; });
      return 0.0;
    case Kind::select:
      for (std::size_t i = 0; i < block; ++i) dest[i] = a[i] != 0.0 ? b[i] : c[i];
      return 0.0;
  }
  return 1.0;
}

}  // namespace

bool ColumnProgram::run(std::span<const Expression::Column> columns, std::size_t count, std::uint8_t* truth_out) const {
  thread_local std::vector<double> storage;
  storage.resize(static_cast<std::size_t>(registers) * block);
  std::array<const double*, most_registers> at{};
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t rows = std::min(block, count - begin);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      double* copy = storage.data() + i * block;
      if (columns[i].stride == 0) {
        if (begin == 0) std::fill_n(copy, block, columns[i].values[0]);
      } else if (rows == block) {
        at[i] = columns[i].values + begin;
        continue;
      } else {  // rows past the end repeat the last one: harmless, and every loop keeps its fixed length
        std::copy_n(columns[i].values + begin, rows, copy);
        std::fill(copy + rows, copy + block, copy[rows - 1]);
      }
      at[i] = copy;
    }
    double bad = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) bad += beyond(at[i]);
    for (const ColumnOp& op : ops) {
      double* dest = storage.data() + static_cast<std::size_t>(op.dest) * block;
      bad += apply(op, dest, at[op.left], at[op.right], at[op.third]);
      at[op.dest] = dest;
    }
    if (bad != 0.0) return false;
    for (std::size_t i = 0; i < rows; ++i) truth_out[begin + i] = at[truth][i] != 0.0 ? 1 : 0;
  }
  return true;
}

std::optional<ColumnProgram> generate_columns(const Node& root, std::span<const std::string> names,
                                              std::span<const std::uint32_t> variables) {
  return ColumnGenerator(names, variables).run(root);
}

}  // namespace wattune::expr
