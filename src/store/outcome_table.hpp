// Rows of outcomes: every sample and field of an Outcome, exact, in the context it was measured in.
// The configuration is kept in the order of sorted parameter names; `order` arguments give, for each sorted name, its
// position in Outcome::configuration (see context_table.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/statement.hpp"
#include "wattune/outcome.hpp"

namespace wattune::store {

class OutcomeTable {
 public:
  using Order = std::span<const std::size_t>;

  explicit OutcomeTable(Database& database);

  /// Adds a measurement and returns its row id.
  std::int64_t add(std::int64_t context, const Outcome& outcome, Order order);

  /// A stored measurement that an outcome refers to.
  struct Known {
    std::int64_t id = 0;
    bool same_metrics = false;
  };
  /// The stored measurement of this configuration: the one with the same finishing time, else the newest.
  std::optional<Known> find(std::int64_t context, const Outcome& outcome, Order order);

  /// The newest measured outcome of each configuration, newest first.
  std::vector<Outcome> newest(std::int64_t context, Order order);

 private:
  Database& database_;
  Statement add_;
  Statement find_;
  Statement newest_;
};

/// Columns that read_outcome() expects, in order, for a table alias `o`.
inline constexpr const char* outcome_columns =
    "o.configuration, o.status, o.message, o.provenance, o.verification, o.times, o.time_value, o.time_low, "
    "o.time_high, "
    "o.converged, o.power, o.energy, o.observed, o.metrics, o.compile_time, o.verify_time, o.benchmark_time, "
    "o.overhead, "
    "o.finished_at";
inline constexpr int outcome_column_count = 19;

/// The outcome in the current row, whose first column is at `first`. Throws Error(storage) for damaged content.
Outcome read_outcome(const Statement::Rows& rows, int first, OutcomeTable::Order order);

}  // namespace wattune::store
