// Text helpers: nearest names for messages, splitting, hashing of sources, reading of files.
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "wattune/error.hpp"

namespace wattune::base {
namespace {

TEST(Text, EditDistanceOfTextbookPairs) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("saturday", "sunday"), 3U);
  EXPECT_EQ(edit_distance("abcd", "acbd"), 1U) << "a swap of neighbours is one slip";
  EXPECT_EQ(edit_distance("ca", "abc"), 3U) << "no edits inside a swapped pair (optimal string alignment)";
}

TEST(Text, EditDistanceIsSymmetricAndZeroOnlyForEqualTexts) {
  const std::vector<std::string> words = {"", "a", "tile", "tiles", "tlie", "block_size_x", "block_size_y"};
  for (const auto& a : words) {
    for (const auto& b : words) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
      EXPECT_EQ(edit_distance(a, b) == 0, a == b);
    }
  }
}

TEST(Text, NearestTakesALikelySlipOnly) {
  const std::vector<std::string> known = {"strategy", "budget", "objective", "x"};
  EXPECT_EQ(nearest("stratgy", known), "strategy");
  EXPECT_EQ(nearest("BUDGET", known), "budget");
  EXPECT_EQ(nearest("objetcive", known), "objective");
  EXPECT_EQ(nearest("y", known), "x");
  EXPECT_EQ(nearest("tolerance", known), "");
  EXPECT_EQ(nearest("anything", {}), "");
  EXPECT_EQ(did_you_mean("stratgy", known), "did you mean 'strategy'?");
  EXPECT_EQ(did_you_mean("tolerance", known), "");
}

TEST(Text, NearestPrefersTheSmallerDistance) {
  EXPECT_EQ(nearest("block_size_z", std::vector<std::string>{"block_size", "block_size_x"}), "block_size_x");
}

TEST(Text, SplitJoinTrim) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(join(std::vector<std::string>{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(trim("größe "), "größe");
}

TEST(Text, FirstLinesSaysWhenItCuts) {
  EXPECT_EQ(first_lines("one\ntwo\nthree\n", 2), "one\ntwo\n…");
  EXPECT_EQ(first_lines("one\ntwo\n", 2), "one\ntwo");
  EXPECT_EQ(first_lines("one\n\n\n", 1), "one") << "blank lines are not worth a mark";
  EXPECT_EQ(first_lines("", 3), "");
}

TEST(Text, CaseIsFoldedForAsciiOnly) {
  EXPECT_EQ(lower("GEMM_Größe"), "gemm_größe");
  EXPECT_TRUE(starts_with_no_case("OpenCL:0", "opencl"));
  EXPECT_FALSE(starts_with_no_case("open", "opencl"));
}

TEST(Text, ContentHashIsStable) {
  // Stores keep these: a change would make every earlier measurement unknown.
  EXPECT_EQ(content_hash(""), "cbf29ce4e1db6d579ae16a3b62e0f552");
  EXPECT_EQ(content_hash("__kernel void f() {}\n"), "b4199dc5e05ff0993b5e682517b6417c");
}

TEST(Text, ContentHashTellsTextsApart) {
  std::set<std::string> seen;
  std::set<std::string> left;
  std::set<std::string> right;
  constexpr std::size_t count = 50'000;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string hash = content_hash("tile = " + std::to_string(i));
    ASSERT_EQ(hash.size(), 32U);
    seen.insert(hash);
    left.insert(hash.substr(0, 16));
    right.insert(hash.substr(16));
  }
  EXPECT_EQ(seen.size(), count);
  EXPECT_EQ(left.size(), count) << "each half alone: 64 bits make a collision of 50,000 a matter of 1 in 10^10";
  EXPECT_EQ(right.size(), count);
  EXPECT_NE(content_hash("ab"), content_hash("ba"));
  EXPECT_NE(content_hash("a"), content_hash(std::string("a\0", 2)));
}

class ReadFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("wattune-text-" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                                   "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ReadFile, GivesTheBytes) {
  const std::string bytes("a\r\n\0µ\xff", 7);
  std::ofstream(folder_ / "f", std::ios::binary) << bytes;
  EXPECT_EQ(read_file((folder_ / "f").string(), "source"), bytes);
  std::ofstream(folder_ / "empty");
  EXPECT_EQ(read_file((folder_ / "empty").string(), "source"), "");
}

TEST_F(ReadFile, SaysWhatIsMissing) {
  const std::string path = (folder_ / "none").string();
  try {
    read_file(path, "kernel source");
    FAIL() << "a file that is not there was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_EQ(error.problems().at(0).where, path);
    EXPECT_EQ(error.problems().at(0).message, "cannot read kernel source: No such file or directory");
  }
}

TEST_F(ReadFile, AFolderIsNotAnEmptyFile) {
  EXPECT_THROW(read_file(folder_.string(), "kernel source"), Error);
}

}  // namespace
}  // namespace wattune::base
