// Small files with every oddity that real recordings have, and what is refused.
#include <bzlib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/byte_source.hpp"
#include "io/importers.hpp"
#include "io/json_elements.hpp"
#include "io/json_scanner.hpp"
#include "sample_run.hpp"
#include "wattune/error.hpp"
#include "wattune/formats.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file that goes with the test.
class Scratch {
 public:
  explicit Scratch(std::string_view text, const std::string& ending = ".json")
      : path_((std::filesystem::temp_directory_path() /
               ("wattune_io_" + std::to_string(::getpid()) + "_" + std::to_string(count_++) + ending))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::string path_;
};

RecordedSpace import_text(std::string_view text, const std::string& ending = ".json") {
  const Scratch file(text, ending);
  return import_recording(file.path());
}

std::string refusal(std::string_view text) {
  try {
    static_cast<void>(import_text(text));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
}

const std::string head =
    "{\n\"device_name\": \"X\",\n\"kernel_name\": \"k\",\n\"problem_size\": [\n1000,\n2\n],\n\"tune_params_keys\": "
    "[\n\"bx\",\n\"use\"\n],\n"
    "\"tune_params\": {\n\"bx\": [\n32,\n64\n],\n\"use\": [\ntrue,\nfalse\n]\n},\n\"cache\": {";
const std::string entry_a = "\n\"32,True\": {\"bx\": 32, \"use\": true, \"time\": 1.5, \"times\": [1.0, 2.0]}";
const std::string entry_b =
    ",\n\"64,True\": {\"bx\": 64, \"use\": true, \"time\": 2.5, \"GFLOP/s\": 3, \"nvml_power\": 100.0}";

TEST(ImportCache, ClosedAndUnclosedFilesAreTheSame) {
  for (const std::string ending : {"}\n}", "}}", "", ",", ",\n", ",\n\"64,False\": {\"bx\": 64, \"us", ",\n\"64,Fa"}) {
    SCOPED_TRACE(ending);
    const RecordedSpace space = import_text(head + entry_a + entry_b + ending);
    EXPECT_EQ(space.size(), 2U);
    EXPECT_EQ(space.correct_count(), 2U);
    EXPECT_EQ(space.time, (std::vector<double>{1.5 / 1e3, 2.5 / 1e3}));
    EXPECT_THAT(space.times.at(0), ElementsAre(1.0 / 1e3, 2.0 / 1e3));
    EXPECT_TRUE(space.times.at(1).empty());
    EXPECT_EQ(space.note.empty(), ending.substr(0, 1) == "}");
  }
}

TEST(ImportCache, FailuresOfAllGenerations) {
  const RecordedSpace space =
      import_text(head +
                  "\n\"a\": {\"bx\": 32, \"use\": true, \"time\": \"CompilationFailedConfig\", \"GFLOP/s\": 9, "
                  "\"times\": [1.0]},\n" +
                  "\"b\": {\"bx\": 32, \"use\": false, \"__error__\": \"InvalidConfig\"},\n" +
                  "\"c\": {\"bx\": 64, \"use\": true, \"time\": 1e20},\n" +
                  "\"d\": {\"bx\": 64, \"use\": false, \"time\": \"ErrorConfig\", \"status\": \"throttled\"}}\n}");
  EXPECT_THAT(space.status, ElementsAre(Status::compile, Status::constraints, Status::runtime, Status::throttled));
  EXPECT_EQ(space.find_numbers("GFLOP/s"), nullptr);  // stale: the entry failed
  EXPECT_TRUE(space.times.values.empty());
}

TEST(ImportCache, NanAndInfinityAreNoTimes) {
  const RecordedSpace space =
      import_text(head + "\n\"a\": {\"bx\": 32, \"use\": true, \"time\": NaN},\n" +
                  "\"b\": {\"bx\": 64, \"use\": true, \"time\": Infinity, \"x\": -Infinity},\n" +
                  "\"c\": {\"bx\": 64, \"use\": false, \"time\": 1, \"x\": NaN, \"compile_time\": Infinity, \"times\": "
                  "[NaN, 1, Infinity]}}\n}");
  EXPECT_THAT(space.status, ElementsAre(Status::runtime, Status::runtime, Status::correct));
  EXPECT_THAT(space.times.at(2), ElementsAre(1.0 / 1e3));
  EXPECT_EQ(space.find_numbers("x"), nullptr);
  EXPECT_EQ(space.compile_time[2], 0.0);
}

TEST(ImportCache, ProblemSizesAndObjectives) {
  const auto with = [](const std::string& members) {
    return import_text(
        "{" + members +
        "\"tune_params\": {\"bx\": [1, 2]}, \"cache\": {\"1\": {\"bx\": 1, \"time\": 1.0, \"GFLOP/s\": 2.0}}}");
  };
  EXPECT_EQ(with("").problem, "");
  EXPECT_EQ(with("").objectives[0].name, "time");
  EXPECT_EQ(with("\"problem_size\": 1000, ").problem, "1000");
  EXPECT_EQ(with("\"problem_size\": [1000], ").problem, "1000");
  EXPECT_EQ(with("\"problem_size\": \"(1000, 2)\", ").problem_size, (std::vector<double>{1000, 2}));
  EXPECT_EQ(with("\"problem_size\": \"callable\", ").problem, "callable");
  EXPECT_TRUE(with("\"problem_size\": \"callable\", ").problem_size.empty());
  const RecordedSpace several = with("\"objective\": [\"GFLOP/s\", \"time\"], ");
  ASSERT_EQ(several.objectives.size(), 2U);
  EXPECT_TRUE(several.objectives[0].maximize);
  EXPECT_FALSE(several.objectives[1].maximize);
}

TEST(ImportCache, MembersInAnyOrderAndEntriesWithoutParameters) {
  const RecordedSpace space = import_text(
      "{\"cache\": {\"2,a b\": {\"time\": 1.0}, \"1,c\": {\"time\": 2.0}}, \"tune_params\": {\"x\": [1, 2], \"s\": "
      "[\"a b\", \"c\"]}, "
      "\"tune_params_keys\": [\"x\", \"s\"], \"kernel_name\": \"q\"}");
  EXPECT_EQ(space.kernel_name, "q");
  EXPECT_EQ(space.configuration(0), (std::vector<Value>{2, "a b"}));
  EXPECT_EQ(space.configuration(1), (std::vector<Value>{1, "c"}));
}

TEST(ImportCache, ObjectiveWithoutTime) {
  const RecordedSpace space = import_text(
      "{\"objective\": \"score\", \"tune_params\": {\"x\": [1, 2]}, \"cache\": {\"1\": {\"x\": 1, \"score\": 0.5}, "
      "\"2\": {\"x\": 2, \"score\": 0.7}}}");
  EXPECT_EQ(space.correct_count(), 2U);
  const wattune::Run run = to_run(space);
  EXPECT_EQ(run.best_index, 1U);  // a score is higher the better
  EXPECT_FALSE(run.outcomes[0].time);
}

TEST(ImportCache, DuplicatesCountOnceByTheirLastEntry) {
  const RecordedSpace space =
      import_text(head + entry_a + ",\n\"32,True\": {\"bx\": 32, \"use\": true, \"time\": 9.0}}\n}");
  const RecordedIndex index(space);
  EXPECT_EQ(index.duplicates(), 1U);
  EXPECT_EQ(index.find_values(std::vector<Value>{32, true}), 1U);
  EXPECT_EQ(index.find_values(std::vector<Value>{32, 1}), 1U);  // True equals 1
}

TEST(ImportCache, FaultsNameTheirLine) {
  // 22 lines stand in front of the entries; the third entry is broken.
  const std::string broken = "{\"bx\": 64, \"use\": false \"time\": 1}";
  EXPECT_THAT(refusal(head + entry_a + entry_b + ",\n\"64,False\": " + broken + "}\n}"),
              HasSubstr(".json:25: not valid JSON"));
  EXPECT_THAT(refusal(head + "\n\"64,False\": " + broken + "}\n}"), HasSubstr(".json:23: not valid JSON"));
}

TEST(ImportCache, ManyPiecesInPlace) {
  std::string text = head;
  for (int i = 0; i < 5000; ++i) {
    text += (i > 0 ? ",\n\"" : "\n\"") + std::to_string(i) + "\": {\"bx\": " + std::to_string(i) +
            ", \"use\": true, \"time\": " + std::to_string(i + 1) +
            ", \"times\": [1, 2, 3, 4, 5, 6, 7, 8], \"text\": \"},\\n\\\"\"}";
  }
  const RecordedSpace space = import_text(text + "}\n}");
  ASSERT_EQ(space.size(), 5000U);
  EXPECT_EQ(space.parameters[0].values.size(), 5000U);
  for (std::size_t i = 0; i < space.size(); ++i) {
    ASSERT_EQ(space.value(i, 0), Value(static_cast<std::int64_t>(i)));
    ASSERT_EQ(space.time[i], static_cast<double>(i + 1) / 1e3);
    ASSERT_EQ(space.times.at(i).size(), 8U);
  }
}

TEST(Import, RefusesWithFileAndReason) {
  EXPECT_THAT(refusal(""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("{\"a\": 1}"), HasSubstr("unknown format"));
  EXPECT_THAT(refusal("{\"ConfigurationSpace\": {}}"), HasSubstr("T1"));
  EXPECT_THAT(refusal(head + "}\n}"), HasSubstr("no entries"));
  EXPECT_THAT(refusal("{\"tune_params\": {\"x\": [1]}, \"cache\": {\"1\": {\"x\": 1, \"time\": 1.0 \"y\" 2}}}"),
              HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"cache\": {\"1\": {\"x\": 1, \"time\": 1.0}}}"), HasSubstr("has no 'tune_params'"));
  EXPECT_THAT(refusal("{\"tune_params\": {\"x\": [1]}, \"cache\": {\"1\": {\"time\": 1.0}, \"7\": {\"time\": 1}}}"),
              HasSubstr("no value for 'x'"));
  EXPECT_THAT(refusal(std::string_view("a\0b", 3)), HasSubstr("not a text file"));
  // Found by fuzzing: a first result without a configuration left later ones without room for theirs.
  EXPECT_THAT(refusal("{\"results\": [{\"configuration\": {}}, {\"configuration\": {\"x\": 1}, \"times\": {}}]}"),
              HasSubstr("result 1 has no configuration"));
  EXPECT_THAT(refusal("{\"Results\": [{\"Configuration\": []}]}"), HasSubstr("no 'Configuration'"));
  EXPECT_THROW(static_cast<void>(import_recording("/no/such/file")), Error);
  EXPECT_THROW(static_cast<void>(import_recording("/tmp")), Error);
}

TEST(Import, T4MetadataGoesWithItsResults) {
  const std::string metadata =
      R"({"metadata": {"operating_system": "Linux", "hardware": {"hardware_description": []}, "environment":
      {"device_query": {"nvidia-smi": {"nvidia_smi_log": {"driver_version": "535.1", "gpu": {"@id": "0",
      "product_name": "NVIDIA A100"}}}}, "requirements": ["numpy==1.0"]}}, "schema_version": "1.0.0"})";
  EXPECT_THAT(refusal(metadata), HasSubstr("is T4 metadata: hardware and environment, no results"));
  EXPECT_THAT(refusal(metadata), HasSubstr("--metadata"));
  RecordedSpace space = import_text(
      R"({"results": [{"configuration": {"x": 1}, "times": {"runtimes": [2.0]}, "invalidity": "correct",
      "correctness": 1}], "metadata": {"timeunit": "milliseconds"}, "schema_version": "1.0.0"})");
  const Scratch file(metadata);
  add_t4_metadata(space, file.path());
  EXPECT_EQ(space.device_name, "NVIDIA A100");
  EXPECT_EQ(space.note, "recorded under Linux, driver 535.1");
  const Scratch amd(
      R"({"metadata": {"environment": {"device_query": {"rocm-smi": {"card0": {"Card series": "MI50"}}}}}})");
  space.device_name.clear();
  add_t4_metadata(space, amd.path());
  EXPECT_EQ(space.device_name, "MI50");
  const Scratch other("{\"results\": [], \"metadata\": {}}");
  EXPECT_THROW(add_t4_metadata(space, other.path()), Error);
  const Scratch broken("{\"metadata\": ");
  EXPECT_THROW(add_t4_metadata(space, broken.path()), Error);
}

TEST(Import, CompressedFiles) {
  const std::string text = head + entry_a + entry_b + "}\n}";
  const Scratch gzip("", ".gz");
  for (int members : {1, 2}) {  // two members: only the careful reader takes those
    gzFile file = ::gzopen(gzip.path().c_str(), "wb");
    const std::size_t half = members == 1 ? text.size() : text.size() / 2;
    ::gzwrite(file, text.data(), static_cast<unsigned>(half));
    ::gzclose(file);
    if (members == 2) {
      file = ::gzopen(gzip.path().c_str(), "ab");
      ::gzwrite(file, text.data() + half, static_cast<unsigned>(text.size() - half));
      ::gzclose(file);
    }
    EXPECT_EQ(import_recording(gzip.path()).size(), 2U);
  }
  const Scratch bzip2("", ".bz2");
  BZFILE* file = ::BZ2_bzopen(bzip2.path().c_str(), "wb");
  ::BZ2_bzwrite(file, const_cast<char*>(text.data()), static_cast<int>(text.size()));
  ::BZ2_bzclose(file);
  EXPECT_EQ(import_recording(bzip2.path()).size(), 2U);
  const Scratch damaged(std::string_view("\x1F\x8B\x08\x00garbage that is no deflate", 30), ".gz");
  EXPECT_THROW(static_cast<void>(import_recording(damaged.path())), Error);
}

TEST(Import, PieceByPieceGivesTheSame) {
  std::string text = head;
  for (int i = 0; i < 1000; ++i) {
    text += (i > 0 ? ",\n" : "\n") + std::string("\"k") + std::to_string(i) + "\": {\"bx\": " + (i % 2 ? "32" : "64") +
            ", \"use\": " + (i % 3 ? "true" : "false") + ", \"time\": " + std::to_string(1 + i) +
            ", \"text}\\\"]\": \"}{\"}";
  }
  const Scratch file(text + "}\n}");
  const Scratch cut(text + ",\n\"k\": {\"bx");
  const RecordedSpace whole = import_recording(file.path());
  for (const Scratch* scratch : {&file, &cut}) {
    const auto source = io::open_bytes(scratch->path());
    const RecordedSpace pieces = io::import_kernel_tuner({scratch->path(), nullptr, source.get()});
    EXPECT_EQ(pieces.time, whole.time);
    EXPECT_EQ(pieces.digits, whole.digits);
    EXPECT_EQ(pieces.kernel_name, "k");
    EXPECT_EQ(pieces.note.empty(), scratch == &file);
  }
}

TEST(ImportCsv, PlainTablesOfAllKinds) {
  const RecordedSpace plain = import_text("x;y;time_ms;power_w\n1;a;2.0;100\n2;b;3.0;\n", ".csv");
  EXPECT_EQ(plain.format, "csv");
  EXPECT_EQ(plain.configuration(1), (std::vector<Value>{2, "b"}));
  EXPECT_EQ(plain.time[0], 2.0 / 1e3);
  EXPECT_NEAR(plain.energy(0)->value(), 0.2, 1e-12);
  EXPECT_FALSE(plain.power(1));
  const RecordedSpace quoted = import_text("\"a, b\",time\r\n\"x\r\n\"\"y\"\"\",1\r\n", ".csv");
  EXPECT_EQ(quoted.parameters[0].name, "a, b");
  EXPECT_EQ(quoted.value(0, 0), Value("x\r\n\"y\""));
  EXPECT_THAT(refusal("a,b\n1,2\n"), HasSubstr("no column 'time_s'"));
  EXPECT_THAT(refusal("a,time\n1\n"), HasSubstr(":2: the row has 1 fields, the header 2"));
  EXPECT_THAT(refusal("time\n1\n"), HasSubstr("no parameters"));
  EXPECT_THAT(refusal("a,time\n\"1,2\n"), HasSubstr("does not end"));
}

TEST(ImportRecords, WisdomAndResultsStore) {
  const RecordedSpace wisdom = import_text(
      "{\"version\": \"1.0\", \"objective\": \"time\", \"tunable_parameters\": [\"x\", \"y\"], \"key\": \"add\"}\n# "
      "comment\n\n"
      "{\"config\": [1, true], \"problem_size\": [100, 2], \"time\": 2.0, \"environment\": {\"device_name\": \"A\", "
      "\"date\": \"2023-12-22T09:54:05\"}}\n"
      "{\"config\": [2, false], \"problem_size\": [100, 2], \"time\": 1.0, \"environment\": {\"device_name\": \"A\"}}\n"
      "{\"config\": [2, false], \"problem_size\": [7], \"time\": 9.0, \"environment\": {\"device_name\": \"A\"}}\n",
      ".wisdom");
  EXPECT_EQ(wisdom.format, "wisdom");
  EXPECT_EQ(wisdom.kernel_name, "add");
  EXPECT_EQ(wisdom.size(), 2U);
  EXPECT_EQ(wisdom.problem, "100x2");
  EXPECT_EQ(wisdom.time[1], 1.0 / 1e3);
  EXPECT_THAT(wisdom.note, HasSubstr("1 records"));
  const RecordedSpace store = import_text(
      "{\"version_number\": \"1.0\", \"kernel_name\": \"k\", \"objective\": \"GFLOP/s\", "
      "\"objective_higher_is_better\": true, "
      "\"tunable_parameters\": [\"x\"], \"data\": [{\"device_name\": \"A\", \"problem_size\": \"4096x4096\", "
      "\"tunable_parameters\": {\"x\": 3}, \"GFLOP/s\": 5}]}");
  EXPECT_EQ(store.format, "results_store");
  EXPECT_TRUE(store.objectives[0].maximize);
  EXPECT_EQ(store.problem_size, (std::vector<double>{4096, 4096}));
  EXPECT_EQ(store.find_numbers("GFLOP/s")->at(0), 5.0);
}

TEST(JsonScanner, TopLevelNames) {
  const auto top = io::top_level_of("{\"a\": {\"x\": [1, \"b\"]}, \"c\\\"d\": \"e\", \"f\": [\"g\"]} rest");
  EXPECT_THAT(top.names, ElementsAre("a", "c\\\"d", "f"));
  EXPECT_TRUE(top.ended);
  EXPECT_FALSE(io::top_level_of("{\"a\": {").ended);
}

}  // namespace
}  // namespace wattune
