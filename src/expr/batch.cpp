#include "expr/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace wattune::expr {
namespace {

constexpr std::size_t block = 512;
/// Doubles hold integers exactly up to 2^53; two bits are kept free for the rounding trick of floor_of().
constexpr double exact_limit = 0x1.0p51;
constexpr std::size_t most_registers = 64;

/// floor(x) for |x| < 2^51 without a library call, so that the loop vectorises on plain x86-64: adding and subtracting
/// 1.5 * 2^52 rounds to the nearest integer.
inline __attribute__((always_inline)) double floor_of(double x) {
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

// The loops are compiled for wider vectors too and chosen at run time; sanitizers do not go with that mechanism.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define WATTUNE_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WATTUNE_VECTOR_CLONES
#endif

/// What is known of all rows of a register.
struct Range {
  double low = 0.0;
  double high = 0.0;
  bool integral = true;

  [[nodiscard]] bool exact() const { return low > -exact_limit && high < exact_limit; }
  [[nodiscard]] bool has_zero() const { return low <= 0.0 && high >= 0.0; }
};

Range over(std::array<double, 4> values, bool integral) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high, integral};
}

/// Interval arithmetic for one operation. Nothing when a row might be inexact or undefined: the scalar path then
/// decides.
std::optional<Range> range_of(const ColumnOp& op, const Range& a, const Range& b, const Range& c) {
  const bool integral = a.integral && b.integral;
  Range r;
  switch (op.kind) {
    case Kind::constant:
      r = {op.value, op.value, std::trunc(op.value) == op.value};
      break;
    case Kind::add:
      r = {a.low + b.low, a.high + b.high, integral};
      break;
    case Kind::subtract:
      r = {a.low - b.high, a.high - b.low, integral};
      break;
    case Kind::multiply:
      r = over({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}, integral);
      break;
    case Kind::square:
      r = over({a.low * a.low, a.high * a.high, a.low * a.high, 0.0}, a.integral);
      break;
    case Kind::divide:
    case Kind::floor_divide: {
      if (b.has_zero()) return std::nullopt;
      const bool whole = op.kind == Kind::floor_divide;
      r = over({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high}, whole);
      if (whole) r = {r.low - 1.0, r.high + 1.0, true};
      break;
    }
    case Kind::remainder:
      r = {std::min(0.0, b.low), std::max(0.0, b.high), integral};
      break;
    case Kind::negate:
      r = {-a.high, -a.low, a.integral};
      break;
    case Kind::absolute:
      r = {0.0, std::max(std::abs(a.low), std::abs(a.high)), a.integral};
      break;
    case Kind::minimum:
      r = {std::min(a.low, b.low), std::min(a.high, b.high), integral};
      break;
    case Kind::maximum:
      r = {std::max(a.low, b.low), std::max(a.high, b.high), integral};
      break;
    case Kind::logical_and:
    case Kind::logical_or:
      r = {std::min(a.low, b.low), std::max(a.high, b.high), integral};
      break;
    case Kind::select:
      r = {std::min(b.low, c.low), std::max(b.high, c.high), b.integral && c.integral};
      break;
    default:
      r = {0.0, 1.0, true};
      break;
  }
  if (op.kind == Kind::remainder && b.has_zero()) return std::nullopt;
  return r.exact() ? std::optional(r) : std::nullopt;
}

/// True when floor division or remainder has an operand that may hold fractions: whole rows are then looked for one by
/// one.
bool needs_whole(const ColumnOp& op, const Range& a, const Range& b) {
  return (op.kind == Kind::floor_divide || op.kind == Kind::remainder) && !(a.integral && b.integral);
}

/// dest[i] = operation(left[i], right[i]).
template <class Operation>
inline __attribute__((always_inline)) void each(double* __restrict dest, const double* left, const double* right,
                                                std::size_t rows, Operation operation) {
  for (std::size_t i = 0; i < rows; ++i) dest[i] = operation(left[i], right[i]);
}

WATTUNE_VECTOR_CLONES
bool any_fraction(const double* values, std::size_t rows) {
  double fractions = 0.0;
  for (std::size_t i = 0; i < rows; ++i) fractions += floor_of(values[i]) == values[i] ? 0.0 : 1.0;
  return fractions != 0.0;
}

WATTUNE_VECTOR_CLONES
void truth_of(const double* values, std::size_t rows, std::uint8_t* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = values[i] != 0.0 ? 1 : 0;
}

/// Lowest and highest of at least one value.
WATTUNE_VECTOR_CLONES
Range range_of_values(const double* values, std::size_t rows, bool integral) {
  double low = values[0];
  double high = values[0];
  for (std::size_t i = 1; i < rows; ++i) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  return {low, high, integral};
}

WATTUNE_VECTOR_CLONES
void apply(const ColumnOp& op, double* dest, const double* a, const double* b, const double* c, std::size_t n) {
  switch (op.kind) {
    case Kind::constant:
      std::fill_n(dest, n, op.value);
      return;
    case Kind::add:
      return each(dest, a, b, n, [](double x, double y) { return x + y; });
    case Kind::subtract:
      return each(dest, a, b, n, [](double x, double y) { return x - y; });
    case Kind::multiply:
      return each(dest, a, b, n, [](double x, double y) { return x * y; });
    case Kind::square:
      return each(dest, a, a, n, [](double x, double y) { return x * y; });
    case Kind::divide:
      return each(dest, a, b, n, [](double x, double y) { return x / y; });
    case Kind::floor_divide:
      return each(dest, a, b, n, [](double x, double y) { return floor_of(x / y); });
    case Kind::remainder:
      return each(dest, a, b, n, [](double x, double y) { return x - y * floor_of(x / y); });
    case Kind::negate:
      return each(dest, a, a, n, [](double x, double) { return -x; });
    case Kind::absolute:
      return each(dest, a, a, n, [](double x, double) { return std::abs(x); });
    case Kind::equal:
      return each(dest, a, b, n, [](double x, double y) { return x == y ? 1.0 : 0.0; });
    case Kind::unequal:
      return each(dest, a, b, n, [](double x, double y) { return x != y ? 1.0 : 0.0; });
    case Kind::less:
      return each(dest, a, b, n, [](double x, double y) { return x < y ? 1.0 : 0.0; });
    case Kind::less_equal:
      return each(dest, a, b, n, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
    case Kind::greater:
      return each(dest, a, b, n, [](double x, double y) { return x > y ? 1.0 : 0.0; });
    case Kind::greater_equal:
      return each(dest, a, b, n, [](double x, double y) { return x >= y ? 1.0 : 0.0; });
    case Kind::logical_and:
      return each(dest, a, b, n, [](double x, double y) { return x != 0.0 ? y : x; });
    case Kind::logical_or:
      return each(dest, a, b, n, [](double x, double y) { return x != 0.0 ? x : y; });
    case Kind::logical_not:
      return each(dest, a, a, n, [](double x, double) { return x == 0.0 ? 1.0 : 0.0; });
    case Kind::minimum:
      return each(dest, a, b, n, [](double x, double y) { return y < x ? y : x; });
    case Kind::maximum:
      return each(dest, a, b, n, [](double x, double y) { return y > x ? y : x; });
    case Kind::select:
      for (std::size_t i = 0; i < n; ++i) dest[i] = a[i] != 0.0 ? b[i] : c[i];
      return;
  }
}

}  // namespace

bool ColumnProgram::run(std::span<const Expression::Column> columns, std::size_t count, std::uint8_t* truth_out) const {
  if (count == 0) return true;
  // Ranges first: when they show that no row can be inexact or undefined, the rows need no checks of their own.
  std::array<Range, most_registers> range{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    range[i] = range_of_values(columns[i].values, columns[i].stride == 0 ? 1 : count, columns[i].integral);
    if (!range[i].exact()) return false;
  }
  for (const ColumnOp& op : ops) {
    const std::optional<Range> known = range_of(op, range[op.left], range[op.right], range[op.third]);
    if (!known) return false;
    range[op.dest] = *known;
  }

  thread_local std::vector<double> storage;
  if (storage.size() < static_cast<std::size_t>(registers) * block)
    storage.resize(static_cast<std::size_t>(registers) * block);
  std::array<const double*, most_registers> at{};
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t rows = std::min(block, count - begin);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].stride != 0) {
        at[i] = columns[i].values + begin;
      } else if (begin == 0) {
        double* copy = storage.data() + i * block;
        std::fill_n(copy, rows, columns[i].values[0]);
        at[i] = copy;
      }
    }
    for (const ColumnOp& op : ops) {
      if (needs_whole(op, range[op.left], range[op.right]) &&
          (any_fraction(at[op.left], rows) || any_fraction(at[op.right], rows))) {
        return false;
      }
      double* dest = storage.data() + static_cast<std::size_t>(op.dest) * block;
      if (op.kind == Kind::square && !range[op.left].integral && any_fraction(at[op.left], rows)) {
        // Python's x**2 of a fraction is pow(), whose last bit may differ from that of x*x.
        std::transform(at[op.left], at[op.left] + rows, dest, [](double x) { return std::pow(x, 2.0); });
        at[op.dest] = dest;
        continue;
      }
      apply(op, dest, at[op.left], at[op.right], at[op.third], rows);
      at[op.dest] = dest;
    }
    truth_of(at[truth], rows, truth_out + begin);
  }
  return true;
}

std::optional<ColumnProgram> generate_columns(const Node& root, std::span<const std::string> names,
                                              std::span<const std::uint32_t> variables) {
  return ColumnGenerator(names, variables).run(root);
}

}  // namespace wattune::expr
