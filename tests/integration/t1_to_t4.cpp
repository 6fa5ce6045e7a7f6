// From the definition of a space (T1) to results (T4) by way of a recording, held to the public schema. In a file of
// its own: valijson takes long to compile. Skipped without data.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "wattune/formats.hpp"
#include "wattune/replay.hpp"

namespace wattune {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;
using nlohmann::json;

json read_json(const std::string& path) {
  std::ifstream file(path);
  return json::parse(file);
}

bool valid(const std::string& schema_path, const json& document) {
  const json schema_document = read_json(schema_path);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(schema_document), schema);
  valijson::Validator validator;
  return validator.validate(schema, Adapter(document), nullptr);
}

TEST(T1ToT4, EveryConfigurationOfConvolutionBecomesAResult) {
  const std::string data = WATTUNE_SOURCE_DIR "/../shared/data/tuning_spaces/";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "skipped: no data";
  const RecordedSpace recording = import_recording(data + "convolution_milo/A100.json.gz");
  ReplayRequest request;
  request.recording = &recording;
  request.recorded_points = false;
  request.spec = read_spec(data + "kernels/convolution_milo.json");
  request.spec.strategy.name = {"brute_force", {}};
  Store store = Store::open(":memory:");
  TuneObserver silent;
  const wattune::Run run = replay(request, store, silent);

  const std::string path = (std::filesystem::temp_directory_path() / ("t4_" + std::to_string(::getpid()))).string();
  {
    std::ofstream out(path, std::ios::binary);
    EXPECT_EQ(export_run(run, ExportFormat::t4, out), 4362U);
  }
  const json document = read_json(path);
  EXPECT_TRUE(valid(WATTUNE_SOURCE_DIR "/schemas/t4/1.0.0/results-schema.json", document));
  std::map<std::string, int> invalidity;
  for (const json& result : document["results"]) ++invalidity[result["invalidity"].get<std::string>()];
  EXPECT_EQ(invalidity, (std::map<std::string, int>{{"correct", 4201}, {"runtime", 155}, {"compile", 6}}));

  const RecordedSpace back = import_recording(path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.format, "t4");
  ASSERT_EQ(back.size(), 4362U);
  const RecordedIndex index(recording);
  for (std::size_t i = 0; i < back.size(); ++i) {
    const auto entry = index.find_values(back.configuration(i));
    ASSERT_TRUE(entry);
    ASSERT_EQ(back.time[i], recording.time[*entry]);
    ASSERT_EQ(back.status[i], recording.status[*entry]);
    ASSERT_EQ(back.compile_time[i], recording.compile_time[*entry]);
  }
}

}  // namespace
}  // namespace wattune
