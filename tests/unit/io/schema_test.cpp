// Exported T4 results satisfy the schema of T4, and the specs of the examples the schema of specs (so that editors and
// the reader agree). In a file of its own: valijson takes long to compile.
#define TOML_HEADER_ONLY 1
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "sample_run.hpp"
#include "wattune/formats.hpp"

namespace wattune {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// What the schema at `path` finds wrong with `document`; "" when it is valid.
std::string violations(const std::string& path, const nlohmann::json& document) {
  std::ifstream file(path);
  const auto schema_document = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(Adapter(schema_document), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, Adapter(document), &results)) return "";
  std::string text;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) text += error.description + "\n";
  return text;
}

const std::string t4_schema = WATTUNE_SOURCE_DIR "/schemas/t4/1.0.0/results-schema.json";

TEST(ExportT4Schema, SampleRunIsValid) {
  std::ostringstream out;
  export_run(sample_run(), ExportFormat::t4, out);
  EXPECT_EQ(violations(t4_schema, nlohmann::json::parse(out.str())), "");
}

TEST(ExportT4Schema, SchemaRefusesWhatIsWrong) {
  const auto with = [](const std::string& item) {
    return nlohmann::json::parse(R"({"schema_version":"1.0.0","metadata":{"timeunit":"milliseconds"},"results":[)" +
                                 item + "]}");
  };
  EXPECT_EQ(violations(t4_schema, with(R"({"configuration":{},"times":{},"invalidity":"correct","correctness":1})")),
            "");
  EXPECT_NE(violations(t4_schema, with(R"({"configuration":{},"times":{},"invalidity":"throttled","correctness":1})")),
            "");
  EXPECT_NE(violations(t4_schema, with(R"({"times":{},"invalidity":"correct","correctness":1})")), "");
  EXPECT_NE(violations(t4_schema,
                       with(R"({"configuration":{},"times":{"runtimes":3},"invalidity":"correct","correctness":1})")),
            "");
}

const std::string spec_schema = WATTUNE_SOURCE_DIR "/schemas/spec/1/spec.schema.json";

nlohmann::json json_of(const toml::table& table) {
  std::ostringstream text;
  text << toml::json_formatter(table);
  return nlohmann::json::parse(text.str());
}

TEST(SpecSchema, EveryExampleIsValid) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WATTUNE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_EQ(violations(spec_schema, json_of(toml::parse_file(entry.path().string()))), "") << entry.path();
    ++count;
  }
  EXPECT_GT(count, 0U);
}

TEST(SpecSchema, RefusesWhatTheReaderRefuses) {
  const auto check = [](std::string_view text) { return violations(spec_schema, json_of(toml::parse(text))); };
  const std::string good = "[kernel]\nname = 'k'\nfile = 'k.cl'\n[tune.parameters]\nbx = [1, 2]\n";
  EXPECT_EQ(check(good), "");
  EXPECT_NE(check(good + "[mesure]\n"), "");
  EXPECT_NE(check(good + "[measure]\ncache = 'hot'\n"), "");
  EXPECT_NE(check(good + "[budget]\nevaluations = 0\n"), "");
  EXPECT_NE(check(good + "[launch]\nblock = [1, 1, 1, 1]\n"), "");
  EXPECT_NE(check("[kernel]\nname = 'k'\n"), "");
}

}  // namespace
}  // namespace wattune
