#include "space/component_search.hpp"

#include <algorithm>

#include "space/order.hpp"

namespace wattune::space {

ComponentSearch::ComponentSearch(const Model& model, const std::vector<Domain>& domains, const Component& component)
    : model_(model),
      domains_(domains),
      order_(choose_order(model, domains, component.parameters, component.rules)),
      rules_(component.rules),
      faulty_rules_(component.faulty_rules),
      bounds_at_(order_.size()),
      sources_(order_.size()),
      chosen_(order_.size(), 0),
      slots_(model.slots) {
  std::vector<std::uint32_t> depth_of(model.parameters.size(), 0);
  for (std::size_t d = 0; d < order_.size(); ++d) depth_of[order_[d]] = static_cast<std::uint32_t>(d);
  for (std::uint32_t p = 0; p < domains.size(); ++p) {
    if (domains[p].size() > 0) slots_[p] = domains[p].scalars.front();
  }
  relations_.reserve(rules_.size());
  for (const std::size_t rule : rules_) {
    relations_.emplace_back(model, rule, domains, order_, depth_of);
    const std::span<const std::uint32_t> depths = relations_.back().mask_depths();
    for (std::size_t level = 0; level < depths.size(); ++level) {
      sources_[depths[level]].push_back({relations_.size() - 1, level});
    }
    const std::span<const std::uint32_t> outer = relations_.back().outer_depths();
    if (outer.empty()) continue;
    bounds_.emplace_back(model, model.rules[rule], domains, depth_of);
    for (const std::uint32_t depth : outer) bounds_at_[depth].push_back(bounds_.size() - 1);
  }
  for (const std::uint32_t p : order_) {
    const std::size_t size = domains[p].size();
    std::vector<std::uint64_t> full((size + 63) / 64, ~std::uint64_t{0});
    if (size % 64 != 0) full.back() = (std::uint64_t{1} << (size % 64)) - 1;
    masks_.push_back(full);
    full_.push_back(std::move(full));
  }
}

const std::uint64_t* ComponentSearch::admissible(std::size_t d) {
  std::vector<std::uint64_t>& mask = masks_[d];
  const std::size_t words = mask.size();
  if (words == 1) {
    std::uint64_t only = full_[d][0];
    for (const MaskSource& source : sources_[d]) {
      only &= *relations_[source.relation].mask(source.level, chosen_.data());
      if (only == 0) return nullptr;
    }
    mask[0] = only;
    return mask.data();
  }
  std::copy(full_[d].begin(), full_[d].end(), mask.begin());
  for (const MaskSource& source : sources_[d]) {
    const std::uint64_t* other = relations_[source.relation].mask(source.level, chosen_.data());
    std::uint64_t left = 0;
    for (std::size_t w = 0; w < words; ++w) left |= mask[w] &= other[w];
    if (left == 0) return nullptr;
  }
  return mask.data();
}

bool ComponentSearch::may_be_faulty() const {
  if (ignore_faults_) return false;
  if (!faulty_rules_.empty()) return true;
  for (const Relation& relation : relations_) {
    if (relation.faulty()) return true;
  }
  return false;
}

void ComponentSearch::verify(const std::uint64_t* mask) {
  const std::size_t last = order_.size() - 1;
  for (std::size_t w = 0; w < masks_[last].size(); ++w) {
    for (std::uint64_t word = mask[w]; word != 0; word &= word - 1) {
      chosen_[last] = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      throw_if_faulty(chosen_);
    }
  }
}

void ComponentSearch::set_slots(std::span<const std::uint32_t> chosen) {
  for (std::size_t d = 0; d < order_.size(); ++d) slots_[order_[d]] = domains_[order_[d]].scalars[chosen[d]];
}

void ComponentSearch::throw_if_faulty(std::span<const std::uint32_t> chosen) {
  set_slots(chosen);
  const auto check = [&](std::size_t r) {
    const Rule& rule = model_.rules[r];
    const Evaluation result = rule.expression.evaluate(slots_);
    if (!result.ok()) throw_faulty(model_, rule, result.error, slots_);
  };
  for (const std::size_t r : faulty_rules_) check(r);
  for (const Relation& relation : relations_) {
    if (relation.faulty()) check(relation.rule());
  }
}

bool ComponentSearch::satisfies(std::span<const std::uint32_t> chosen) {
  set_slots(chosen);
  for (const std::size_t r : rules_) {
    const Evaluation result = model_.rules[r].expression.evaluate(slots_);
    if (result.ok() && !result.value.truthy()) return false;
  }
  if (may_be_faulty()) throw_if_faulty(chosen);
  return true;
}

}  // namespace wattune::space
