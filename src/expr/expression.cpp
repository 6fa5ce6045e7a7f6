#include "wattune/expression.hpp"

#include <algorithm>

#include "expr/batch.hpp"
#include "expr/program.hpp"
#include "expr/syntax.hpp"

namespace wattune {

struct Expression::Program {
  std::string text;
  std::string origin;
  expr::Code code;
  std::optional<expr::ColumnProgram> columns;
};

Expression Expression::compile(std::string_view text, std::span<const std::string> names,
                               const ExpressionOrigin& origin) {
  auto program = std::make_shared<Program>();
  program->text = text;
  program->origin = origin;
  const expr::NodePtr root = expr::fold(expr::parse(text, origin));
  program->code = expr::generate(*root, text, names, origin);
  program->columns = expr::generate_columns(*root, names, program->code.variables);
  return Expression(std::move(program));
}

Expression::Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::Expression(const Expression&) = default;
Expression& Expression::operator=(const Expression&) = default;
Expression::~Expression() = default;

Evaluation Expression::evaluate(std::span<const Scalar> slots) const {
  return program_->code.evaluate(slots);
}

bool Expression::evaluate_truth(std::span<const Column> columns, std::size_t count, std::uint8_t* truth,
                                std::uint8_t* error_rows) const {
  if (!program_->columns) return false;
  if (!program_->columns->run(columns, count, truth)) return false;
  std::fill_n(error_rows, count, std::uint8_t{0});
  return true;
}

std::span<const std::uint32_t> Expression::variables() const {
  return program_->code.variables;
}
const std::string& Expression::text() const {
  return program_->text;
}
const ExpressionOrigin& Expression::origin() const {
  return program_->origin;
}

}  // namespace wattune
