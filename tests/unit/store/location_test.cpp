// Where the store lies when no path is given.
#include "store/location.hpp"

#include <fstream>
#include <map>

#include "fixture.hpp"

namespace wattune::store {
namespace {

using store_test::TemporaryFolder;

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found != variables.end() ? found->second : std::string();
  };
}

TEST(StoreLocation, TheVariableWins) {
  EXPECT_EQ(default_location(environment({{"WATTUNE_STORE", "mine.db"}, {"HOME", "/nowhere"}})), "mine.db");
}

TEST(StoreLocation, ThenTheDataFolderOfTheDesktopStandard) {
  const TemporaryFolder folder;
  const std::string data = folder.file("data");
  EXPECT_EQ(default_location(environment({{"XDG_DATA_HOME", data}, {"HOME", "/nowhere"}})), data + "/wattune/runs.db");
  EXPECT_TRUE(std::filesystem::is_directory(data + "/wattune"));
}

TEST(StoreLocation, ThenHome) {
  const TemporaryFolder folder;
  const std::string home = folder.path().string();
  const std::string expected = home + "/.local/share/wattune/runs.db";
  EXPECT_EQ(default_location(environment({{"HOME", home}})), expected);
  EXPECT_EQ(default_location(environment({{"HOME", home}, {"XDG_DATA_HOME", "relative"}})), expected);
}

TEST(StoreLocation, NowhereIsAStorageError) {
  EXPECT_EQ(store_test::error_of([] { default_location(environment({})); }).code(), ExitCode::storage);
  const TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  const Error error = store_test::error_of([&] { default_location(environment({{"HOME", folder.file("file")}})); });
  EXPECT_EQ(error.code(), ExitCode::storage);
  EXPECT_NE(std::string(error.what()).find("cannot be created"), std::string::npos);
}

TEST(StoreLocation, OpenWithoutAPathUsesTheEnvironment) {
  const TemporaryFolder folder;
  setenv("WATTUNE_STORE", folder.file("chosen.db").c_str(), 1);
  EXPECT_EQ(Store::open().path(), folder.file("chosen.db"));
  unsetenv("WATTUNE_STORE");
  EXPECT_TRUE(std::filesystem::exists(folder.file("chosen.db")));
}

}  // namespace
}  // namespace wattune::store
