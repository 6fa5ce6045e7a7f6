#include "space/component.hpp"

#include <numeric>

namespace wattune::space {
namespace {

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t p) {
  while (parent[p] != p) p = parent[p] = parent[parent[p]];
  return p;
}

}  // namespace

std::vector<Component> connect(const Model& model, const Narrowed& narrowed) {
  std::vector<std::uint32_t> parent(model.parameters.size());
  std::iota(parent.begin(), parent.end(), 0U);
  // The smallest parameter of a component is its root, so that components come out in order. Parameters with one value
  // left tie nothing together.
  const auto tie = [&](const std::vector<std::uint32_t>& scope) {
    std::uint32_t first = ~0U;
    for (const std::uint32_t p : scope) {
      if (narrowed.domains[p].size() < 2) continue;
      if (first == ~0U) first = p;
      const std::uint32_t a = root(parent, first);
      const std::uint32_t b = root(parent, p);
      parent[std::max(a, b)] = std::min(a, b);
    }
    return first != ~0U ? first : (scope.empty() ? 0U : scope.front());
  };
  for (const std::size_t r : narrowed.open_rules) tie(model.rules[r].scope);
  for (const std::size_t r : narrowed.faulty_rules) tie(model.rules[r].scope);

  std::vector<Component> components;
  std::vector<std::size_t> component_of(parent.size());
  for (std::uint32_t p = 0; p < parent.size(); ++p) {
    const std::uint32_t r = root(parent, p);
    if (r == p) {
      component_of[p] = components.size();
      components.emplace_back();
    }
    component_of[p] = component_of[r];
    components[component_of[p]].parameters.push_back(p);
  }
  for (const std::size_t r : narrowed.open_rules) {
    components[component_of[tie(model.rules[r].scope)]].rules.push_back(r);
  }
  for (const std::size_t r : narrowed.faulty_rules) {
    components[component_of[tie(model.rules[r].scope)]].faulty_rules.push_back(r);
  }
  return components;
}

}  // namespace wattune::space
