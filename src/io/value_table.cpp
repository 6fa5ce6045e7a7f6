#include "io/value_table.hpp"

#include <cmath>
#include <optional>

namespace wattune::io {

namespace {

/// The integer that `value` equals in Python's sense (True is 1, 2.0 is 2).
std::optional<std::int64_t> integer_of(const Value& value) {
  if (value.is_text()) return std::nullopt;
  if (!value.is_real()) return value.as_integer();
  const double real = value.as_number();
  if (std::floor(real) != real || std::abs(real) > 9.0e18) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

}  // namespace

ValueTable::ValueTable(const std::vector<Value>& values) {
  for (const Value& value : values) position(value);
}

std::uint32_t ValueTable::add(const Value& value) {
  values_.push_back(value);
  return static_cast<std::uint32_t>(values_.size() - 1);
}

std::uint32_t ValueTable::position(std::int64_t value) {
  if (has_last_ && value == last_) return last_position_;
  const auto found = integers_.find(value);
  last_position_ = found != integers_.end() ? found->second : (integers_[value] = add(Value(value)));
  last_ = value;
  has_last_ = true;
  return last_position_;
}

std::uint32_t ValueTable::position(const Value& value) {
  if (value.is_text()) {
    const auto found = texts_.find(value.as_text());
    return found != texts_.end() ? found->second : (texts_[value.as_text()] = add(value));
  }
  if (const auto integer = integer_of(value)) {
    const auto found = integers_.find(*integer);
    return found != integers_.end() ? found->second : (integers_[*integer] = add(value));
  }
  const auto found = reals_.find(value.as_number());
  return found != reals_.end() ? found->second : (reals_[value.as_number()] = add(value));
}

}  // namespace wattune::io
