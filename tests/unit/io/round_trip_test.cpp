// What is exported is imported again without loss: our own runs and recordings of others.
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sample_run.hpp"
#include "wattune/formats.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune {
namespace {

const std::string data = WATTUNE_SOURCE_DIR "/../shared/data/";

/// Exports `space`, imports the file, removes it.
RecordedSpace through(const RecordedSpace& space, ExportFormat format) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("wattune_round_" + std::to_string(::getpid()))).string();
  {
    std::ofstream out(path, std::ios::binary);
    EXPECT_EQ(export_recording(space, format, out), space.size());
  }
  RecordedSpace back = import_recording(path);
  std::filesystem::remove(path);
  return back;
}

/// Equal to the last bit, except that microseconds (KTT) need not have a number of milliseconds that gives the same
/// seconds.
void expect_same_times(const std::vector<double>& back, const std::vector<double>& times, const RecordedSpace& space) {
  ASSERT_EQ(back.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (space.format == "ktt") {
      ASSERT_DOUBLE_EQ(back[i], times[i]);
    } else {
      ASSERT_EQ(back[i], times[i]);
    }
  }
}

void expect_same_entries(const RecordedSpace& back, const RecordedSpace& space) {
  ASSERT_EQ(back.size(), space.size());
  ASSERT_EQ(back.parameters.size(), space.parameters.size());
  EXPECT_EQ(back.status, space.status);
  expect_same_times(back.time, space.time, space);
  expect_same_times(back.compile_time, space.compile_time, space);
  expect_same_times(back.verify_time, space.verify_time, space);
  expect_same_times(back.benchmark_time, space.benchmark_time, space);
  expect_same_times(back.overhead, space.overhead, space);
  for (std::size_t i = 0; i < space.size(); ++i) ASSERT_EQ(back.configuration(i), space.configuration(i));
  for (const RecordedNumbers& numbers : space.numbers) {
    const RecordedNumbers* other = back.find_numbers(numbers.name);
    ASSERT_NE(other, nullptr) << numbers.name;
    for (std::size_t i = 0; i < space.size(); ++i) ASSERT_EQ(other->at(i), numbers.at(i)) << numbers.name;
  }
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, RecordingsOfOthers) {
  const std::string path = data + GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no data";
  const RecordedSpace space = import_recording(path);
  const RecordedSpace cache = through(space, ExportFormat::kernel_tuner);
  expect_same_entries(cache, space);
  EXPECT_EQ(cache.times.values, space.times.values);
  EXPECT_EQ(cache.finished_at, space.finished_at);
  EXPECT_EQ(cache.problem_size, space.problem_size);
  EXPECT_EQ(cache.device_name, space.device_name);
  EXPECT_EQ(cache.kernel_name, space.kernel_name);
  ASSERT_EQ(cache.samples.size(), space.samples.size());
  for (std::size_t i = 0; i < space.samples.size(); ++i) EXPECT_EQ(cache.samples[i].values, space.samples[i].values);
  for (std::size_t p = 0; p < space.parameters.size(); ++p)
    EXPECT_EQ(cache.parameters[p].values, space.parameters[p].values);

  const RecordedSpace t4 = through(space, ExportFormat::t4);
  expect_same_entries(t4, space);
  EXPECT_EQ(t4.times.values, space.times.values);
  EXPECT_EQ(t4.finished_at, space.finished_at);
  EXPECT_EQ(t4.device_name, space.device_name);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RoundTrip,
    testing::Values("kernel_tuner_caches/vector_add_15.json", "kernel_tuner_caches/vector_add_time_energy_15.json",
                    "tuning_spaces/convolution_milo/A100.json.gz", "gemm_energy/A100_gemm_898_energy.json",
                    "power_frequency/synthetic_fp32_NVIDIA_RTX_A4000.json", "fitness_flow/MI50_convolution_15x15.json",
                    "tuning_spaces/coulomb3d/coulomb_2080_full_search_space.json"));

TEST(RoundTripOwn, RunThroughEveryFormat) {
  const wattune::Run run = sample_run();
  for (ExportFormat format : {ExportFormat::kernel_tuner, ExportFormat::t4, ExportFormat::csv}) {
    SCOPED_TRACE(static_cast<int>(format));
    const std::string path =
        (std::filesystem::temp_directory_path() / ("wattune_own_" + std::to_string(::getpid()))).string();
    {
      std::ofstream out(path, std::ios::binary);
      export_run(run, format, out);
    }
    const RecordedSpace space = import_recording(path);
    std::filesystem::remove(path);
    ASSERT_EQ(space.size(), run.outcomes.size());
    for (std::size_t i = 0; i < space.size(); ++i) {
      EXPECT_EQ(space.status[i], run.outcomes[i].status);
      EXPECT_EQ(space.configuration(i), run.outcomes[i].configuration);
      EXPECT_EQ(space.compile_time[i], run.outcomes[i].compile_time.value());
      EXPECT_NEAR(space.finished_at[i], run.outcomes[i].finished_at.value(), 1e-6);
    }
    EXPECT_EQ(space.time[0], run.outcomes[0].time->time.value);
    EXPECT_EQ(space.find_numbers("gflops")->at(0), 1948.157);
    EXPECT_EQ(space.energy(0)->value(), 0.8971);
    EXPECT_EQ(space.power(0)->value(), 231.5);
    if (format == ExportFormat::csv) continue;
    ASSERT_EQ(space.objectives.size(), 2U);
    EXPECT_EQ(space.objectives[0].name, "gflops");
    EXPECT_EQ(space.device_name, run.head.device_name);
  }
}

TEST(RoundTripOwn, RunAsRecordingAndBack) {
  const wattune::Run run = sample_run();
  const RecordedSpace space = to_recording(run);
  const wattune::Run back = to_run(space);
  ASSERT_EQ(back.outcomes.size(), run.outcomes.size());
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    EXPECT_EQ(back.outcomes[i].configuration, run.outcomes[i].configuration);
    EXPECT_EQ(back.outcomes[i].status, run.outcomes[i].status);
    EXPECT_EQ(back.outcomes[i].message, run.outcomes[i].message);
  }
  EXPECT_EQ(back.outcomes[0].time->samples, run.outcomes[0].time->samples);
  EXPECT_EQ(back.outcomes[0].energy, run.outcomes[0].energy);
  EXPECT_EQ(back.best_index, run.best_index);
}

}  // namespace
}  // namespace wattune
