#include "search/features.hpp"

#include <algorithm>
#include <cmath>

namespace wattune::search {
namespace {

/// Derived axes are stretched so that they weigh a little more than single parameters before anything is learnt; from
/// the study in docs/strategies.md (0.3, 0.7, 1, 1.4 and 2 were compared).
constexpr float derived_stretch = 1.4F;
/// Products are formed of the parameters with most values only, so that the number of axes stays below 50.
constexpr std::size_t most_in_products = 8;

bool all_numbers(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [](const Value& value) { return value.is_number(); });
}

bool all_positive(const std::vector<Value>& values) {
  return all_numbers(values) &&
         std::all_of(values.begin(), values.end(), [](const Value& value) { return value.as_number() > 0.0; });
}

/// Shifted and scaled to [0, size]; all zero when there is only one number.
std::vector<float> scaled(const std::vector<double>& numbers, float size) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  std::vector<float> result;
  for (const double number : numbers) {
    result.push_back(*high > *low ? size * static_cast<float>((number - *low) / (*high - *low)) : 0.0F);
  }
  return result;
}

std::vector<double> logarithms(const std::vector<Value>& values) {
  std::vector<double> result;
  for (const Value& value : values) result.push_back(std::log2(value.as_number()));
  return result;
}

}  // namespace

Features::Features(const Space& space) : space_(&space) {
  std::vector<std::size_t> factors;
  for (std::size_t p = 0; p < space.parameters().size(); ++p) {
    const std::vector<Value>& values = space.parameters()[p].values;
    if (values.size() < 2) continue;
    add_own_axes(p);
    if (values.size() < 3) continue;
    if (all_numbers(values)) add_power_of_two(p);
    if (all_positive(values)) factors.push_back(p);
  }
  std::stable_sort(factors.begin(), factors.end(), [&](std::size_t a, std::size_t b) {
    return space.parameters()[a].values.size() > space.parameters()[b].values.size();
  });
  factors.resize(std::min(factors.size(), most_in_products));
  for (std::size_t a = 0; a < factors.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) add_product(factors[a], factors[b]);
  }
}

void Features::add_own_axes(std::size_t parameter) {
  const std::vector<Value>& values = space_->parameters()[parameter].values;
  if (!all_numbers(values) && values.size() > 2) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::vector<float> part(values.size(), 0.0F);
      part[k] = 0.7071F;  // any two texts are at distance 1
      axes_.push_back({{parameter}, {std::move(part)}});
    }
    return;
  }
  std::vector<double> numbers;
  for (std::size_t k = 0; k < values.size(); ++k) numbers.push_back(static_cast<double>(k));
  axes_.push_back({{parameter}, {scaled(all_positive(values) ? logarithms(values) : numbers, 1.0F)}});
}

void Features::add_power_of_two(std::size_t parameter) {
  const std::vector<Value>& values = space_->parameters()[parameter].values;
  std::vector<double> powers;
  for (const Value& value : values) {
    double number = std::abs(value.as_number());
    double power = 0.0;
    if (number != 0.0 && number == std::floor(number)) {
      for (; std::fmod(number, 2.0) == 0.0; number /= 2.0) power += 1.0;
    }
    powers.push_back(power);
  }
  std::vector<double> different = powers;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() < 2 || different.size() == values.size()) return;  // says nothing beyond the value itself
  axes_.push_back({{parameter}, {scaled(powers, derived_stretch)}});
}

void Features::add_product(std::size_t first, std::size_t second) {
  const std::vector<double> a = logarithms(space_->parameters()[first].values);
  const std::vector<double> b = logarithms(space_->parameters()[second].values);
  const auto range = [](const std::vector<double>& numbers) {
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    return *high - *low;
  };
  const double whole = range(a) + range(b);
  axes_.push_back({{first, second},
                   {scaled(a, derived_stretch * static_cast<float>(range(a) / whole)),
                    scaled(b, derived_stretch * static_cast<float>(range(b) / whole))}});
}

Eigen::MatrixXf Features::coordinates(std::span<const ConfigurationId> ids) const {
  Eigen::MatrixXf result(static_cast<Eigen::Index>(ids.size()), static_cast<Eigen::Index>(axes_.size()));
  Digits digits(space_->parameters().size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    space_->digits(ids[i], digits);
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      float sum = 0.0F;
      for (std::size_t k = 0; k < axes_[d].parameters.size(); ++k) {
        sum += axes_[d].parts[k][digits[axes_[d].parameters[k]]];
      }
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(d)) = sum;
    }
  }
  return result;
}

}  // namespace wattune::search
