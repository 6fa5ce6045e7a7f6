// What decides a measured number besides the configuration, once per combination: the measurement key and the parameter
// names. Names are kept sorted, and so are the values of a configuration: a spec that lists its parameters in another
// order finds its outcomes again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/statement.hpp"
#include "wattune/run.hpp"

namespace wattune::store {

/// Position in the given order of each parameter in the sorted order.
std::vector<std::size_t> sorted_order(std::span<const std::string> parameters);

class ContextTable {
 public:
  explicit ContextTable(Database& database);

  std::optional<std::int64_t> find(const MeasurementKey& key, std::span<const std::string> parameters);
  /// Inside a write transaction.
  std::int64_t find_or_add(const MeasurementKey& key, std::span<const std::string> parameters);

 private:
  Database& database_;
  Statement find_;
  Statement add_;
};

}  // namespace wattune::store
