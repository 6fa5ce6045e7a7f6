#include "store/schema.hpp"

#include <sqlite3.h>

#include <array>
#include <string>

#include "store/fault.hpp"
#include "store/transaction.hpp"

namespace wattune::store {
namespace {

// context   what decides a number besides the configuration: MeasurementKey and the parameter names (JSON, sorted)
// run       head of a run; lists and maps as JSON text, so that a field can be added without a migration; `process`
//           tells who works on it (base/process_mark.hpp)
// outcome   one evaluation of one configuration with all its samples, in order of evaluation; BLOBs as codec.hpp says.
//           id = run * 2^32 + sequence: an append touches one page, and a run is one range; sequence 2^32 - 1 is the
//           baseline that the run did not evaluate. `source` is the id of the outcome that an earlier run measured;
//           such a row has no content but its own metrics where they differ
// finalist  re-measured, best first
// Times in seconds, power in watts, energy in joules; seed is the 64-bit pattern.
constexpr const char* first_schema = R"sql(
CREATE TABLE context (
  id INTEGER PRIMARY KEY,
  kernel TEXT NOT NULL, source_hash TEXT NOT NULL, options TEXT NOT NULL, device_uuid TEXT NOT NULL,
  driver TEXT NOT NULL, problem TEXT NOT NULL, parameters TEXT NOT NULL,
  UNIQUE (kernel, source_hash, options, device_uuid, driver, problem, parameters)
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  context INTEGER NOT NULL REFERENCES context (id),
  name TEXT NOT NULL, spec_path TEXT NOT NULL, spec_text TEXT NOT NULL, language TEXT NOT NULL,
  device_id TEXT NOT NULL, device_name TEXT NOT NULL, device_details TEXT NOT NULL,
  parameters TEXT NOT NULL, constraints TEXT NOT NULL, problem TEXT NOT NULL,
  objectives TEXT NOT NULL, metric_units TEXT NOT NULL,
  strategy TEXT NOT NULL, strategy_options TEXT NOT NULL, seed INTEGER NOT NULL, provenance TEXT NOT NULL,
  space_size INTEGER NOT NULL, cartesian_size REAL NOT NULL,
  started_at REAL NOT NULL, seconds REAL NOT NULL, state TEXT NOT NULL, note TEXT NOT NULL, version TEXT NOT NULL,
  process TEXT NOT NULL,
  default_outcome INTEGER REFERENCES outcome (id), best_outcome INTEGER REFERENCES outcome (id)
) STRICT;
CREATE INDEX run_of_context ON run (context);

CREATE TABLE outcome (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL GENERATED ALWAYS AS (id >> 32) VIRTUAL,
  sequence INTEGER NOT NULL GENERATED ALWAYS AS (id & 0xffffffff) VIRTUAL,
  source INTEGER REFERENCES outcome (id),
  configuration BLOB, status TEXT, message TEXT, provenance TEXT, verification TEXT,
  times BLOB, time_value REAL, time_low REAL, time_high REAL, converged INTEGER,
  power REAL, energy REAL, observed BLOB, metrics BLOB,
  compile_time REAL, verify_time REAL, benchmark_time REAL, overhead REAL, finished_at REAL,
  CHECK (source IS NOT NULL OR (configuration IS NOT NULL AND status IS NOT NULL AND finished_at IS NOT NULL))
) STRICT;

CREATE TABLE finalist (
  run INTEGER NOT NULL REFERENCES run (id),
  rank INTEGER NOT NULL,
  outcome INTEGER NOT NULL REFERENCES outcome (id),
  samples BLOB NOT NULL,
  time_value REAL NOT NULL, time_low REAL NOT NULL, time_high REAL NOT NULL,
  speedup_value REAL NOT NULL, speedup_low REAL NOT NULL, speedup_high REAL NOT NULL,
  PRIMARY KEY (run, rank)
) STRICT, WITHOUT ROWID;
)sql";

// Energy of finalists, for runs that are tuned for it.
constexpr const char* second_schema = R"sql(
ALTER TABLE finalist ADD COLUMN energy_samples BLOB NOT NULL DEFAULT x'';
ALTER TABLE finalist ADD COLUMN energy_value REAL NOT NULL DEFAULT 0;
ALTER TABLE finalist ADD COLUMN energy_low REAL NOT NULL DEFAULT 0;
ALTER TABLE finalist ADD COLUMN energy_high REAL NOT NULL DEFAULT 0;
ALTER TABLE finalist ADD COLUMN gain_value REAL NOT NULL DEFAULT 0;
ALTER TABLE finalist ADD COLUMN gain_low REAL NOT NULL DEFAULT 0;
ALTER TABLE finalist ADD COLUMN gain_high REAL NOT NULL DEFAULT 0;
)sql";

std::string versions(std::int64_t found, std::int64_t known) {
  return "schema " + std::to_string(found) + ", this program knows up to " + std::to_string(known);
}

/// The schema version of the file: 0 for a new one. Throws when it is not ours or newer than `known`.
std::int64_t recognise(Database& database, std::int64_t known) {
  const std::int64_t id = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (id != application_id) {
    const bool fresh = id == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    if (fresh) return 0;
    throw Error(ExitCode::storage, "not a store: an SQLite database of another program", database.path(),
                "set WATTUNE_STORE to another file; this one was left untouched");
  }
  if (version > known) {
    throw Error(ExitCode::storage,
                "the store was written by a newer version of wattune (" + versions(version, known) + ")",
                database.path(), "update wattune, or set WATTUNE_STORE to another file; this one was left untouched");
  }
  return version;
}

/// WAL is a property of the file and is switched outside of transactions. SQLite gives up at once (without its busy
/// timeout) when two processes switch the same new file: the one that lost tries again.
void use_wal(Database& database) {
  constexpr int tries = 200;
  for (int i = 1;; ++i) {
    try {
      database.execute("PRAGMA journal_mode = WAL", "opening the store");
      return;
    } catch (const Error&) {
      if (i == tries || (sqlite3_errcode(database.handle()) & 0xff) != SQLITE_BUSY) throw;
      sqlite3_sleep(10);
    }
  }
}

}  // namespace

std::span<const Step> schema_steps() {
  static const std::array<Step, 2> steps = {
      Step{1, [](Database& database) { database.execute(first_schema, "creating the store"); }},
      Step{2, [](Database& database) { database.execute(second_schema, "updating the store"); }},
  };
  return steps;
}

void migrate(Database& database, std::span<const Step> steps) {
  const std::int64_t current = steps.back().version;
  std::int64_t version = recognise(database, current);  // before use_wal(), which would already change a foreign file
  use_wal(database);
  if (version == current) return;
  TransactionControl control(database);
  Transaction transaction(control, Transaction::Kind::write);
  version = recognise(database, current);  // again, now that nobody else can write
  for (const Step& step : steps) {
    if (step.version <= version) continue;
    step.apply(database);
    database.execute(("PRAGMA user_version = " + std::to_string(step.version)).c_str(), "updating the store");
  }
  database.execute(("PRAGMA application_id = " + std::to_string(application_id)).c_str(), "creating the store");
  transaction.commit();
}

}  // namespace wattune::store
