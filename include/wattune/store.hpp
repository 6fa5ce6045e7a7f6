// Where runs and outcomes live: one SQLite file.
// Room `store`. Every measured outcome is committed (WAL journal, survives kill -9) before the search learns it. A
// power cut may lose the last commits but never damages the file. Refuses a file of a newer schema, and one that is not
// ours. Several processes of one machine may use a store at once; a Store object is for one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wattune/run.hpp"

namespace wattune {

class Store {
 public:
  /// Opens or creates. `path` empty: $WATTUNE_STORE, else $XDG_DATA_HOME/wattune/runs.db, else
  /// ~/.local/share/wattune/runs.db;
  /// ":memory:" keeps nothing. Throws Error(storage): read-only, full, not a store, newer version.
  static Store open(const std::string& path = {});
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  [[nodiscard]] const std::string& path() const;

  /// Stores the head of a new run and returns its id.
  std::int64_t begin_run(const RunRecord& head);
  /// Updates state, seconds, note, device_details of a run.
  void update_run(const RunRecord& head);
  /// Commits an outcome of a run durably and returns its sequence number within the run (0, 1, …).
  /// `reused`: it came from an earlier run with the same key (outcomes_for); only a reference is stored, and its
  /// metrics where they differ.
  std::uint64_t append(std::int64_t run, const Outcome& outcome, bool reused = false);
  /// Commits many outcomes in one transaction.
  void append_batch(std::int64_t run, std::span<const Outcome> outcomes);
  void set_result(std::int64_t run, std::optional<std::uint64_t> default_index, std::optional<std::uint64_t> best_index,
                  std::span<const Finalist> finalists);
  /// Keeps Run::baseline, which is no evaluation of the run. Once a run.
  void set_baseline(std::int64_t run, const Outcome& baseline);

  /// Outcomes measured under this key by any run: the newest of each configuration, newest first.
  /// `parameters` are names in the order of Outcome::configuration; runs with other parameter sets do not match (those
  /// with the same names in another order do). 1, 1.0 and True are different configurations.
  std::vector<Outcome> outcomes_for(const MeasurementKey& key, std::span<const std::string> parameters);
  /// The newest unfinished (running or interrupted) run with this key and parameters, if any: candidate for resume. A
  /// run that another living process began, set to running or appended to is left to it.
  std::optional<RunRecord> unfinished_run(const MeasurementKey& key, std::span<const std::string> parameters);

  /// Heads of all runs, newest first, with the number of outcomes.
  struct Listed {
    RunRecord head;
    std::uint64_t outcomes = 0;
    std::optional<Outcome> best;
  };
  std::vector<Listed> runs();
  /// Throws Error(bad_input) when there is no such run.
  Run load(std::int64_t run);

 private:
  struct Data;
  explicit Store(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

}  // namespace wattune
