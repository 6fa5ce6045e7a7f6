#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "expr/lexer.hpp"
#include "expr/syntax.hpp"
#include "wattune/error.hpp"

namespace wattune::expr {
namespace {

constexpr int deepest_nesting = 100;
constexpr int most_operations = 1000;

/// Recursive descent over Python's levels: conditional, or, and, not, comparison, sum, product, sign, power, postfix.
class Parser {
 public:
  Parser(std::string_view text, const std::string& origin) : text_(text), origin_(origin), lexer_(text, origin_) {
    advance();
  }

  NodePtr whole() {
    NodePtr node = conditional();
    if (token_.kind != Token::Kind::end) {
      unexpected();
    }
    return node;
  }

 private:
  void advance() { token_ = lexer_.next(); }
  [[noreturn]] void fault(const std::string& message, const std::string& hint = {}) const {
    expr::fault(text_, token_.position, origin_, message, hint);
  }
  /// The word that stands here fits nothing.
  [[noreturn]] void unexpected() const {
    if (token_.kind == Token::Kind::end) fault("the expression ends too early");
    if (is_symbol(".")) fault("attributes are not allowed");
    if (is_word("lambda")) fault("functions cannot be defined here", "write the body alone");
    if (token_.kind == Token::Kind::text) fault("a text is not expected here");
    if (token_.kind == Token::Kind::number) fault("a number is not expected here");
    fault("'" + token_.text + "' is not expected here");
  }
  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return token_.kind == Token::Kind::symbol && token_.text == symbol;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return token_.kind == Token::Kind::name && token_.text == word;
  }
  bool accept_symbol(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    advance();
    return true;
  }
  bool accept_word(std::string_view word) {
    if (!is_word(word)) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (accept_symbol(symbol)) return;
    if (is_symbol(".")) unexpected();
    fault("'" + std::string(symbol) + "' is expected here");
  }
  [[nodiscard]] NodePtr make(Node::Kind kind) const {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->position = token_.position;
    return node;
  }

  /// Counts nesting for one scope, so that no input can exhaust the stack.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_nesting) parser_.fault("nested too deeply");
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  NodePtr conditional() {
    const Depth depth(*this);
    NodePtr value = logical_or();
    if (!is_word("if")) return value;
    NodePtr node = make(Node::Kind::conditional);
    advance();
    NodePtr condition = logical_or();
    if (!accept_word("else")) fault("'else' is expected here");
    node->children.push_back(std::move(condition));
    node->children.push_back(std::move(value));
    node->children.push_back(conditional());
    return node;
  }

  NodePtr logical_or() {
    NodePtr first = logical_and();
    if (!is_word("or")) return first;
    NodePtr node = make(Node::Kind::logical_or);
    node->children.push_back(std::move(first));
    while (accept_word("or")) node->children.push_back(logical_and());
    return node;
  }

  NodePtr logical_and() {
    NodePtr first = logical_not();
    if (!is_word("and")) return first;
    NodePtr node = make(Node::Kind::logical_and);
    node->children.push_back(std::move(first));
    while (accept_word("and")) node->children.push_back(logical_not());
    return node;
  }

  NodePtr logical_not() {
    if (!is_word("not")) return comparison();
    const Depth depth(*this);
    NodePtr node = make(Node::Kind::logical_not);
    advance();
    node->children.push_back(logical_not());
    return node;
  }

  std::optional<Node::Relation> relation() {
    using Relation = Node::Relation;
    static constexpr std::array symbols = {
        std::pair{"==", Relation::equal},      std::pair{"!=", Relation::unequal},
        std::pair{"<=", Relation::less_equal}, std::pair{">=", Relation::greater_equal},
        std::pair{"<", Relation::less},        std::pair{">", Relation::greater}};
    for (const auto& [symbol, meaning] : symbols) {
      if (accept_symbol(symbol)) return meaning;
    }
    if (accept_word("in")) return Relation::in;
    if (is_word("not")) {
      advance();
      if (!accept_word("in")) fault("'in' is expected after 'not' here");
      return Relation::not_in;
    }
    if (is_word("is")) fault("'is' is not supported", "write ==");
    return std::nullopt;
  }

  NodePtr comparison() {
    NodePtr first = sum();
    const std::size_t position = token_.position;
    std::optional<Node::Relation> next = relation();
    if (!next) return first;
    NodePtr node = make(Node::Kind::comparison);
    node->position = position;
    node->children.push_back(std::move(first));
    while (next) {
      node->relations.push_back(*next);
      node->children.push_back(sum());
      next = relation();
    }
    return node;
  }

  /// A long sum is a deep tree: to the left, where nesting does not see it.
  void count_operation() {
    if (++operations_ > most_operations) fault("the expression is too large");
  }

  NodePtr join(NodePtr left, Binary op, NodePtr (Parser::*right)()) {
    count_operation();
    NodePtr node = make(Node::Kind::binary);
    node->binary = op;
    advance();
    node->children.push_back(std::move(left));
    node->children.push_back((this->*right)());
    return node;
  }

  NodePtr sum() {
    NodePtr left = product();
    while (true) {
      if (is_symbol("+")) {
        left = join(std::move(left), Binary::add, &Parser::product);
      } else if (is_symbol("-")) {
        left = join(std::move(left), Binary::subtract, &Parser::product);
      } else {
        return left;
      }
    }
  }

  NodePtr product() {
    static constexpr std::array operators = {std::pair{"*", Binary::multiply}, std::pair{"/", Binary::divide},
                                             std::pair{"//", Binary::floor_divide}, std::pair{"%", Binary::remainder}};
    NodePtr left = sign();
    while (true) {
      bool found = false;
      for (const auto& [symbol, op] : operators) {
        if (!is_symbol(symbol)) continue;
        left = join(std::move(left), op, &Parser::sign);
        found = true;
        break;
      }
      if (!found) return left;
    }
  }

  NodePtr sign() {
    if (!is_symbol("-") && !is_symbol("+")) return power();
    const Depth depth(*this);
    NodePtr node = make(is_symbol("-") ? Node::Kind::negate : Node::Kind::positive);
    advance();
    node->children.push_back(sign());
    return node;
  }

  NodePtr power() {
    NodePtr base = postfix();
    if (!is_symbol("**")) return base;
    const Depth depth(*this);
    return join(std::move(base), Binary::power,
                &Parser::sign);  // right-associative; -2**2 is -(2**2), 2**-1 is allowed
  }

  NodePtr postfix() {
    NodePtr node = atom();
    while (is_symbol("[")) {
      count_operation();
      NodePtr index = make(Node::Kind::index);
      advance();
      index->children.push_back(std::move(node));
      index->children.push_back(conditional());
      expect("]");
      node = std::move(index);
    }
    return node;
  }

  NodePtr atom() {
    NodePtr node = make(Node::Kind::literal);
    switch (token_.kind) {
      case Token::Kind::number:
        node->value = token_.value;
        advance();
        return node;
      case Token::Kind::text:
        node->value = token_.text;
        advance();
        while (token_.kind == Token::Kind::text) {  // "a" "b" is "ab"
          node->value = node->value.as_text() + token_.text;
          advance();
        }
        return node;
      case Token::Kind::name:
        return named(std::move(node));
      case Token::Kind::symbol:
      case Token::Kind::end:
        break;
    }
    if (is_symbol("(") || is_symbol("[")) return bracketed();
    unexpected();
  }

  NodePtr named(NodePtr node) {
    static constexpr std::array reserved = {"if", "else",   "for",  "in",     "and",   "or",  "not",
                                            "is", "lambda", "None", "import", "while", "def", "return"};
    std::string name = token_.text;
    if (name == "True" || name == "False") {
      node->value = name == "True";
      advance();
      return node;
    }
    for (const std::string_view word : reserved) {
      if (name == word) unexpected();
    }
    advance();
    if (is_symbol(".") && name == "math") {
      advance();
      node->position = token_.position;
      static constexpr std::array known = {"ceil", "floor", "sqrt", "log", "log2", "exp"};
      if (std::find(known.begin(), known.end(), token_.text) == known.end())
        fault("of the math module only ceil, floor, sqrt, log, log2 and exp are known");
      name = token_.text;
      advance();
      if (!is_symbol("(")) fault("'(' is expected here");
    }
    if (!accept_symbol("(")) {
      node->kind = Node::Kind::name;
      node->text = name;
      return node;
    }
    node->kind = Node::Kind::call;
    node->text = name;
    const Depth depth(*this);
    while (!is_symbol(")")) {
      NodePtr argument = conditional();
      if (is_word("for")) argument = comprehension(std::move(argument));
      node->children.push_back(std::move(argument));
      if (!accept_symbol(",")) break;
    }
    expect(")");
    return node;
  }

  NodePtr bracketed() {
    const Depth depth(*this);
    NodePtr list = make(Node::Kind::list);
    const bool round = is_symbol("(");
    const std::string_view closing = round ? ")" : "]";
    advance();
    bool comma = false;
    while (!is_symbol(closing)) {
      NodePtr element = conditional();
      if (list->children.empty() && is_word("for")) {
        NodePtr node = comprehension(std::move(element));
        expect(closing);
        return node;
      }
      list->children.push_back(std::move(element));
      if (!accept_symbol(",")) break;
      comma = true;
    }
    expect(closing);
    if (round && !comma && list->children.size() == 1) return std::move(list->children.front());
    return list;
  }

  NodePtr comprehension(NodePtr element) {
    NodePtr node = make(Node::Kind::comprehension);
    node->children.push_back(std::move(element));
    while (accept_word("for")) {
      Loop loop;
      if (token_.kind != Token::Kind::name) fault("a name is expected after 'for'");
      loop.target = token_.text;
      advance();
      if (!accept_word("in")) fault("'in' is expected here");
      // As in Python a conditional needs brackets here, since its `if` would begin the next condition.
      loop.iterable = logical_or();
      while (accept_word("if")) loop.conditions.push_back(logical_or());
      node->loops.push_back(std::move(loop));
    }
    return node;
  }

  std::string_view text_;
  std::string origin_;
  Lexer lexer_;
  Token token_;
  int depth_ = 0;
  int operations_ = 0;
};

}  // namespace

NodePtr parse(std::string_view text, const std::string& origin) {
  return Parser(text, origin).whole();
}

void fault(std::string_view text, std::size_t position, const std::string& origin, const std::string& message,
           const std::string& hint) {
  // The caret counts characters, not bytes; only the line of the fault is shown.
  const std::size_t begin = position == 0 ? 0 : text.substr(0, position).rfind('\n') + 1;
  const std::size_t end = text.find('\n', position);
  std::string caret;
  for (std::size_t i = begin; i < position && i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) caret += text[i] == '\t' ? '\t' : ' ';
  }
  const std::string line(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  throw Error(ExitCode::bad_input, message + "\n    " + line + "\n    " + caret + "^", origin, hint);
}

}  // namespace wattune::expr
