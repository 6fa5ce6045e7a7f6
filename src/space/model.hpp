// The constraint problem behind a Space: value lists as numbers, constraints compiled and split into rules, and what
// rules over one parameter leave of its value list. Refuses faulty parameters and constraints with an Error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wattune/expression.hpp"
#include "wattune/space.hpp"

namespace wattune::space {

/// One conjunct of a constraint.
struct Rule {
  Expression expression;
  std::size_t source;                ///< position of the constraint that it is part of
  std::vector<std::uint32_t> scope;  ///< parameters that it reads, ascending
};

/// What is left of a parameter's value list. Entry i of each list belongs together.
struct Domain {
  std::vector<std::uint32_t> positions;  ///< in the parameter's value list, ascending
  std::vector<Scalar> scalars;
  std::vector<double> numbers;  ///< empty when some value is a text or an integer that a double cannot hold
  bool integral = true;         ///< all numbers are integers
  [[nodiscard]] std::size_t size() const { return positions.size(); }
};

/// The problem as given; refers to the parameters and constraints, which must outlive it.
struct Model {
  std::span<const Parameter> parameters;
  std::span<const Constraint> constraints;
  std::vector<Domain> domains;  ///< full value lists
  std::vector<Rule> rules;
  std::vector<Scalar> slots;  ///< for evaluation: one per parameter (unset), then the constants
  std::vector<std::string> constant_names;
};

/// Throws Error(bad_input): no values, repeated values or names, a constant named like a parameter.
void check_parameters(std::span<const Parameter> parameters, const SpaceOptions& options);

/// Compiles the constraints. Errors of Expression::compile pass through. `options.constants` must outlive the model.
Model make_model(std::span<const Parameter> parameters, std::span<const Constraint> constraints,
                 const SpaceOptions& options);

/// Domains after all rules over at most one parameter with more than one value left.
struct Narrowed {
  std::vector<Domain> domains;
  std::vector<std::size_t> open_rules;    ///< rules that still have to be searched, over two or more parameters
  std::vector<std::size_t> faulty_rules;  ///< rules that could not be evaluated for some value left in a domain
  bool empty = false;                     ///< some rule leaves nothing
};

/// Applies the rules of the first `constraint_count` constraints.
Narrowed narrow(const Model& model, std::size_t constraint_count);

/// The error of a rule that cannot be evaluated for the values in `slots`: names constraint, reason and those values.
[[noreturn]] void throw_faulty(const Model& model, const Rule& rule, EvaluationError error,
                               std::span<const Scalar> slots);

}  // namespace wattune::space
