// Rows of run heads, with their results and finalists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/statement.hpp"
#include "wattune/run.hpp"

namespace wattune::store {

class RunTable {
 public:
  explicit RunTable(Database& database);

  std::int64_t add(std::int64_t context, const RunRecord& head);
  /// This process goes on with the run.
  void claim(std::int64_t run);
  /// State, seconds, note and device details. Throws Error(bad_input) when there is no such run.
  void update(const RunRecord& head);
  void set_result(std::int64_t run, std::optional<std::uint64_t> default_index, std::optional<std::uint64_t> best_index,
                  std::span<const Finalist> finalists);

  /// A head with what only the run table knows of it.
  struct Row {
    RunRecord head;
    std::int64_t context = 0;
    std::uint64_t outcomes = 0;
    std::optional<std::uint64_t> default_index;
    std::optional<std::uint64_t> best_index;
  };
  /// Throws Error(bad_input) when there is no such run.
  Row get(std::int64_t run);
  /// Newest first.
  std::vector<Row> all();
  /// The newest run of the context that is running or interrupted, and that no other living process works on.
  std::optional<Row> unfinished(std::int64_t context);

  std::vector<Finalist> finalists(std::int64_t run);

 private:
  Database& database_;
  Statement add_;
  Statement claim_;
  Statement update_;
  Statement set_result_;
  Statement get_;
  Statement all_;
  Statement unfinished_;
  Statement drop_finalists_;
  Statement add_finalist_;
  Statement finalists_;
};

/// Names of the run's parameters, in its own order.
std::vector<std::string> parameter_names(const RunRecord& head);

}  // namespace wattune::store
