// Turns an SQLite result code into the one Error(storage) a user can act on: what, where, what to do next.
// Knows the codes that a healthy program can meet (full disk, read-only, damaged, foreign, held by another process);
// anything else is reported with SQLite's own words.
#pragma once

#include <string>

#include "wattune/error.hpp"

struct sqlite3;

namespace wattune::store {

/// The Error for extended result code `code` of `connection` (may be null) while `action` ("storing an outcome").
Error storage_error(sqlite3* connection, int code, const std::string& path, const std::string& action);

/// The Error for content that cannot be what this program wrote.
Error damaged(const std::string& path, const std::string& detail);

}  // namespace wattune::store
