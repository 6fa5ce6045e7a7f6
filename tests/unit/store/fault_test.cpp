// What a user meets when the place of the store is at fault: one Error(storage) each, and nothing stored before is
// lost.
#include "store/fault.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "fixture.hpp"

namespace wattune::store_test {
namespace {

void expect_clear(const Error& error, const std::string& path, const std::string& part) {
  EXPECT_EQ(error.code(), ExitCode::storage);
  ASSERT_EQ(error.problems().size(), 1U);
  EXPECT_EQ(error.problems()[0].where, path);
  EXPECT_NE(error.problems()[0].message.find(part), std::string::npos) << error.what();
  EXPECT_FALSE(error.problems()[0].hint.empty()) << error.what();
}

/// Root may write anywhere, so file permissions are tried as user 65534.
class AsNobody {
 public:
  AsNobody() : root_(geteuid() == 0) {
    if (root_ && seteuid(65534) != 0) root_ = false;
  }
  ~AsNobody() {
    if (root_ && seteuid(0) != 0) std::abort();
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  [[nodiscard]] static bool effective() { return geteuid() != 0; }

 private:
  bool root_;
};

/// While it lives, SQLite's writes fail with `error`.
class FailingWrites {
 public:
  explicit FailingWrites(int error) {
    error_ = error;
    sqlite3_vfs* files = sqlite3_vfs_find(nullptr);
    files->xSetSystemCall(files, "write", reinterpret_cast<sqlite3_syscall_ptr>(&fail));
    files->xSetSystemCall(files, "pwrite", reinterpret_cast<sqlite3_syscall_ptr>(&fail_at));
    files->xSetSystemCall(files, "pwrite64", reinterpret_cast<sqlite3_syscall_ptr>(&fail_at));
  }
  ~FailingWrites() {
    sqlite3_vfs* files = sqlite3_vfs_find(nullptr);
    for (const char* name : {"write", "pwrite", "pwrite64"}) files->xSetSystemCall(files, name, nullptr);
  }
  FailingWrites(const FailingWrites&) = delete;
  FailingWrites& operator=(const FailingWrites&) = delete;

 private:
  static ssize_t fail(int, const void*, size_t) {
    errno = error_;
    return -1;
  }
  static ssize_t fail_at(int, const void*, size_t, off_t) {
    errno = error_;
    return -1;
  }
  inline static int error_ = 0;
};

class StoreFault : public testing::Test {
 protected:
  /// A store with one run of `count` outcomes.
  void fill(int count) {
    Store store = Store::open(path);
    run = store.begin_run(full_head());
    for (int i = 0; i < count; ++i) store.append(run, full_outcome(i));
  }
  void expect_kept(int count) {
    const wattune::Run loaded = Store::open(path).load(run);
    ASSERT_EQ(loaded.outcomes.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) expect_equal(loaded.outcomes[i], full_outcome(i));
  }

  TemporaryFolder folder;
  std::string path = folder.file();
  std::int64_t run = 0;
};

TEST_F(StoreFault, FullDiskKeepsWhatWasStoredAndGoesOnAfterwards) {
  Store store = Store::open(path);
  run = store.begin_run(full_head());
  store.append(run, full_outcome(0));
  for (const int error : {ENOSPC, EDQUOT, EFBIG}) {
    const FailingWrites full(error);
    expect_clear(error_of([&] { store.append(run, full_outcome(1)); }), path, "no space left while storing");
    expect_clear(error_of([&] { store.append_batch(run, std::vector<Outcome>(3, full_outcome(1))); }), path,
                 "no space left");
    EXPECT_EQ(store.load(run).outcomes.size(), 1U);
  }
  EXPECT_EQ(store.append(run, full_outcome(1)), 1U);
  expect_kept(2);
}

TEST_F(StoreFault, FullDiskAtCreation) {
  {
    const FailingWrites full(ENOSPC);
    expect_clear(error_of([&] { Store::open(path); }), path, "no space left");
  }
  fill(1);
  expect_kept(1);
}

TEST_F(StoreFault, OtherWriteFaultsSayWhatTheSystemSaid) {
  Store store = Store::open(path);
  run = store.begin_run(full_head());
  {
    const FailingWrites broken(EIO);
    expect_clear(error_of([&] { store.append(run, full_outcome(0)); }), path, std::strerror(EIO));
  }
  store.append(run, full_outcome(0));
  expect_kept(1);
}

TEST_F(StoreFault, ReadOnlyFile) {
  fill(2);
  chmod(folder.path().c_str(), 0777);
  chmod(path.c_str(), 0444);
  {
    const AsNobody nobody;
    if (!AsNobody::effective()) GTEST_SKIP() << "skipped: root cannot become another user here";
    expect_clear(error_of([&] { Store::open(path); }), path, "read-only");
  }
  chmod(path.c_str(), 0644);
  expect_kept(2);
}

TEST_F(StoreFault, ReadOnlyFolder) {
  fill(2);
  chmod(path.c_str(), 0666);
  chmod(folder.path().c_str(), 0555);
  {
    const AsNobody nobody;
    if (!AsNobody::effective()) GTEST_SKIP() << "skipped: root cannot become another user here";
    EXPECT_EQ(error_of([&] { Store::open(path); }).code(), ExitCode::storage);
    expect_clear(error_of([&] { Store::open(folder.file("new.db")); }), folder.file("new.db"), "cannot be opened");
  }
  chmod(folder.path().c_str(), 0755);
  expect_kept(2);
}

TEST_F(StoreFault, UnreadableFile) {
  fill(1);
  chmod(folder.path().c_str(), 0777);
  chmod(path.c_str(), 0000);
  {
    const AsNobody nobody;
    if (!AsNobody::effective()) GTEST_SKIP() << "skipped: root cannot become another user here";
    expect_clear(error_of([&] { Store::open(path); }), path, "cannot be opened");
  }
  chmod(path.c_str(), 0644);
  expect_kept(1);
}

TEST_F(StoreFault, FolderInItsPlace) {
  std::filesystem::create_directory(path);
  expect_clear(error_of([&] { Store::open(path); }), path, "folder is in the place");
}

TEST_F(StoreFault, FolderThatDoesNotExist) {
  const std::string deep = folder.file("no/such/runs.db");
  expect_clear(error_of([&] { Store::open(deep); }), deep, "does not exist");
}

TEST_F(StoreFault, AnotherKindOfFileIsLeftAlone) {
  const std::string text = "name,value\na,1\n" + std::string(4000, 'x');
  std::ofstream(path) << text;
  expect_clear(error_of([&] { Store::open(path); }), path, "no SQLite database");
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

TEST_F(StoreFault, DamagedPagesAreNamed) {
  fill(200);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8 * 4096);  // past the schema: the file still opens
    const std::string garbage(20 * 4096, '\xa5');
    file.write(garbage.data(), static_cast<std::streamsize>(garbage.size()));
  }
  expect_clear(error_of([&] { Store::open(path).load(run); }), path, "damaged");
}

TEST_F(StoreFault, CutOffFileIsNamed) {
  fill(200);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_clear(error_of([&] {
                 Store store = Store::open(path);
                 store.load(run);
               }),
               path, "damaged");
}

TEST_F(StoreFault, UnreadableHeadIsNamed) {
  fill(1);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "UPDATE run SET parameters = '[{'", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  expect_clear(error_of([&] { Store::open(path).load(run); }), path, "head of a run is unreadable");
}

TEST(StoreFaultText, AStoreThatIsHeldTooLong) {
  expect_clear(store::storage_error(nullptr, SQLITE_BUSY, "f", "storing"), "f", "another process");
  expect_clear(store::storage_error(nullptr, SQLITE_READONLY_DBMOVED, "f", "storing"), "f", "moved or deleted");
}

}  // namespace
}  // namespace wattune::store_test
