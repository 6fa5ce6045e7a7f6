// Runs with equal keys share measurements by reference; unfinished runs are found again.
#include <sqlite3.h>

#include "fixture.hpp"

namespace wattune::store_test {
namespace {

std::int64_t count(const std::string& path, const std::string& table) {
  sqlite3* connection = nullptr;
  sqlite3_open(path.c_str(), &connection);
  std::int64_t rows = -1;
  sqlite3_exec(
      connection, ("SELECT count(*) FROM " + table).c_str(),
      [](void* out, int, char** cells, char**) {
        *static_cast<std::int64_t*>(out) = std::stoll(cells[0]);
        return 0;
      },
      &rows, nullptr);
  sqlite3_close(connection);
  return rows;
}

TEST(StoreSharing, AReusedOutcomeIsStoredOnce) {
  const TemporaryFolder folder;
  Store store = Store::open(folder.file());
  const std::int64_t first = store.begin_run(full_head());
  store.append(first, full_outcome(1));
  store.append(first, failed_outcome(2));
  const std::int64_t second = store.begin_run(full_head());
  EXPECT_EQ(store.append(second, failed_outcome(2), true), 0U);
  EXPECT_EQ(store.append(second, full_outcome(1), true), 1U);
  EXPECT_EQ(store.append(second, full_outcome(3), false), 2U);
  EXPECT_EQ(count(folder.file(), "outcome WHERE source IS NULL"), 3);
  EXPECT_EQ(count(folder.file(), "context"), 1);
  const wattune::Run run = store.load(second);
  ASSERT_EQ(run.outcomes.size(), 3U);
  expect_equal(run.outcomes[0], failed_outcome(2));
  expect_equal(run.outcomes[1], full_outcome(1));
  expect_equal(run.outcomes[2], full_outcome(3));
}

TEST(StoreSharing, AReusedOutcomeKeepsThisRunsMetrics) {
  Store store = Store::open(":memory:");
  const std::int64_t first = store.begin_run(full_head());
  store.append(first, full_outcome(1));
  Outcome other = full_outcome(1);
  other.metrics = {{"GB/s", 17.5}};
  const std::int64_t second = store.begin_run(full_head());
  store.append(second, other, true);
  expect_equal(store.load(first).outcomes.at(0), full_outcome(1));
  expect_equal(store.load(second).outcomes.at(0), other);
  store.set_result(second, 0, 0, {});
  expect_equal(*store.runs().at(0).best, other);
}

TEST(StoreSharing, AReusedOutcomeThatIsNotThereIsStored) {
  Store store = Store::open(":memory:");
  const std::int64_t run = store.begin_run(full_head());
  store.append(run, full_outcome(1), true);
  expect_equal(store.load(run).outcomes.at(0), full_outcome(1));
}

TEST(StoreSharing, ReuseRefersToTheMeasurementItCameFrom) {
  Store store = Store::open(":memory:");
  const std::int64_t first = store.begin_run(full_head());
  const Outcome earlier = full_outcome(1);
  Outcome later = earlier;
  later.finished_at = earlier.finished_at + Seconds(100);
  later.power = Watts(1);
  store.append(first, earlier);
  store.append(first, later);
  const std::int64_t second = store.begin_run(full_head());
  store.append(second, earlier, true);
  expect_equal(store.load(second).outcomes.at(0), earlier);
}

TEST(StoreSharing, OutcomesForGivesTheNewestOfEachConfiguration) {
  Store store = Store::open(":memory:");
  const std::int64_t first = store.begin_run(full_head());
  store.append(first, full_outcome(1));
  store.append(first, full_outcome(2));
  Outcome again = full_outcome(1);
  again.power = Watts(1);
  again.finished_at += Seconds(100);
  const std::int64_t second = store.begin_run(full_head());
  store.append(second, again);
  const auto outcomes = store.outcomes_for(full_head().key, names());
  ASSERT_EQ(outcomes.size(), 2U);
  expect_equal(outcomes[0], again);
  expect_equal(outcomes[1], full_outcome(2));
}

TEST(StoreSharing, OneAndOnePointZeroAreDifferentConfigurations) {
  Store store = Store::open(":memory:");
  const std::int64_t run = store.begin_run(full_head());
  for (const Value& tile : {Value(1), Value(1.0), Value(true)}) {
    Outcome outcome = full_outcome();
    outcome.configuration[0] = tile;
    store.append(run, outcome);
  }
  const auto outcomes = store.outcomes_for(full_head().key, names());
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_TRUE(outcomes[0].configuration[0].is_boolean());
  EXPECT_TRUE(outcomes[1].configuration[0].is_real());
  EXPECT_TRUE(outcomes[2].configuration[0].is_integer());
}

TEST(StoreSharing, EveryPartOfTheKeyCounts) {
  Store store = Store::open(":memory:");
  store.append(store.begin_run(full_head()), full_outcome(1));
  const auto found = [&](auto change) {
    MeasurementKey key = full_head().key;
    change(key);
    return store.outcomes_for(key, names()).size();
  };
  EXPECT_EQ(found([](MeasurementKey&) {}), 1U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.kernel += "x"; }), 0U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.source_hash += "x"; }), 0U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.options += "x"; }), 0U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.device_uuid += "x"; }), 0U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.driver += "x"; }), 0U);
  EXPECT_EQ(found([](MeasurementKey& key) { key.problem += "x"; }), 0U);
  EXPECT_TRUE(store.outcomes_for(full_head().key, std::vector<std::string>{"tile", "scale", "padding"}).empty());
}

TEST(StoreSharing, OnlyMeasuredOutcomesAreOffered) {
  Store store = Store::open(":memory:");
  const std::int64_t run = store.begin_run(full_head());
  for (const auto provenance : {Provenance::replayed, Provenance::simulated, Provenance::predicted}) {
    Outcome outcome = full_outcome();
    outcome.provenance = provenance;
    store.append(run, outcome);
  }
  EXPECT_TRUE(store.outcomes_for(full_head().key, names()).empty());
}

TEST(StoreSharing, ParametersInAnotherOrderAreTheSame) {
  Store store = Store::open(":memory:");
  store.append(store.begin_run(full_head()), full_outcome(7));
  RunRecord head = full_head();
  std::swap(head.parameters[0], head.parameters[3]);
  const auto outcomes = store.outcomes_for(head.key, std::vector<std::string>{"layout", "scale", "padding", "tile"});
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_TRUE(identical(outcomes[0].configuration, {"spalte ü", 0.1, true, 7}));
  const std::int64_t run = store.begin_run(head);
  store.append(run, outcomes[0], true);
  EXPECT_TRUE(identical(store.load(run).outcomes.at(0).configuration, {"spalte ü", 0.1, true, 7}));
}

TEST(StoreSharing, TheNewestUnfinishedRunIsFound) {
  Store store = Store::open(":memory:");
  EXPECT_FALSE(store.unfinished_run(full_head().key, names()));
  RunRecord head = full_head();
  std::vector<std::int64_t> ids;
  for (const auto state : {RunState::interrupted, RunState::running, RunState::finished, RunState::failed}) {
    head.state = state;
    ids.push_back(store.begin_run(head));
  }
  auto found = store.unfinished_run(head.key, names());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, ids[1]);
  EXPECT_EQ(found->state, RunState::running);
  EXPECT_EQ(found->seed, full_head().seed);
  found->state = RunState::finished;
  store.update_run(*found);
  EXPECT_EQ(store.unfinished_run(head.key, names())->id, ids[0]);
  MeasurementKey other = head.key;
  other.driver = "other";
  EXPECT_FALSE(store.unfinished_run(other, names()));
  EXPECT_FALSE(store.unfinished_run(head.key, std::vector<std::string>{"tile"}));
}

}  // namespace
}  // namespace wattune::store_test
