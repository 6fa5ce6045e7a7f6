#include "tune/environment.hpp"

#include <cmath>

#include "wattune/error.hpp"

namespace wattune::tune {

Environment::Environment(std::vector<std::string> parameters, std::vector<std::pair<std::string, Value>> constants)
    : names_(std::move(parameters)), constants_(std::move(constants)), parameters_(names_.size()) {
  for (const auto& [name, value] : constants_) names_.push_back(name);
}

Expression Environment::compile(const LocatedText& text) const {
  return Expression::compile(text.value, names_, to_string(text.at));
}

bool Environment::depends_on_parameters(const Expression& expression) const {
  const auto variables = expression.variables();
  return !variables.empty() && variables.front() < parameters_;
}

Value Environment::evaluate(const Expression& expression, std::span<const Value> configuration) const {
  std::vector<Scalar> slots(names_.size());
  for (std::size_t i = 0; i < parameters_ && i < configuration.size(); ++i) slots[i] = Scalar::of(configuration[i]);
  for (std::size_t i = 0; i < constants_.size(); ++i) slots[parameters_ + i] = Scalar::of(constants_[i].second);
  const Evaluation result = expression.evaluate(slots);
  if (!result.ok()) {
    std::string where;
    for (const std::uint32_t slot : expression.variables()) {
      if (!where.empty()) where += ", ";
      where += names_[slot] + "=" + to_string(slots[slot].to_value());
    }
    throw Error(ExitCode::bad_input,
                std::string(to_string(result.error)) + " in '" + expression.text() + "'" +
                    (where.empty() ? "" : " for " + where),
                expression.origin());
  }
  return result.value.to_value();
}

std::uint64_t Environment::evaluate_size(const Expression& expression, std::span<const Value> configuration) const {
  const Value value = evaluate(expression, configuration);
  if (value.is_text())
    throw Error(ExitCode::bad_input, "'" + expression.text() + "' is a text where a size is wanted",
                expression.origin());
  const double number = std::trunc(value.as_number());
  if (!(number >= 0.0 && number < 9.0e18)) {
    throw Error(ExitCode::bad_input, "'" + expression.text() + "' gives " + to_string(value) + ", not a size",
                expression.origin());
  }
  return static_cast<std::uint64_t>(number);
}

}  // namespace wattune::tune
