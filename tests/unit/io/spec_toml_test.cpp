// A complete TOML spec, read part by part; and every spec under examples/.
#include <gtest/gtest.h>

#include <filesystem>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

constexpr std::string_view complete = R"toml(
name = "gemm"
[kernel]
name = "gemm<{MWG}, float>"
files = ["a.cu", "b.h"]
language = "cuda"
options = ["-O3"]
cuda_options = ["-std=c++17"]
defines = { TS = "MWG // 2", TWO = 2 }
[problem]
M = 4096
K = 1024
scale = 0.5
[problem.cpu]
M = 512
[launch]
grid = [ { size = "M", divide = ["MWG", 2] }, "K // 4", { blocks = 7 } ]
block = ["NWG", 8]
shared_bytes = "4*MWG"
[[argument]]
name = "A"
type = "float"
size = "M*K"
fill = { random = [-1.0, 2], seed = 3 }
[[argument]]
name = "C"
type = "double"
size = "M*M"
fill = 0.5
output = true
[[argument]]
name = "alpha"
type = "float"
value = 1.5
[[argument]]
name = "tile"
type = "int"
size = "MWG"
kind = "local"
[[argument]]
name = "index"
type = "uint32"
size = 16
fill = { ramp = 1, step = 2 }
[[argument]]
name = "filter"
type = "half"
size = 9
kind = "constant"
fill = { file = "f.bin" }
[tune]
constraints = [ "MWG % NWG == 0", "32 <= NWG * 8 <= M" ]
objectives = [ { maximize = "gflops" }, "energy" ]
strategy = { name = "genetic_algorithm", population = 20, elitism = true }
seed = 42
[tune.parameters]
MWG = { values = [16, 32, 64], default = 32 }
NWG = "range(16, 33, 16)"
VECTOR = { values = "[2**i for i in range(3)]", default = 2 }
use = [true, false]
mode = ["fast", "safe"]
factor = [0.5, 1]
[metrics]
gflops = { expression = "2*M*M*K/time/1e9", unit = "GFLOP/s" }
per_watt = "gflops / power"
[verify]
kernel = "gemm_reference"
grid = [ { size = "M", divide = [16] } ]
block = 16
relative = 1e-3
absolute = 1e-5
[budget]
evaluations = 500
fraction = 0.5
[budget.cpu]
seconds = 60
[measure]
interval_percent = 0.5
min_repeats = 9
cache = "cold"
)toml";

const Spec& spec() {
  static const Spec read = parse_toml_spec(complete, "folder/gemm.toml");
  return read;
}

TEST(TomlSpec, Kernel) {
  EXPECT_EQ(spec().name, "gemm");
  EXPECT_EQ(spec().directory, "folder");
  EXPECT_EQ(spec().kernel.name.value, "gemm<{MWG}, float>");
  EXPECT_EQ(to_string(spec().kernel.name.at), "folder/gemm.toml:4:8");
  ASSERT_EQ(spec().kernel.files.size(), 2U);
  EXPECT_EQ(spec().kernel.files[1].value, "b.h");
  EXPECT_EQ(spec().kernel.language, Language::cuda);
  EXPECT_EQ(spec().kernel.options, std::vector<std::string>{"-O3"});
  EXPECT_EQ(spec().kernel.cuda_options, std::vector<std::string>{"-std=c++17"});
  EXPECT_EQ(spec().kernel.defines.at("TS"), "MWG // 2");
  EXPECT_EQ(spec().kernel.defines.at("TWO"), "2");
}

TEST(TomlSpec, ProblemKeepsFileOrderAndOverrides) {
  ASSERT_EQ(spec().problem.size(), 3U);
  EXPECT_EQ(spec().problem[0].name, "M");
  EXPECT_EQ(spec().problem[0].value, Value(4096));
  EXPECT_EQ(spec().problem[1].name, "K");
  EXPECT_EQ(spec().problem[2].value, Value(0.5));
  ASSERT_EQ(spec().problem_for.count("cpu"), 1U);
  EXPECT_EQ(spec().problem_for.at("cpu")[0].value, Value(512));
  EXPECT_EQ(spec().problem_for.count("gpu"), 0U);
}

TEST(TomlSpec, Launch) {
  const LaunchSpec& launch = spec().launch;
  ASSERT_EQ(launch.grid.size(), 3U);
  EXPECT_EQ(launch.grid[0].size->value, "M");
  ASSERT_EQ(launch.grid[0].divisors.size(), 2U);
  EXPECT_EQ(launch.grid[0].divisors[1].value, "2");
  EXPECT_EQ(launch.grid[1].blocks->value, "K // 4");
  EXPECT_FALSE(launch.grid[1].size);
  EXPECT_EQ(launch.grid[2].blocks->value, "7");
  ASSERT_EQ(launch.block.size(), 2U);
  EXPECT_EQ(launch.block[1].value, "8");
  EXPECT_EQ(launch.shared_bytes->value, "4*MWG");
}

TEST(TomlSpec, Arguments) {
  const auto& arguments = spec().arguments;
  ASSERT_EQ(arguments.size(), 6U);
  EXPECT_EQ(arguments[0].fill.kind, FillSpec::Kind::random);
  EXPECT_EQ(arguments[0].fill.low, -1.0);
  EXPECT_EQ(arguments[0].fill.high, 2.0);
  EXPECT_EQ(arguments[0].fill.seed, 3U);
  EXPECT_EQ(arguments[1].type, ElementType::f64);
  EXPECT_EQ(arguments[1].fill.value, 0.5);
  EXPECT_TRUE(arguments[1].output);
  EXPECT_EQ(arguments[2].kind, ArgumentKind::scalar);
  EXPECT_EQ(arguments[2].value->value, "1.5");
  EXPECT_EQ(arguments[3].kind, ArgumentKind::local);
  EXPECT_EQ(arguments[3].size->value, "MWG");
  EXPECT_EQ(arguments[4].fill.kind, FillSpec::Kind::ramp);
  EXPECT_EQ(arguments[4].fill.value, 1.0);
  EXPECT_EQ(arguments[4].fill.step, 2.0);
  EXPECT_EQ(arguments[5].kind, ArgumentKind::constant);
  EXPECT_EQ(arguments[5].fill.path, "f.bin");
}

TEST(TomlSpec, ParametersInFileOrderWithTheirValues) {
  const auto& parameters = spec().parameters;
  ASSERT_EQ(parameters.size(), 6U);
  EXPECT_EQ(parameters[0].name, "MWG");
  EXPECT_EQ(parameters[0].default_value, Value(32));
  EXPECT_EQ(parameters[1].values, (std::vector<Value>{16, 32}));
  EXPECT_FALSE(parameters[1].default_value);
  EXPECT_EQ(parameters[2].values, (std::vector<Value>{1, 2, 4}));
  EXPECT_TRUE(parameters[3].values[0].is_boolean());
  EXPECT_EQ(parameters[4].values[1], Value("safe"));
  EXPECT_TRUE(parameters[5].values[0].is_real());
  EXPECT_TRUE(parameters[5].values[1].is_integer());
}

TEST(TomlSpec, Goals) {
  ASSERT_EQ(spec().constraints.size(), 2U);
  EXPECT_EQ(spec().constraints[1].value, "32 <= NWG * 8 <= M");
  ASSERT_EQ(spec().objectives.size(), 2U);
  EXPECT_EQ(spec().objectives[0].name.value, "gflops");
  EXPECT_TRUE(spec().objectives[0].maximize);
  EXPECT_FALSE(spec().objectives[1].maximize);
  EXPECT_EQ(spec().strategy.name.value, "genetic_algorithm");
  EXPECT_EQ(spec().strategy.options.at("population").value, Value(20));
  EXPECT_TRUE(spec().strategy.options.at("elitism").value.is_boolean());
  EXPECT_EQ(spec().seed, 42U);
  ASSERT_EQ(spec().metrics.size(), 2U);
  EXPECT_EQ(spec().metrics[0].unit, "GFLOP/s");
  EXPECT_EQ(spec().metrics[1].expression.value, "gflops / power");
}

TEST(TomlSpec, VerificationBudgetAndMeasure) {
  EXPECT_EQ(spec().verification.kind, VerificationSpec::Kind::reference_kernel);
  EXPECT_EQ(spec().verification.kernel.name.value, "gemm_reference");
  EXPECT_EQ(spec().verification.launch.block[0].value, "16");
  EXPECT_EQ(spec().verification.relative_tolerance, 1e-3);
  EXPECT_EQ(spec().budget.evaluations, 500U);
  EXPECT_EQ(spec().budget.fraction, 0.5);
  EXPECT_EQ(spec().budget_for.at("cpu").seconds, 60.0);
  EXPECT_EQ(spec().measure.interval_percent, 0.5);
  EXPECT_EQ(spec().measure.min_repeats, 9U);
  EXPECT_EQ(spec().measure.cache, "cold");
}

TEST(TomlSpec, SmallestSpecTakesDefaults) {
  const Spec small = parse_toml_spec(
      "[kernel]\nname = 'add'\nsource = 'x'\n[tune.parameters]\nblock_size_x = [32, 64]\n", "folder/add.toml");
  EXPECT_EQ(small.name, "add");
  EXPECT_EQ(small.kernel.source, "x");
  EXPECT_EQ(small.kernel.language, Language::automatic);
  EXPECT_TRUE(small.objectives.empty());
  EXPECT_EQ(small.strategy.name.value, "auto");
  EXPECT_EQ(small.verification.kind, VerificationSpec::Kind::none);
  EXPECT_EQ(small.measure.min_repeats, 7U);
  EXPECT_EQ(small.measure.interval_percent, 1.0);
}

TEST(TomlSpec, ReferenceFilesAndDefault) {
  const std::string head =
      "[kernel]\nname='k'\nfile='k.cl'\n[tune.parameters]\nb=[1]\n[[argument]]\nname='C'\ntype='int'\nsize=4\noutput="
      "true\n";
  const Spec files = parse_toml_spec(head + "[verify]\nfiles = { C = 'c.bin' }\n", "a.toml");
  EXPECT_EQ(files.verification.kind, VerificationSpec::Kind::reference_file);
  EXPECT_EQ(files.verification.files.at("C"), "c.bin");
  const Spec by_default = parse_toml_spec(head + "[verify]\ndefault = true\n", "a.toml");
  EXPECT_EQ(by_default.verification.kind, VerificationSpec::Kind::default_configuration);
}

TEST(TomlSpec, EveryExampleReads) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WATTUNE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    try {
      const Spec example = parse_toml_spec(
          [&] {
            std::FILE* file = std::fopen(entry.path().c_str(), "rb");
            std::string text(std::filesystem::file_size(entry.path()), '\0');
            text.resize(std::fread(text.data(), 1, text.size(), file));
            std::fclose(file);
            return text;
          }(),
          entry.path().string());
      EXPECT_FALSE(example.parameters.empty());
      ++count;
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace wattune
