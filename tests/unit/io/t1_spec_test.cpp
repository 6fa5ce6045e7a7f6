#include <gtest/gtest.h>

#include <string>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

/// A T1 file around the given parts, each a JSON text with a comma at its end.
std::string t1(const std::string& parameters, const std::string& conditions, const std::string& kernel,
               const std::string& rest = "") {
  return R"({"ConfigurationSpace": {"TuningParameters": [)" + parameters + R"(], "Conditions": [)" + conditions +
         R"(]}, )" + rest + R"("KernelSpecification": {)" + kernel +
         R"("Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu"}})";
}

const std::string block_and_filter =
    R"t({"Name": "block_size_x", "Type": "int", "Values": "[1, 2] + list(range(32, 129, 32))", "Default": [64]},
        {"Name": "filter_width", "Type": "int", "Values": "[i for i in range(3, 9, 2)]", "Default": 17})t";

std::string message_of(const std::string& text) {
  try {
    (void)parse_t1_spec(text, "conv.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(T1Spec, ReadsParametersAndConditions) {
  const Spec spec = parse_t1_spec(
      t1(block_and_filter, R"({"Expression": "block_size_x * filter_width <= 300", "Parameters": ["block_size_x"]})",
         "", R"("General": {"BenchmarkName": "conv"}, )"),
      "folder/conv.json");
  EXPECT_EQ(spec.name, "conv");
  EXPECT_EQ(spec.directory, "folder");
  ASSERT_EQ(spec.parameters.size(), 2U);
  EXPECT_EQ(spec.parameters[0].values,
            (std::vector<Value>{Value(1), Value(2), Value(32), Value(64), Value(96), Value(128)}));
  EXPECT_EQ(spec.parameters[0].default_value, std::optional(Value(64)));  // written as a list of one
  EXPECT_EQ(spec.parameters[1].values, (std::vector<Value>{Value(3), Value(5), Value(7)}));
  EXPECT_FALSE(spec.parameters[1].default_value.has_value());  // 17 is no value: real files have that
  ASSERT_EQ(spec.constraints.size(), 1U);
  EXPECT_EQ(spec.constraints[0].value, "block_size_x * filter_width <= 300");
  EXPECT_EQ(spec.kernel.language, Language::cuda);
  ASSERT_EQ(spec.kernel.files.size(), 1U);
  EXPECT_EQ(spec.kernel.files[0].value, "k.cu");
}

TEST(T1Spec, SizesAreOverWholeValueLists) {
  const Spec spec = parse_t1_spec(
      t1(block_and_filter, "",
         R"t("ProblemSize": [4096, 512], "GridDivX": ["block_size_x"], "LocalSize": {"X": "block_size_x", "Y": "nobody"},
            "SharedMemory": 0, "Arguments": [
              {"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant",
               "FillValue": 0.0, "Size": "ProblemSize[0] * ProblemSize[1]", "Output": 1},
              {"Name": "in", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Random",
               "FillValue": 324.0, "Size": "(ProblemSize[0] + max(filter_width) - 1)"},
              {"Name": "f", "Type": "double", "MemoryType": "Vector", "MemType": "Constant", "FillType": "Random",
               "FillValue": 1.0, "Size": 49},
              {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 7}],)t"),
      "conv.json");
  ASSERT_EQ(spec.arguments.size(), 4U);
  EXPECT_EQ(spec.arguments[0].size->value, "2097152");
  EXPECT_TRUE(spec.arguments[0].output);
  EXPECT_EQ(spec.arguments[1].size->value, "4102");
  EXPECT_EQ(spec.arguments[1].fill.kind, FillSpec::Kind::random);
  EXPECT_DOUBLE_EQ(spec.arguments[1].fill.high, 324.0);
  EXPECT_FALSE(spec.arguments[1].output);
  EXPECT_EQ(spec.arguments[2].kind, ArgumentKind::constant);
  EXPECT_EQ(spec.arguments[2].type, ElementType::f64);
  EXPECT_EQ(spec.arguments[3].kind, ArgumentKind::scalar);
  EXPECT_EQ(spec.arguments[3].value->value, "7");
  ASSERT_EQ(spec.launch.grid.size(), 2U);
  EXPECT_EQ(spec.launch.grid[0].size->value, "problem_size_x");
  ASSERT_EQ(spec.launch.grid[0].divisors.size(), 1U);
  EXPECT_TRUE(spec.launch.grid[1].divisors.empty());
  ASSERT_EQ(spec.launch.block.size(), 1U);  // Y names a parameter that does not exist: Kernel Tuner ignores it
  EXPECT_FALSE(spec.launch.shared_bytes.has_value());
  ASSERT_EQ(spec.problem.size(), 2U);
  EXPECT_EQ(spec.problem[1].value, Value(512));
}

TEST(T1Spec, WithoutProblemSizeTheGridIsTheGlobalSize) {
  const std::string geometry =
      R"("GlobalSize": {"X": "4096 // block_size_x", "Y": "1"}, "LocalSize": {"X": "block_size_x"}, )";
  const Spec blocks = parse_t1_spec(t1(block_and_filter, "", geometry + R"("GlobalSizeType": "CUDA", )"), "a.json");
  ASSERT_EQ(blocks.launch.grid.size(), 2U);
  EXPECT_EQ(blocks.launch.grid[0].blocks->value, "4096 // block_size_x");
  const Spec threads = parse_t1_spec(t1(block_and_filter, "", geometry + R"("GlobalSizeType": "OpenCL", )"), "a.json");
  EXPECT_FALSE(threads.launch.grid[0].blocks.has_value());
  ASSERT_EQ(threads.launch.grid[0].divisors.size(), 1U);
  EXPECT_EQ(threads.launch.grid[0].divisors[0].value, "block_size_x");
}

TEST(T1Spec, ReadsBudgetAndSearch) {
  const Spec spec = parse_t1_spec(
      t1(block_and_filter, "", "",
         R"("Budget": [{"Type": "TuningDuration", "BudgetValue": 60}, {"Type": "ConfigurationFraction", "BudgetValue": 0.5},
            {"Type": "ConfigurationCount", "BudgetValue": 100}],
            "Search": {"Name": "genetic_algorithm", "Attributes": [{"Name": "popsize", "Value": 20}]}, )"),
      "a.json");
  EXPECT_DOUBLE_EQ(spec.budget.seconds.value(), 60.0);
  EXPECT_DOUBLE_EQ(spec.budget.fraction.value(), 0.5);
  EXPECT_EQ(spec.budget.evaluations, std::optional<std::uint64_t>(100));
  EXPECT_EQ(spec.strategy.name.value, "genetic_algorithm");
  EXPECT_EQ(spec.strategy.options.at("popsize").value, Value(20));
}

TEST(T1Spec, FaultsNameFileAndPathAllAtOnce) {
  const std::string message =
      message_of(t1(R"({"Name": "x", "Type": "int", "Values": "[1, 2"}, {"Type": "int", "Values": "[1]"})",
                    R"({"Expression": "blok > 1"})", R"("Arguments": [{"Name": "a", "Type": "quux", "Size": 1}],)"));
  EXPECT_NE(message.find("conv.json: ConfigurationSpace.TuningParameters[0].Values"), std::string::npos) << message;
  EXPECT_NE(message.find("conv.json: ConfigurationSpace.TuningParameters[1].Name"), std::string::npos) << message;
  EXPECT_NE(message.find("conv.json: ConfigurationSpace.Conditions[0].Expression"), std::string::npos) << message;
  EXPECT_NE(message.find("conv.json: KernelSpecification.Arguments[0].Type"), std::string::npos) << message;
}

TEST(T1Spec, RefusesWhatItCannotDoWithout) {
  EXPECT_NE(message_of("{\"a\": 1,\n \"b\": }").find("line 2"), std::string::npos);
  EXPECT_NE(message_of("{}").find("ConfigurationSpace"), std::string::npos);
  EXPECT_NE(message_of("{}").find("KernelSpecification"), std::string::npos);
  EXPECT_NE(message_of("[]").find("ConfigurationSpace"), std::string::npos);
  EXPECT_NE(message_of(t1(R"({"Name": "x", "Type": "int", "Values": "[]"})", "", "")).find("empty"), std::string::npos);
  EXPECT_NE(message_of(t1(block_and_filter, "", R"("ProblemSize": [1.5],)")).find("whole number"), std::string::npos);
}

}  // namespace
}  // namespace wattune
