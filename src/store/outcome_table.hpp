// Rows of outcomes: every sample and field of an Outcome, exact, in the context it was measured in.
// The configuration is kept in the order of sorted parameter names; `order` arguments give, for each sorted name, its
// position in Outcome::configuration (see context_table.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/statement.hpp"
#include "wattune/outcome.hpp"

namespace wattune::store {

/// Key of an outcome in the store.
constexpr std::int64_t outcome_id(std::int64_t run, std::uint64_t sequence) {
  return (run << 32) + static_cast<std::int64_t>(sequence);
}
/// Its sequence number in a run when it is no evaluation of it but the baseline; above all others.
inline constexpr std::uint64_t baseline_sequence = 0xffffffffU;
constexpr std::uint64_t sequence_of(std::int64_t id) {
  return static_cast<std::uint64_t>(id) & 0xffffffffU;
}

class OutcomeTable {
 public:
  using Order = std::span<const std::size_t>;

  explicit OutcomeTable(Database& database);

  std::uint64_t next_sequence(std::int64_t run);
  void add(std::int64_t id, const Outcome& outcome, Order order);
  /// The outcome `id` is the measurement `source` of an earlier run; its metrics are kept where they differ.
  void add_reference(std::int64_t id, std::int64_t source, const Outcome& outcome);

  /// Throws Error(storage) when there is none.
  Outcome get(std::int64_t id, Order order);
  std::optional<Outcome> find(std::int64_t id, Order order);
  /// In order of evaluation, without the baseline.
  std::vector<Outcome> of_run(std::int64_t run, Order order);
  /// The newest measured outcome of each configuration of a context, newest first.
  std::vector<Outcome> newest(std::int64_t context, Order order);

  /// All measurements of a context by identity().
  using Known = std::unordered_map<std::string, std::int64_t>;
  Known known(std::int64_t context);
  /// Configuration and finishing time as bytes: what tells measurements of a context apart.
  std::string identity(const Outcome& outcome, Order order) const;

 private:
  Database& database_;
  Statement next_sequence_;
  Statement add_;
  Statement metrics_;
  Statement add_reference_;
  Statement get_;
  Statement of_run_;
  Statement newest_;
  Statement known_;
};

}  // namespace wattune::store
