#include "store/context_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace wattune::store {
namespace {

std::string sorted_names(std::span<const std::string> parameters) {
  std::vector<std::string> names(parameters.begin(), parameters.end());
  std::sort(names.begin(), names.end());
  return nlohmann::json(names).dump();
}

}  // namespace

std::vector<std::size_t> sorted_order(std::span<const std::string> parameters) {
  std::vector<std::size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return parameters[a] < parameters[b]; });
  return order;
}

ContextTable::ContextTable(Database& database)
    : database_(database),
      find_(database,
            "SELECT id FROM context WHERE kernel = ? AND source_hash = ? AND options = ? AND device_uuid = ? "
            "AND driver = ? AND problem = ? AND parameters = ?",
            "looking for earlier results"),
      add_(database,
           "INSERT INTO context (kernel, source_hash, options, device_uuid, driver, problem, parameters) "
           "VALUES (?, ?, ?, ?, ?, ?, ?)",
           "storing a run") {}

std::optional<std::int64_t> ContextTable::find(const MeasurementKey& key, std::span<const std::string> parameters) {
  auto rows = find_.query(key.kernel, key.source_hash, key.options, key.device_uuid, key.driver, key.problem,
                          sorted_names(parameters));
  if (!rows.next()) return std::nullopt;
  return rows.integer(0);
}

std::int64_t ContextTable::find_or_add(const MeasurementKey& key, std::span<const std::string> parameters) {
  if (const auto known = find(key, parameters)) return *known;
  add_.run(key.kernel, key.source_hash, key.options, key.device_uuid, key.driver, key.problem,
           sorted_names(parameters));
  return database_.last_id();
}

}  // namespace wattune::store
