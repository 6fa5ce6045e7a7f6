#include "space/rows.hpp"

#include <algorithm>

namespace wattune::space {
namespace {

constexpr int patience = 8;

}  // namespace

Rows::Rows(const Model& model, const Rule& rule, const std::vector<Domain>& domains)
    : model_(model), rule_(rule), domains_(domains), slots_(model.slots) {
  const std::span<const std::uint32_t> variables = rule.expression.variables();
  single_.resize(variables.size());
  patterns_.resize(variables.size());
  columns_.resize(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::uint32_t slot = variables[v];
    columns_[v] = {&single_[v], 0, true};
    if (slot < domains.size()) {
      columns_[v].integral = domains[slot].integral;
      if (domains[slot].numbers.empty()) batch_ = false;
      fix(slot, 0);
    } else {
      const Scalar& constant = model.slots[slot];
      columns_[v].integral = constant.kind != Scalar::Kind::real;
      if (constant.kind == Scalar::Kind::text) batch_ = false;
      single_[v] = constant.kind == Scalar::Kind::text ? 0.0 : constant.as_number();
    }
  }
}

void Rows::set_inner(std::span<const std::uint32_t> inner) {
  inner_.assign(inner.begin(), inner.end());
  count_ = 1;
  for (const std::uint32_t p : inner_) count_ *= domains_[p].size();
  errors_.resize(count_);
  const std::span<const std::uint32_t> variables = rule_.expression.variables();
  std::size_t repeat = count_;
  for (const std::uint32_t p : inner_) {
    const Domain& domain = domains_[p];
    repeat /= domain.size();
    if (!batch_) continue;
    const auto v =
        static_cast<std::size_t>(std::lower_bound(variables.begin(), variables.end(), p) - variables.begin());
    std::vector<double>& pattern = patterns_[v];
    if (inner_.size() == 1) {
      columns_[v].values = domain.numbers.data();
    } else {
      pattern.resize(count_);
      for (std::size_t row = 0; row < count_;) {
        for (const double number : domain.numbers) {
          std::fill_n(pattern.begin() + static_cast<std::ptrdiff_t>(row), repeat, number);
          row += repeat;
        }
      }
      columns_[v].values = pattern.data();
    }
    columns_[v].stride = 1;
  }
}

void Rows::fix(std::uint32_t p, std::uint32_t index) {
  const Domain& domain = domains_[p];
  slots_[p] = domain.scalars[index];
  if (domain.numbers.empty()) return;
  const std::span<const std::uint32_t> variables = rule_.expression.variables();
  const auto v = static_cast<std::size_t>(std::lower_bound(variables.begin(), variables.end(), p) - variables.begin());
  single_[v] = domain.numbers[index];
}

bool Rows::evaluate(std::span<std::uint8_t> truth) {
  std::fill(errors_.begin(), errors_.end(), std::uint8_t{0});
  // The batch path declines a set of rows for a single odd one; a rule that it keeps declining is not offered again.
  if (!batch_ || !rule_.expression.evaluate_truth(columns_, count_, truth.data(), errors_.data())) {
    evaluate_each(truth);
    if (batch_ && ++declined_ == patience) batch_ = false;
  } else {
    declined_ = 0;
  }
  std::uint8_t faulty = 0;
  for (std::size_t row = 0; row < count_; ++row) {
    truth[row] |= errors_[row];
    faulty |= errors_[row];
  }
  return faulty != 0;
}

void Rows::evaluate_each(std::span<std::uint8_t> truth) {
  std::fill(errors_.begin(), errors_.end(), std::uint8_t{0});
  std::vector<std::uint32_t> index(inner_.size(), 0);
  for (const std::uint32_t p : inner_) slots_[p] = domains_[p].scalars[0];
  for (std::size_t row = 0; row < count_; ++row) {
    const Evaluation result = rule_.expression.evaluate(slots_);
    truth[row] = result.ok() && result.value.truthy() ? 1 : 0;
    errors_[row] = result.ok() ? 0 : 1;
    for (std::size_t i = inner_.size(); i-- > 0;) {
      const Domain& domain = domains_[inner_[i]];
      if (++index[i] == domain.size()) index[i] = 0;
      slots_[inner_[i]] = domain.scalars[index[i]];
      if (index[i] != 0) break;
    }
  }
}

}  // namespace wattune::space
