// The values of one parameter of a recording, found by Python's equality.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "wattune/value.hpp"

namespace wattune::io {

/// Finds values of one parameter by Python's equality, adding those that are not listed yet.
class ValueTable {
 public:
  explicit ValueTable(const std::vector<Value>& values);
  std::uint32_t position(std::int64_t value);
  std::uint32_t position(const Value& value);
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

 private:
  std::uint32_t add(const Value& value);

  std::vector<Value> values_;
  std::unordered_map<std::int64_t, std::uint32_t> integers_;
  std::map<double, std::uint32_t> reals_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::int64_t last_ = 0;  ///< neighbours in a file mostly share a value
  std::uint32_t last_position_ = 0;
  bool has_last_ = false;
};

}  // namespace wattune::io
