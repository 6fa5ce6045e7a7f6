#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "expr/program.hpp"

namespace wattune::expr {
namespace {

constexpr std::array functions = {
    FunctionRow{"min", Function::minimum, 1, 255, true}, FunctionRow{"max", Function::maximum, 1, 255, true},
    FunctionRow{"abs", Function::absolute, 1, 1, false}, FunctionRow{"int", Function::integer, 1, 1, false},
    FunctionRow{"float", Function::real, 1, 1, false},   FunctionRow{"bool", Function::boolean, 1, 1, false},
    FunctionRow{"len", Function::length, 1, 1, true},    FunctionRow{"sum", Function::sum, 1, 1, true},
    FunctionRow{"round", Function::round, 1, 2, false},  FunctionRow{"ceil", Function::ceil, 1, 1, false},
    FunctionRow{"floor", Function::floor, 1, 1, false},  FunctionRow{"sqrt", Function::sqrt, 1, 1, false},
    FunctionRow{"log", Function::log, 1, 2, false},      FunctionRow{"log2", Function::log2, 1, 1, false},
    FunctionRow{"exp", Function::exp, 1, 1, false},
};

/// Walks the tree once, emitting code and tracking the stack's height.
class Generator {
 public:
  Generator(std::string_view text, std::span<const std::string> names, const std::string& origin)
      : text_(text), names_(names), origin_(origin) {}

  Code run(const Node& root) {
    visit(root);
    std::sort(code_.variables.begin(), code_.variables.end());
    code_.variables.erase(std::unique(code_.variables.begin(), code_.variables.end()), code_.variables.end());
    return std::move(code_);
  }

 private:
  [[noreturn]] void fault(const Node& node, const std::string& message, const std::string& hint = {}) const {
    expr::fault(text_, node.position, origin_, message, hint);
  }

  void emit(Op op, int growth, std::uint32_t a = 0, std::size_t b = 0) {
    code_.instructions.push_back({op, static_cast<std::uint8_t>(b), a});
    height_ += growth;
    highest_ = std::max(highest_, height_);
  }
  std::size_t emit_jump(Op op, int growth) {
    emit(op, growth);
    return code_.instructions.size() - 1;
  }
  void land(std::size_t jump) { code_.instructions[jump].a = static_cast<std::uint32_t>(code_.instructions.size()); }

  void constant(const Value& value) {
    if (value.is_text()) {
      code_.texts.push_back(value.as_text());
      code_.constants.push_back(Scalar::of(code_.texts.back()));
    } else {
      code_.constants.push_back(Scalar::of(value));
    }
    emit(Op::constant, 1, static_cast<std::uint32_t>(code_.constants.size() - 1));
  }

  void visit(const Node& node) {
    if (height_ + 4 > static_cast<int>(stack_limit)) fault(node, "the expression is too large");
    using Kind = Node::Kind;
    switch (node.kind) {
      case Kind::literal:
        return constant(node.value);
      case Kind::name:
        return name(node);
      case Kind::negate:
        return unary(node, Op::negate);
      case Kind::positive:
        return unary(node, Op::positive);
      case Kind::logical_not:
        return unary(node, Op::logical_not);
      case Kind::binary:
        visit(*node.children[0]);
        visit(*node.children[1]);
        return emit(Op::binary, -1, static_cast<std::uint32_t>(node.binary));
      case Kind::logical_and:
        return chain(node, Op::jump_if_false_or_pop);
      case Kind::logical_or:
        return chain(node, Op::jump_if_true_or_pop);
      case Kind::comparison:
        return comparison(node);
      case Kind::conditional:
        return conditional(node);
      case Kind::call:
        return call(node);
      case Kind::list:
      case Kind::comprehension:
        fault(node, "a list is not possible here", "lists go with `in`, min, max, sum, len and parameter values");
      case Kind::index:
        return constant_index(node);
    }
  }

  void name(const Node& node) {
    const auto found = std::find(names_.begin(), names_.end(), node.text);
    if (found == names_.end()) {
      const bool function = find_function(node.text) != nullptr;
      fault(node,
            function ? "'" + node.text + "' is a function and needs arguments" : "unknown name '" + node.text + "'",
            function ? "" : base::did_you_mean(node.text, names_));
    }
    const auto slot = static_cast<std::uint32_t>(found - names_.begin());
    code_.variables.push_back(slot);
    emit(Op::load, 1, slot);
  }

  void unary(const Node& node, Op op) {
    visit(*node.children[0]);
    emit(op, 0);
  }

  void chain(const Node& node, Op jump) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      visit(*node.children[i]);
      if (i + 1 < node.children.size()) jumps.push_back(emit_jump(jump, -1));
    }
    for (const std::size_t j : jumps) land(j);
  }

  /// One step of a comparison: the left value is on the stack; leaves the truth.
  void relation(const Node& node, Node::Relation relation, const Node& right) {
    const bool membership = relation == Node::Relation::in || relation == Node::Relation::not_in;
    const std::uint32_t negated = relation == Node::Relation::not_in ? 1 : 0;
    if (!membership) {
      visit(right);
      return emit(Op::compare, -1, static_cast<std::uint32_t>(relation));
    }
    if (right.kind == Node::Kind::list) {
      if (right.children.size() > 200) fault(right, "a list of more than 200 elements is not possible here");
      for (const NodePtr& element : right.children) visit(*element);
      return emit(Op::in, -static_cast<int>(right.children.size()), negated, right.children.size());
    }
    if (right.kind == Node::Kind::comprehension || right.kind == Node::Kind::call)
      fault(node, "`in` needs a list written out, such as [1, 2, 4]");
    visit(right);
    emit(Op::in_text, -1, negated);
  }

  void comparison(const Node& node) {
    visit(*node.children[0]);
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.relations.size(); ++i) {
      const Node& right = *node.children[i + 1];
      const bool last = i + 1 == node.relations.size();
      if (last) {
        relation(node, node.relations[i], right);
        break;
      }
      if (right.kind == Node::Kind::list) fault(right, "a list cannot stand inside a chain of comparisons");
      visit(right);
      emit(Op::duplicate_under, 1);  // x y -> y x y: the middle value is evaluated once and serves twice
      if (node.relations[i] == Node::Relation::in || node.relations[i] == Node::Relation::not_in) {
        emit(Op::in_text, -1, node.relations[i] == Node::Relation::not_in ? 1 : 0);
      } else {
        emit(Op::compare, -1, static_cast<std::uint32_t>(node.relations[i]));
      }
      jumps.push_back(emit_jump(Op::jump_if_false_or_pop, -1));
    }
    if (jumps.empty()) return;
    const std::size_t end = emit_jump(Op::jump, 0);
    for (const std::size_t j : jumps) land(j);
    emit(Op::drop_under, 0);  // the failed chain left its middle value below the False
    land(end);
  }

  void conditional(const Node& node) {
    visit(*node.children[0]);
    const std::size_t otherwise = emit_jump(Op::jump_if_false, -1);
    visit(*node.children[1]);
    const std::size_t end = emit_jump(Op::jump, -1);
    land(otherwise);
    visit(*node.children[2]);
    land(end);
  }

  void call(const Node& node) {
    const FunctionRow* row = find_function(node.text);
    if (row == nullptr)
      fault(node, "unknown function '" + node.text + "'", base::did_you_mean(node.text, function_names()));
    const std::vector<NodePtr>* arguments = &node.children;
    const bool spread = row->takes_list && arguments->size() == 1 && arguments->front()->kind == Node::Kind::list;
    if (spread) arguments = &arguments->front()->children;
    const auto count = static_cast<int>(arguments->size());
    if (row->function == Function::length && spread) return constant(Value(static_cast<std::int64_t>(count)));
    if (row->function == Function::sum && spread && count == 0) return constant(Value(0));
    const bool needs_list =
        (row->function == Function::minimum || row->function == Function::maximum || row->function == Function::sum) &&
        !spread && count == 1;
    if (needs_list) fault(node, node.text + "() of one value needs a list");
    if (count < row->least || (count > row->most && !spread) || count > 200) {
      fault(node, node.text + "() takes " + std::to_string(row->least) +
                      (row->most == row->least ? ""
                       : row->most > 200       ? " or more"
                                               : " to " + std::to_string(row->most)) +
                      " arguments, not " + std::to_string(count));
    }
    for (const NodePtr& argument : *arguments) visit(*argument);
    emit(Op::call, 1 - count, static_cast<std::uint32_t>(row->function), arguments->size());
  }

  void constant_index(const Node& node) {
    fault(node, "an index is not possible here", "only parameter values and sizes of T1 files may use lists");
  }

  std::string_view text_;
  std::span<const std::string> names_;
  const std::string& origin_;
  Code code_;
  int height_ = 0;
  int highest_ = 0;
};

}  // namespace

const FunctionRow* find_function(std::string_view name) {
  for (const FunctionRow& row : functions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionRow& row : functions) names.emplace_back(row.name);
  return names;
}

Code generate(const Node& root, std::string_view text, std::span<const std::string> names, const std::string& origin) {
  return Generator(text, names, origin).run(root);
}

}  // namespace wattune::expr
