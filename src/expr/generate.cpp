#include <algorithm>

#include "base/text.hpp"
#include "expr/program.hpp"

namespace wattune::expr {
namespace {

/// Values that a list or a call may push on the stack, which has room for stack_limit.
constexpr std::size_t most_pushed = 200;

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
    code_.instructions.push_back({op, static_cast<std::uint16_t>(b), a});
    height_ += growth;
    highest_ = std::max(highest_, height_);
  }
  std::size_t emit_jump(Op op, int growth) {
    emit(op, growth);
    return code_.instructions.size() - 1;
  }
  void land(std::size_t jump) { code_.instructions[jump].a = static_cast<std::uint32_t>(code_.instructions.size()); }

  void store(const Value& value) {
    if (value.is_text()) {
      code_.texts.push_back(value.as_text());
      code_.constants.push_back(Scalar::of(code_.texts.back()));
    } else {
      code_.constants.push_back(Scalar::of(value));
    }
  }

  void constant(const Value& value) {
    store(value);
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
        refuse_index(node);
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

  /// One step of a comparison: the left value is on the stack; leaves the truth. `keep`: the right value stays below
  /// it, for the next step of the chain.
  void relation(Node::Relation relation, const Node& right, bool keep) {
    const bool membership = relation == Node::Relation::in || relation == Node::Relation::not_in;
    if (membership && right.kind == Node::Kind::list) {
      if (keep) fault(right, "a list cannot stand inside a chain of comparisons");
      in_list(right);
    } else {
      visit(right);
      if (keep) emit(Op::duplicate_under, 1);  // x y -> y x y: the middle value is evaluated once and serves twice
      if (membership) {
        emit(Op::in_text, -1);
      } else {
        emit(Op::compare, -1, static_cast<std::uint32_t>(relation));
      }
    }
    if (relation == Node::Relation::not_in) emit(Op::logical_not, 0);
  }

  void in_list(const Node& list) {
    const std::size_t count = list.children.size();
    if (is_constant_list(list)) {
      const std::size_t first = code_.constants.size();
      for (const NodePtr& element : list.children) store(element->value);
      if (count > 0xffff) fault(list, "the list is too long");
      return emit(Op::in_constants, 0, static_cast<std::uint32_t>(first), count);
    }
    if (count > most_pushed) fault(list, "a list of more than 200 elements with variables is not possible here");
    for (const NodePtr& element : list.children) visit(*element);
    emit(Op::in, -static_cast<int>(count), 0, count);
  }

  void comparison(const Node& node) {
    visit(*node.children[0]);
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.relations.size(); ++i) {
      const bool last = i + 1 == node.relations.size();
      relation(node.relations[i], *node.children[i + 1], !last);
      if (!last) jumps.push_back(emit_jump(Op::jump_if_false_or_pop, -1));
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
    if (row == nullptr) unknown_function(node, text_, origin_);
    const std::vector<NodePtr>* arguments = &node.children;
    const bool spread = row->takes_list && arguments->size() == 1 && arguments->front()->kind == Node::Kind::list;
    if (spread) arguments = &arguments->front()->children;
    const std::size_t count = arguments->size();
    check_arguments(node, *row, count, spread, text_, origin_);
    if (row->function == Function::length && spread) return length(*arguments);
    if (count > most_pushed) fault(node, "more than 200 arguments are not possible here");
    for (const NodePtr& argument : *arguments) visit(*argument);
    if (row->function == Function::text) return emit(Op::text_of, 0);

    emit(Op::call, 1 - static_cast<int>(count), static_cast<std::uint32_t>(row->function), count);
  }

  /// len([a, b]): the elements are evaluated, as in Python, for what may fail in them.
  void length(const std::vector<NodePtr>& elements) {
    constant(Value(static_cast<std::int64_t>(elements.size())));
    for (const NodePtr& element : elements) {
      visit(*element);
      emit(Op::pop, -1);
    }
  }

  [[noreturn]] void refuse_index(const Node& node) const {
    fault(node, "an index that depends on a variable is not possible here",
          "only parameter values and sizes of T1 files may use lists");
  }

  std::string_view text_;
  std::span<const std::string> names_;
  const std::string& origin_;
  Code code_;
  int height_ = 0;
  int highest_ = 0;
};

}  // namespace

Code generate(const Node& root, std::string_view text, std::span<const std::string> names, const std::string& origin) {
  return Generator(text, names, origin).run(root);
}

}  // namespace wattune::expr
