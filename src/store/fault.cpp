#include "store/fault.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

namespace wattune::store {
namespace {

constexpr const char* other_place = "set WATTUNE_STORE to a file in a folder where you may write";

Error full(const std::string& path, const std::string& action) {
  return {ExitCode::storage, "no space left while " + action + "; everything stored before is kept", path,
          "free some space (or raise the quota) and start again: the run goes on where it stopped"};
}

/// The system's number for the last fault of an open file; SQLite keeps it with the file, not with the connection, when
/// a commit fails.
int file_errno(sqlite3* connection, int which) {
  sqlite3_file* file = nullptr;
  int number = 0;
  sqlite3_file_control(connection, "main", which, &file);
  if (file != nullptr && file->pMethods != nullptr)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

int system_errno(sqlite3* connection) {
  if (connection == nullptr) return 0;
  for (const int number : {sqlite3_system_errno(connection), file_errno(connection, SQLITE_FCNTL_JOURNAL_POINTER),
                           file_errno(connection, SQLITE_FCNTL_FILE_POINTER)}) {
    if (number != 0) return number;
  }
  return 0;
}

/// Text of the operating system's reason, or of SQLite's when there is none.
std::string reason(sqlite3* connection, int code) {
  const int system = system_errno(connection);
  return system != 0 ? std::strerror(system) : sqlite3_errstr(code);
}

bool out_of_space(sqlite3* connection) {
  const int system = system_errno(connection);
  return system == ENOSPC || system == EDQUOT || system == EFBIG;
}

}  // namespace

Error damaged(const std::string& path, const std::string& detail) {
  return {ExitCode::storage, "the store is damaged: " + detail, path,
          "rescue what is readable with: sqlite3 FILE .recover; or move the file away to begin a new one"};
}

Error storage_error(sqlite3* connection, int code, const std::string& path, const std::string& action) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return full(path, action);
    case SQLITE_READONLY:
      if (code == SQLITE_READONLY_DBMOVED) {
        return {ExitCode::storage, "the store was moved or deleted while in use", path, "put it back and start again"};
      }
      return {ExitCode::storage, "the store (or its folder) is read-only", path, other_place};
    case SQLITE_CANTOPEN:
      return {ExitCode::storage, "the store cannot be opened: " + reason(connection, code), path, other_place};
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ExitCode::storage, "the store may not be used: permission denied", path, other_place};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ExitCode::storage, "another process has held the store for too long while " + action, path,
              "wait for it to end, or set WATTUNE_STORE to another file"};
    case SQLITE_NOTADB:
      return {ExitCode::storage, "not a store: the file is no SQLite database", path, other_place};
    case SQLITE_CORRUPT:
      return damaged(path, sqlite3_errstr(code));
    case SQLITE_IOERR:
      if (out_of_space(connection)) return full(path, action);
      return {ExitCode::storage, "input/output error while " + action + ": " + reason(connection, code), path,
              "check the disk; network file systems without locks cannot hold a store"};
    case SQLITE_CONSTRAINT:
      return {ExitCode::internal, "inconsistent record while " + action + ": " + sqlite3_errmsg(connection), path};
    default:
      return {
          ExitCode::storage,
          std::string(connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code)) + " while " + action,
          path};
  }
}

}  // namespace wattune::store
