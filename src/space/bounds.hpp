// Proves a rule false for every completion of a partial assignment, by interval arithmetic over its syntax tree: chosen
// parameters are points, the others span their domains. So `a*b*c*d <= 60` prunes as soon as a*b exceeds 60.
// Says "possible" whenever it is not sure: text, unknown functions, numbers that doubles do not hold exactly, and
// anything that might fail, since a configuration that cannot be evaluated has to be found, not skipped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expr/syntax.hpp"
#include "space/model.hpp"

namespace wattune::space {

class Bounds {
 public:
  /// `depth_of[p]` = depth of parameter p in the search; only meaningful for parameters with more than one value left.
  Bounds(const Model& model, const Rule& rule, const std::vector<Domain>& domains,
         std::span<const std::uint32_t> depth_of);

  /// False when no completion of chosen[0 .. depth] satisfies the rule.
  [[nodiscard]] bool possible(const std::uint32_t* chosen, std::size_t depth) const;

 private:
  struct Range {
    double low;
    double high;
  };
  /// A node of the tree; children lie before their parent.
  struct Term {
    expr::Node::Kind kind;
    expr::Binary binary = expr::Binary::add;
    expr::Node::Relation relation = expr::Node::Relation::equal;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    Range range{0.0, 0.0};            ///< literal, or span of the parameter's domain
    const double* numbers = nullptr;  ///< parameter: its domain
    std::size_t depth = 0;            ///< parameter: where it is chosen
    bool minimum = false;             ///< call: min, else max
  };
  enum class Truth : std::uint8_t { no, maybe, yes };

  /// Position of the term, or `unknown`.
  std::uint32_t add(const expr::Node& node, const Model& model, const std::vector<Domain>& domains,
                    std::span<const std::uint32_t> depth_of);
  std::uint32_t add_name(const std::string& name, const Model& model, const std::vector<Domain>& domains,
                         std::span<const std::uint32_t> depth_of);
  std::uint32_t join(const expr::Node& node, std::span<const std::uint32_t> children);
  [[nodiscard]] Truth truth(std::uint32_t term, const std::uint32_t* chosen, std::size_t depth, bool& unsure) const;
  [[nodiscard]] Range range(std::uint32_t term, const std::uint32_t* chosen, std::size_t depth, bool& unsure) const;

  static constexpr std::uint32_t unknown = ~0U;
  std::vector<Term> terms_;
  std::uint32_t root_ = unknown;
};

}  // namespace wattune::space
