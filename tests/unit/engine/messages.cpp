// What is shown of a compiler's log.
#include "engine/messages.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wattune::engine {
namespace {

TEST(LogExcerpt, BeginsAtTheFirstError) {
  std::string log;
  for (int i = 0; i < 50; ++i) log += "k.cu(1): warning: something\n";
  log += "k.cu(7): error: x is undefined\nmore\n";
  const std::string excerpt = log_excerpt(log);
  EXPECT_TRUE(excerpt.starts_with("k.cu(7): error")) << excerpt;
}

TEST(LogExcerpt, IsShortAndWithoutTheClosingNul) {
  std::string log;
  for (int i = 0; i < 100; ++i) log += "error: line\n";
  log += '\0';
  const std::string excerpt = log_excerpt(log);
  EXPECT_LE(std::count(excerpt.begin(), excerpt.end(), '\n'), 12);
  EXPECT_EQ(excerpt.find('\0'), std::string::npos);
  EXPECT_EQ(log_excerpt(std::string("\n\0", 2)), "");
}

TEST(ExhaustsResources, KnowsPtxas) {
  EXPECT_TRUE(
      exhausts_resources("ptxas error   : Entry function 'k' uses too much shared data (0x27100 bytes, 0xc000 max)"));
  EXPECT_FALSE(exhausts_resources("error: identifier \"shared\" is undefined"));
}

TEST(LastLevelCpuCache, TakesTheLargest) {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("wattune-cache-" + std::to_string(getpid()));
  const auto write = [&](int index, const char* size) {
    const fs::path folder = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    fs::create_directories(folder);
    std::ofstream(folder / "size") << size << '\n';
  };
  EXPECT_EQ(last_level_cpu_cache(root.string()), 0ULL);
  write(0, "32K");
  write(2, "1024K");
  write(3, "32M");
  EXPECT_EQ(last_level_cpu_cache(root.string()), 32ULL << 20U);
  fs::remove_all(root);
}

}  // namespace
}  // namespace wattune::engine
