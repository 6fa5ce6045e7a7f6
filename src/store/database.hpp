// One SQLite connection, opened the way the store needs it: WAL, synchronous=NORMAL, busy timeout, foreign keys.
// A process that is killed loses nothing that was committed; a power cut may lose the last commits (they are synced at
// each checkpoint only) but never damages the file. Not for network file systems: WAL needs shared memory of one host.
// One thread at a time; any number of processes.
#pragma once

#include <cstdint>
#include <string>

struct sqlite3;

namespace wattune::store {

class Database {
 public:
  /// Opens or creates `path` (":memory:" for none). Throws Error(storage).
  explicit Database(std::string path);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_; }

  /// Runs statements without parameters or results. Throws Error(storage), saying it happened while `action`.
  void execute(const char* sql, const char* action);
  /// The integer that a pragma or a query of one cell answers; 0 when there is no row.
  std::int64_t integer(const char* sql);
  [[nodiscard]] std::int64_t last_id() const;

 private:
  void configure();

  std::string path_;
  sqlite3* handle_ = nullptr;
};

}  // namespace wattune::store
