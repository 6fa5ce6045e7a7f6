// Exported text: what other tools rely on, and that nothing in a run can break the format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "io/date_text.hpp"
#include "io/json_text.hpp"
#include "io/quantities.hpp"
#include "sample_run.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string exported(const Run& run, ExportFormat format) {
  std::ostringstream out;
  export_run(run, format, out);
  return out.str();
}

TEST(Export, FormatsByName) {
  EXPECT_EQ(export_format_from("t4"), ExportFormat::t4);
  EXPECT_EQ(export_format_from("kernel_tuner"), ExportFormat::kernel_tuner);
  EXPECT_EQ(export_format_from("csv"), ExportFormat::csv);
  EXPECT_EQ(export_format_from("header"), ExportFormat::header);
  EXPECT_EQ(export_format_from("xml"), std::nullopt);
}

TEST(Export, NeverWritesNan) {
  for (ExportFormat format : {ExportFormat::t4, ExportFormat::kernel_tuner}) {
    const std::string text = exported(sample_run(), format);
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("NaN")));
    EXPECT_THAT(text, Not(HasSubstr("null")));
  }
}

TEST(Export, KernelTunerLayout) {
  const std::string text = exported(sample_run(), ExportFormat::kernel_tuner);
  EXPECT_THAT(text,
              HasSubstr("{\n\"device_name\": \"GPU \\\"A\\\", 40\\nGB\",\n\"kernel_name\": \"convolution_kernel\",\n"
                        "\"problem_size\": [\n4096,\n4096\n],\n\"tune_params_keys\": [\n\"block_size_x\",\n"));
  EXPECT_THAT(text, HasSubstr("\"use_padding\": [\ntrue,\nfalse\n],\n"));
  EXPECT_THAT(text, HasSubstr("\"objective\": [\n\"gflops\",\n\"time\"\n],\n\"cache\": {\n\"32,True,float,2.45,1410\": "
                              "{\"block_size_x\": 32, "));
  EXPECT_THAT(text, HasSubstr("\"time\": 3.8753279224038124, \"times\": [3.8753279224038124, "));
  EXPECT_EQ(text.substr(text.size() - 4), "}}\n}");
}

TEST(Export, KernelTunerFailures) {
  const auto json = nlohmann::json::parse(exported(sample_run(), ExportFormat::kernel_tuner));
  wattune::Run run = sample_run();
  run.head.objectives = {{"time", false, "s"}};
  const std::string text = exported(run, ExportFormat::kernel_tuner);
  EXPECT_THAT(text, HasSubstr("\"objective\": \"time\",\n"));
  EXPECT_THAT(text, HasSubstr("\"time\": \"CompilationFailedConfig\", \"compile_time\": 8965.0"));
  EXPECT_THAT(text, HasSubstr("\"time\": \"InvalidConfig\""));
  EXPECT_THAT(text, HasSubstr("\"time\": \"RuntimeFailedConfig\", \"status\": \"throttled\""));
  EXPECT_THAT(text, HasSubstr("\"timestamp\": \"2023-12-22 09:54:05.502007+00:00\""));
}

TEST(Export, EmptyRunIsStillAFile) {
  wattune::Run run = sample_run();
  run.outcomes.clear();
  run.best_index.reset();
  run.head.problem.clear();
  EXPECT_TRUE(nlohmann::json::parse(exported(run, ExportFormat::kernel_tuner))["cache"].empty());
  EXPECT_TRUE(nlohmann::json::parse(exported(run, ExportFormat::t4))["results"].empty());
  EXPECT_THROW(exported(run, ExportFormat::header), Error);
}

TEST(Export, T4KeepsStatusesNamesAndObjectives) {
  const auto json = nlohmann::json::parse(exported(sample_run(), ExportFormat::t4));
  EXPECT_EQ(json["metadata"]["timeunit"], "milliseconds");
  const auto& results = json["results"];
  ASSERT_EQ(results.size(), 2 + all_statuses.size() - 1);
  EXPECT_EQ(results[0]["configuration"]["use_padding"], true);
  EXPECT_EQ(results[0]["correctness"], 1);
  EXPECT_EQ(results[0]["objectives"], nlohmann::json::parse(R"(["gflops","time"])"));
  EXPECT_EQ(results[0]["measurements"][0]["name"], "time");
  EXPECT_EQ(results[0]["measurements"][0]["value"], 3.8753279224038124);
  EXPECT_EQ(results[0]["measurements"][0]["unit"], "ms");
  EXPECT_EQ(results[0]["times"]["runtimes"].size(), 3U);
  for (std::size_t i = 2; i < results.size(); ++i) {
    EXPECT_EQ(results[i]["correctness"], 0);
    EXPECT_FALSE(results[i]["times"].contains("runtimes"));
    EXPECT_EQ(results[i]["measurements"][1]["value"], std::string(to_string(all_statuses[i - 1])));
  }
  EXPECT_EQ(results[2]["invalidity"], "constraints");
  EXPECT_EQ(results[3]["measurements"][0]["value"], "CompilationFailedConfig");
  EXPECT_EQ(results[7]["invalidity"], "runtime");
  EXPECT_EQ(results[7]["measurements"][1]["value"], "throttled");
}

TEST(Export, CsvQuotesAndLeavesMissingNumbersEmpty) {
  const std::string text = exported(sample_run(), ExportFormat::csv);
  EXPECT_EQ(
      text.substr(0, text.find("\r\n")),
      "block_size_x,use_padding,type,factor,core_clock_mhz,status,time_s,time_low_s,time_high_s,samples,power_w,"
      "energy_j,broken,observed.core_clock_mhz,gflops,registers,verification,provenance,compile_s,verify_s,benchmark_s,"
      "overhead_s,finished_at,message");
  EXPECT_THAT(text, HasSubstr("16,False,\"say \"\"a, b\"\"\",0.5,1410,correct,0.0123,"));
  EXPECT_THAT(text, HasSubstr(",231.5,0.8971,,1395.0,1948.157,40.0,verified,measured,"));
  EXPECT_THAT(text, HasSubstr("16,True,float,0.5,1410,compile,,,,,,,,,,,none,measured,8.965,"));
  EXPECT_THAT(text, HasSubstr("\"error: \"\"x\"\",\nline 2 \xFF\"\r\n"));
}

TEST(Export, HeaderDefinesTheWinner) {
  const std::string text = exported(sample_run(), ExportFormat::header);
  EXPECT_THAT(text, HasSubstr("#ifndef WATTUNE_2D__CONV__H\n#define WATTUNE_2D__CONV__H\n"));
  EXPECT_THAT(text,
              HasSubstr("#define block_size_x 32\n#define use_padding 1\n#define type float\n#define factor 2.45\n"));
  EXPECT_THAT(text, HasSubstr("// set the device to core_clock_mhz = 1410\n"));
  EXPECT_THAT(text, HasSubstr("// Device: GPU \"A\", 40 GB, driver 535.104\n"));
  EXPECT_THAT(text, HasSubstr("// gflops: 1948.16 GFLOP/s\n"));
  EXPECT_THAT(text, HasSubstr("2023-12-22 09:54:05 UTC"));
  wattune::Run run = sample_run();
  run.best_index = 1;
  EXPECT_THAT(exported(run, ExportFormat::header), HasSubstr("#define type \"say \\\"a, b\\\"\"\n"));
}

TEST(Export, JsonTextEscapes) {
  EXPECT_EQ(io::json_quoted("a\"b\\c\n\t\x01"), "\"a\\\"b\\\\c\\n\\t\\u0001\"");
  EXPECT_EQ(io::json_quoted("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\"\\u00e4 \\u20ac \\ud83d\\ude00\"");
  EXPECT_EQ(io::json_quoted("\xFF\xC3"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(io::json_quoted("\xC0\x80"), "\"\\ufffd\\ufffd\"");
}

TEST(Export, DatesReadBack) {
  for (const char* text : {"2023-12-22 09:54:05.502007+00:00", "1999-02-28 23:59:59.000001+00:00"}) {
    const auto seconds = io::seconds_from(text);
    ASSERT_TRUE(seconds);
    EXPECT_EQ(io::utc_text(*seconds), text);
  }
  EXPECT_EQ(io::seconds_from("2023-12-22T10:54:05+01:00"), io::seconds_from("2023-12-22 09:54:05"));
  EXPECT_EQ(io::seconds_from("2024-08-12 11:26:23 UTC")->value(), 1723461983.0);
  EXPECT_EQ(io::seconds_from("2023-13-01 00:00:00"), std::nullopt);
  EXPECT_EQ(io::seconds_from("2023-02-30 00:00:00"), std::nullopt);
  EXPECT_EQ(io::seconds_from("today"), std::nullopt);
}

TEST(Export, MillisecondsComeBackExactly) {
  for (double ms : {3.8753279224038124, 0.5536, 68.11658, 1e20, 0.0, 440.9545585513115}) {
    const double seconds = io::seconds_of_ms(ms);
    EXPECT_EQ(io::seconds_of_ms(io::ms_of_seconds(seconds)), seconds);
  }
  EXPECT_EQ(io::ms_of_seconds(io::seconds_of_ms(0.5536)), 0.5536);
}

}  // namespace
}  // namespace wattune
