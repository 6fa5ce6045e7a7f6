// Whose file it is, and how an older one becomes current: whole or not at all.
#include "store/schema.hpp"

#include "fixture.hpp"

namespace wattune::store {
namespace {

using store_test::error_of;
using store_test::TemporaryFolder;

Step sql_step(std::int64_t version, const char* sql) {
  return {version, [sql](Database& database) { database.execute(sql, "updating"); }};
}

const Step first =
    sql_step(1, "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO thing VALUES (1, 'kept')");
const Step second = sql_step(2, "ALTER TABLE thing ADD COLUMN size REAL NOT NULL DEFAULT 1.5");
const Step third = sql_step(3, "UPDATE thing SET size = 2 * size");

TEST(StoreSchema, StepsAreNumberedWithoutGaps) {
  std::int64_t version = 0;
  for (const Step& step : schema_steps()) EXPECT_EQ(step.version, ++version);
}

TEST(StoreSchema, ANewFileSaysWhoseItIs) {
  const TemporaryFolder folder;
  Store::open(folder.file());
  Database database(folder.file());
  EXPECT_EQ(database.integer("PRAGMA application_id"), application_id);
  EXPECT_EQ(database.integer("PRAGMA user_version"), schema_steps().back().version);
  EXPECT_EQ(database.integer("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"), 1);
}

TEST(StoreSchema, AnOlderFileIsBroughtUpToDateWithItsContent) {
  const TemporaryFolder folder;
  {
    Database old(folder.file());
    migrate(old, std::vector<Step>{first});
    EXPECT_EQ(old.integer("PRAGMA user_version"), 1);
  }
  Database database(folder.file());
  migrate(database, std::vector<Step>{first, second, third});
  EXPECT_EQ(database.integer("PRAGMA user_version"), 3);
  EXPECT_EQ(database.integer("SELECT count(*) FROM thing WHERE name = 'kept' AND size = 3.0"), 1);
  migrate(database, std::vector<Step>{first, second, third});
  EXPECT_EQ(database.integer("SELECT count(*) FROM thing WHERE size = 3.0"), 1) << "a step ran twice";
}

TEST(StoreSchema, AFailingStepLeavesTheOldFile) {
  const TemporaryFolder folder;
  Database database(folder.file());
  migrate(database, std::vector<Step>{first});
  const Step broken = sql_step(3, "UPDATE nothing SET size = 1");
  EXPECT_EQ(error_of([&] { migrate(database, std::vector<Step>{first, second, broken}); }).code(), ExitCode::storage);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 1);
  EXPECT_EQ(database.integer("SELECT count(*) FROM pragma_table_info('thing')"), 2);
  migrate(database, std::vector<Step>{first, second});
  EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
}

TEST(StoreSchema, ANewerFileIsRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  Store::open(folder.file());
  Database(folder.file()).execute("PRAGMA user_version = 99", "test");
  const Error error = error_of([&] { Store::open(folder.file()); });
  EXPECT_EQ(error.code(), ExitCode::storage);
  EXPECT_NE(std::string(error.what()).find("newer version of wattune (schema 99"), std::string::npos) << error.what();
  EXPECT_EQ(Database(folder.file()).integer("PRAGMA user_version"), 99);
}

TEST(StoreSchema, AForeignDatabaseIsRefusedAndLeftAlone) {
  for (const char* foreign :
       {"CREATE TABLE bookmark (url TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 3"}) {
    const TemporaryFolder folder;
    Database(folder.file()).execute(foreign, "test");
    const Error error = error_of([&] { Store::open(folder.file()); });
    EXPECT_EQ(error.code(), ExitCode::storage);
    EXPECT_NE(std::string(error.what()).find("another program"), std::string::npos) << error.what();
    Database database(folder.file());
    EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'run'"), 0);
    EXPECT_EQ(database.integer("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'delete'"), 1);
  }
}

TEST(StoreSchema, AnEmptyFileBecomesAStore) {
  const TemporaryFolder folder;
  fclose(fopen(folder.file().c_str(), "w"));
  EXPECT_TRUE(Store::open(folder.file()).runs().empty());
}

}  // namespace
}  // namespace wattune::store
