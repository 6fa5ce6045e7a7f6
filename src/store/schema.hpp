// The tables of a store and how an older file becomes a current one.
// A file is ours when SQLite's application_id says so; its user_version is the number of the last migration step that
// was applied. A foreign or newer file is refused, never changed. Each step, once released, stays as it is.
#pragma once

#include <functional>
#include <span>

#include "store/database.hpp"

namespace wattune::store {

/// "WATT" in ASCII, in SQLite's header field for file(1) and friends.
inline constexpr std::int64_t application_id = 0x57415454;

/// One change of the schema; the first step creates it.
struct Step {
  std::int64_t version;                  ///< of the schema after the step; 1, 2, … without gaps
  std::function<void(Database&)> apply;  ///< runs inside the migration's transaction
};

/// The steps of this program; the last one's version is the current schema.
std::span<const Step> schema_steps();

/// Brings `database` to the version of the last step, in one transaction: all of it or nothing. Safe against other
/// processes that do the same. Throws Error(storage): not a store, newer version, and what the disk may refuse.
void migrate(Database& database, std::span<const Step> steps);

}  // namespace wattune::store
