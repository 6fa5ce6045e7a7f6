// Names and values that sizes, geometry and definitions are computed from: tunable parameters and the problem.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wattune/expression.hpp"
#include "wattune/space.hpp"
#include "wattune/spec.hpp"

namespace wattune::tune {

/// Fixed list of names: parameters first (their values change), then problem constants.
class Environment {
 public:
  Environment() = default;
  Environment(std::vector<std::string> parameters, std::vector<std::pair<std::string, Value>> constants);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t parameter_count() const { return parameters_; }
  [[nodiscard]] std::span<const std::pair<std::string, Value>> constants() const { return constants_; }

  [[nodiscard]] Expression compile(const LocatedText& text) const;
  /// True when the expression reads a tunable parameter.
  [[nodiscard]] bool depends_on_parameters(const Expression& expression) const;
  /// Value for one configuration (in parameter order). Throws Error(bad_input) naming expression and configuration when
  /// it has none (division by zero, text where a number is wanted).
  [[nodiscard]] Value evaluate(const Expression& expression, std::span<const Value> configuration) const;
  /// The same as a whole number >= 0, truncated as by Python's int().
  [[nodiscard]] std::uint64_t evaluate_size(const Expression& expression, std::span<const Value> configuration) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, Value>> constants_;
  std::size_t parameters_ = 0;
};

}  // namespace wattune::tune
