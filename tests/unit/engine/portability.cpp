// Text handling that makes one source compile everywhere.
#include "engine/portability.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace wattune::engine {
namespace {

TEST(DetectLanguage, ReadsTheQualifiers) {
  EXPECT_EQ(detect_language("extern \"C\" __global__ void f() {}"), Language::cuda);
  EXPECT_EQ(detect_language("__kernel void f() {}"), Language::opencl);
  EXPECT_EQ(detect_language("kernel\n  void f() {}"), Language::opencl);
  EXPECT_EQ(detect_language("#include \"wattune/portable.h\"\nWT_KERNEL f() {}"), Language::portable);
  EXPECT_EQ(detect_language("  #  include <wattune/portable.h>\n"), Language::portable);
  EXPECT_EQ(detect_language("int main() { return 0; }"), Language::automatic);
  EXPECT_EQ(detect_language(""), Language::automatic);
}

TEST(DetectLanguage, SkipsCommentsStringsAndLongerWords) {
  EXPECT_EQ(detect_language("// __global__\n__kernel void f() {}"), Language::opencl);
  EXPECT_EQ(detect_language("/* __kernel\n */ __global__ void f() {}"), Language::cuda);
  EXPECT_EQ(detect_language("const char* s = \"__kernel\"; __global__ void f() {}"), Language::cuda);
  EXPECT_EQ(detect_language("// #include \"wattune/portable.h\"\n__global__ void f() {}"), Language::cuda);
  EXPECT_EQ(detect_language("int my__kernel_size; int subkernel; void kernelvoid();"), Language::automatic);
  EXPECT_EQ(detect_language("char c = '\"'; __global__ void f() {} // \""), Language::cuda);
  EXPECT_EQ(detect_language("/* never closed __kernel"), Language::automatic);
}

TEST(PortableHeader, IsBuiltIn) {
  EXPECT_NE(portable_header().find("WT_KERNEL"), std::string_view::npos);
  EXPECT_NE(portable_header().find("__kernel"), std::string_view::npos);
}

TEST(PastePortableHeader, ReplacesTheFirstIncludeAndBlanksTheRest) {
  const std::string text = paste_portable_header(
      "// first\n#include \"wattune/portable.h\"\nthird\n#include <wattune/portable.h>\nfifth\n", "dir/k.cl");
  EXPECT_TRUE(text.starts_with("// first\n#line 1 \"wattune/portable.h\"\n"));
  EXPECT_TRUE(text.ends_with("#line 3 \"dir/k.cl\"\nthird\n\nfifth\n")) << text.substr(text.size() - 60);
  const std::string header(portable_header());
  EXPECT_EQ(text.find(header), text.rfind(header));
}

TEST(PastePortableHeader, LeavesOtherSourcesAlone) {
  const std::string source =
      "a\n#include \"other.h\"\n// #include \"wattune/portable.h\"\n\"#include\"\nlast line without end";
  EXPECT_EQ(paste_portable_header(source, "x"), source);
  EXPECT_EQ(paste_portable_header("", "x"), "");
}

TEST(PasteDefinitions, KeepsTheUsersLines) {
  const std::vector<std::pair<std::string, std::string>> definitions = {{"A", "1 + 1"}, {"F(x)", "(x)"}};
  EXPECT_EQ(paste_definitions("first\n", "k\"1\\.cl", definitions),
            "#define A 1 + 1\n#define F(x) (x)\n#line 1 \"k\\\"1\\\\.cl\"\nfirst\n");
  EXPECT_EQ(paste_definitions("first\n", "k", {}), "first\n");
}

}  // namespace
}  // namespace wattune::engine
