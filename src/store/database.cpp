#include "store/database.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <system_error>

#include "store/fault.hpp"

namespace wattune::store {
namespace {

constexpr int busy_timeout_ms = 10'000;

/// Faults that SQLite would report less clearly, or only later.
void check_place(const std::string& path) {
  if (path == ":memory:") return;
  std::error_code ignored;
  const std::filesystem::path file(path);
  if (std::filesystem::is_directory(file, ignored)) {
    throw Error(ExitCode::storage, "a folder is in the place of the store", path, "name a file in it, such as runs.db");
  }
  const std::filesystem::path folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw Error(ExitCode::storage, "the folder of the store does not exist", path,
                "create it: mkdir -p " + folder.string());
  }
}

}  // namespace

Database::Database(std::string path) : path_(std::move(path)) {
  check_place(path_);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr);
  try {
    if (code != SQLITE_OK) throw storage_error(handle_, code, path_, "opening the store");
    configure();
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::configure() {
  sqlite3_busy_timeout(handle_, busy_timeout_ms);
  integer("SELECT count(*) FROM sqlite_schema");  // the first read: tells a foreign or damaged file before anything is
                                                  // written
  if (sqlite3_db_readonly(handle_, "main") == 1)
    throw storage_error(handle_, SQLITE_READONLY, path_, "opening the store");
  // Large checkpoints, since each costs two syncs; the WAL is cut back to 4 MB after one.
  execute(
      "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;"
      "PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 4194304;",
      "opening the store");
}

void Database::execute(const char* sql, const char* action) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw storage_error(handle_, code, path_, action);
}

std::int64_t Database::integer(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr);
  std::int64_t result = 0;
  if (code == SQLITE_OK) {
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) result = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) throw storage_error(handle_, code, path_, "reading the store");
  return result;
}

std::int64_t Database::last_id() const {
  return sqlite3_last_insert_rowid(handle_);
}

}  // namespace wattune::store
