// Several processes and threads on one file, and processes that are killed while they write.
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "fixture.hpp"
#include "wattune/random.hpp"

namespace wattune::store_test {
namespace {

std::string integrity(const std::string& path) {
  sqlite3* connection = nullptr;
  sqlite3_open(path.c_str(), &connection);
  std::string answer;
  sqlite3_exec(
      connection, "PRAGMA integrity_check; PRAGMA foreign_key_check;",
      [](void* out, int, char** cells, char**) {
        *static_cast<std::string*>(out) += cells[0];
        return 0;
      },
      &answer, nullptr);
  sqlite3_close(connection);
  return answer;
}

/// Appends outcomes without end and acknowledges each on `pipe` after append() returned. Moves the journal into the
/// file far more often than a real run, so that kills meet that too.
[[noreturn]] void append_forever(const std::string& path, std::int64_t run, int pipe) {
  try {
    Store store = Store::open(path);
    sqlite3* other = nullptr;
    if (sqlite3_open(path.c_str(), &other) != SQLITE_OK) _exit(4);
    for (std::uint64_t next = store.load(run).outcomes.size();; ++next) {
      store.append(run, full_outcome(static_cast<int>(next)));
      if (write(pipe, &next, sizeof next) != sizeof next) _exit(2);
      if (next % 4 == 0) sqlite3_wal_checkpoint_v2(other, nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
    }
  } catch (...) {
    _exit(3);
  }
}

/// Starts a child that appends, kills it after `count` acknowledgements and `spin` more, and returns all it
/// acknowledged.
std::vector<std::uint64_t> kill_after(const std::string& path, std::int64_t run, std::size_t count,
                                      std::chrono::microseconds spin) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    append_forever(path, run, ends[1]);
  }
  close(ends[1]);
  std::vector<std::uint64_t> acknowledged;
  std::uint64_t sequence = 0;
  const auto receive = [&] { return read(ends[0], &sequence, sizeof sequence) == sizeof sequence; };
  while (acknowledged.size() < count && receive()) acknowledged.push_back(sequence);
  const auto until = std::chrono::steady_clock::now() + spin;
  while (std::chrono::steady_clock::now() < until) {
  }
  kill(child, SIGKILL);
  while (receive()) acknowledged.push_back(sequence);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);
  close(ends[0]);
  return acknowledged;
}

TEST(StoreProcesses, NothingAcknowledgedIsLostByKill) {
  const TemporaryFolder folder;
  const std::uint64_t seed = std::random_device{}();
  RecordProperty("seed", std::to_string(seed));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  const std::int64_t run = Store::open(folder.file()).begin_run(full_head());
  std::size_t stored = 0;
  for (int moment = 0; moment < 20; ++moment) {
    const auto acknowledged =
        kill_after(folder.file(), run, 1 + random.below(60), std::chrono::microseconds(random.below(500)));
    ASSERT_FALSE(acknowledged.empty());
    EXPECT_EQ(acknowledged.front(), stored);
    ASSERT_EQ(integrity(folder.file()), "ok");
    const wattune::Run found = Store::open(folder.file()).load(run);
    ASSERT_GE(found.outcomes.size(), acknowledged.back() + 1) << "moment " << moment;
    ASSERT_LE(found.outcomes.size(), acknowledged.back() + 2) << "at most the one that was not acknowledged yet";
    for (; stored < found.outcomes.size(); ++stored) {
      expect_equal(found.outcomes[stored], full_outcome(static_cast<int>(stored)));
    }
  }
}

TEST(StoreProcesses, AnUpdateToRunningClaimsARun) {
  const TemporaryFolder folder;
  RunRecord head = full_head();
  head.id = Store::open(folder.file()).begin_run(head);  // no connection may be open across a fork
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    head.state = RunState::running;
    Store::open(folder.file()).update_run(head);
    if (write(ends[1], &head.id, sizeof head.id) != sizeof head.id) _exit(2);
    while (true) pause();
  }
  std::int64_t claimed = 0;
  ASSERT_EQ(read(ends[0], &claimed, sizeof claimed), static_cast<ssize_t>(sizeof claimed));
  Store store = Store::open(folder.file());
  EXPECT_FALSE(store.unfinished_run(head.key, names()));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(store.unfinished_run(head.key, names()));
  close(ends[0]);
  close(ends[1]);
}

TEST(StoreProcesses, ARunUnderWayElsewhereIsNotResumed) {
  const TemporaryFolder folder;
  const std::int64_t own = Store::open(folder.file()).begin_run(full_head());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    {
      Store store = Store::open(folder.file());
      const std::int64_t run = store.begin_run(full_head());
      if (write(ends[1], &run, sizeof run) != sizeof run) _exit(2);
    }
    while (true) pause();
  }
  std::int64_t other = 0;
  ASSERT_EQ(read(ends[0], &other, sizeof other), static_cast<ssize_t>(sizeof other));
  Store store = Store::open(folder.file());
  ASSERT_GT(other, own);
  EXPECT_EQ(store.unfinished_run(full_head().key, names())->id, own);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(store.unfinished_run(full_head().key, names())->id, other);
  close(ends[0]);
  close(ends[1]);
}

TEST(StoreProcesses, AppendingClaimsARun) {
  const TemporaryFolder folder;
  const std::int64_t run = Store::open(folder.file()).begin_run(full_head());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) append_forever(folder.file(), run, ends[1]);
  std::uint64_t sequence = 0;
  ASSERT_EQ(read(ends[0], &sequence, sizeof sequence), static_cast<ssize_t>(sizeof sequence));
  Store store = Store::open(folder.file());
  EXPECT_FALSE(store.unfinished_run(full_head().key, names()));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(store.unfinished_run(full_head().key, names()));
  close(ends[0]);
  close(ends[1]);
}

TEST(StoreProcesses, TwoConnectionsWriteToOneRunInTurn) {
  const TemporaryFolder folder;
  Store one = Store::open(folder.file());
  Store two = Store::open(folder.file());
  const std::int64_t run = one.begin_run(full_head());
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ((i % 2 == 0 ? one : two).append(run, full_outcome(i)), static_cast<std::uint64_t>(i));
  EXPECT_EQ(one.load(run).outcomes.size(), 10U);
  EXPECT_EQ(two.load(run).outcomes.size(), 10U);
}

TEST(StoreProcesses, ConnectionsAppendAtTheSameTime) {
  const TemporaryFolder folder;
  constexpr int writers = 4;
  constexpr int each = 100;
  std::vector<std::int64_t> runs(writers);
  Store reader = Store::open(folder.file());
  for (std::int64_t& run : runs) run = reader.begin_run(full_head());
  {
    std::vector<std::jthread> threads;
    for (int writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        Store store = Store::open(folder.file());
        for (int i = 0; i < each; ++i) store.append(runs[writer], full_outcome(1000 * writer + i));
      });
    }
  }
  for (int writer = 0; writer < writers; ++writer) {
    const wattune::Run run = reader.load(runs[writer]);
    ASSERT_EQ(run.outcomes.size(), static_cast<std::size_t>(each));
    for (int i = 0; i < each; ++i) expect_equal(run.outcomes[i], full_outcome(1000 * writer + i));
  }
  EXPECT_EQ(reader.outcomes_for(full_head().key, names()).size(), static_cast<std::size_t>(writers * each));
}

TEST(StoreProcesses, ManyMayCreateTheSameStoreAtOnce) {
  const TemporaryFolder folder;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { Store::open(folder.file()).begin_run(full_head()); });
  }
  EXPECT_EQ(Store::open(folder.file()).runs().size(), 8U);
}

TEST(StoreProcesses, ReadersSeeTheLastCommitWhileSomeoneWrites) {
  const TemporaryFolder folder;
  Store store = Store::open(folder.file());
  const std::int64_t run = store.begin_run(full_head());
  store.append(run, full_outcome(1));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.file().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE; DELETE FROM outcome", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(store.load(run).outcomes.size(), 1U);
  EXPECT_EQ(store.runs().at(0).outcomes, 1U);
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
}

}  // namespace
}  // namespace wattune::store_test
