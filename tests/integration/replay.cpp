// Replay of public recordings against their published numbers. Skipped without data.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"
#include "wattune/objective.hpp"
#include "wattune/replay.hpp"

namespace wattune {
namespace {

const std::string data = WATTUNE_SOURCE_DIR "/../shared/data/";

class ReplayData : public ::testing::Test {
 protected:
  /// Loads, or skips the test.
  bool load(const std::string& file) {
    if (!std::filesystem::exists(data + file)) return false;
    recording_ = import_recording(data + file);
    request_.recording = &recording_;
    request_.spec = spec_of(recording_);
    strategy("brute_force");
    return true;
  }
  void strategy(const std::string& name) { request_.spec.strategy.name = {name, {}}; }
  void constraint(const std::string& text) { request_.spec.constraints.push_back({text, {}}); }
  wattune::Run run() {
    TuneObserver silent;
    return replay(request_, store_, silent);
  }

  RecordedSpace recording_;
  ReplayRequest request_;
  Store store_ = Store::open(":memory:");
};

#define LOAD(file) \
  if (!load(file)) GTEST_SKIP() << "skipped: no data"

std::vector<Value> best_of(const wattune::Run& run) {
  return run.outcomes.at(*run.best_index).configuration;
}

double best_ms(const wattune::Run& run) {
  return run.outcomes.at(*run.best_index).time->time.value * 1e3;
}

std::ptrdiff_t count(const wattune::Run& run, Status status) {
  return std::ranges::count(run.outcomes, status, &Outcome::status);
}

TEST_F(ReplayData, EveryFileOfTheCollectionImports) {
  if (!std::filesystem::exists(data + "tuning_spaces")) GTEST_SKIP() << "skipped: no data";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data + "tuning_spaces")) {
    const std::string folder = entry.path().parent_path().filename().string();
    if (!entry.is_regular_file() || folder == "kernels") continue;  // those are definitions, not recordings
    SCOPED_TRACE(entry.path());
    const RecordedSpace recording = import_recording(entry.path().string());
    EXPECT_GT(recording.correct_count(), 200U);
    ++files;
  }
  EXPECT_EQ(files, 9);
}

TEST_F(ReplayData, ConvolutionA100) {
  LOAD("tuning_spaces/convolution_milo/A100.json.gz");
  const wattune::Run run = this->run();
  EXPECT_EQ(run.outcomes.size(), 4362U);
  EXPECT_EQ(count(run, Status::correct), 4201);
  EXPECT_EQ(count(run, Status::runtime), 155);
  EXPECT_EQ(count(run, Status::compile), 6);
  EXPECT_NEAR(best_ms(run), 0.5536, 5e-5);
  EXPECT_EQ(best_of(run), (std::vector<Value>{32, 4, 1, 3, 1, 0, 1, 1, 15, 15}));
  EXPECT_NEAR(run.outcomes[*run.best_index].observed.at("GFLOP/s"), 13637.55, 0.005);
  EXPECT_EQ(run.finalists.front().samples.size(), 32U);
  EXPECT_EQ(store_.load(run.head.id).outcomes.size(), 4362U);
}

TEST_F(ReplayData, DedispersionA100CostsTenHours) {
  LOAD("tuning_spaces/dedispersion_milo/A100.json.gz");
  const wattune::Run run = this->run();
  EXPECT_EQ(run.outcomes.size(), 11130U);
  EXPECT_NEAR(best_ms(run), 68.11658, 5e-6);
  EXPECT_EQ(best_of(run), (std::vector<Value>{4, 64, 1, 1, 3, 0, 1, 0}));
  EXPECT_NEAR(run.outcomes[*run.best_index].observed.at("GB/s"), 1154.54, 0.005);
  EXPECT_NEAR(run.head.seconds.value(), 36348.36, 0.005);
}

TEST_F(ReplayData, AMinuteOfRandomSearchEndsAtTheFirstEvaluationPastIt) {
  LOAD("tuning_spaces/convolution_milo/A100.json.gz");
  strategy("random_sample");
  request_.spec.budget.seconds = 60;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    request_.spec.seed = seed;
    const wattune::Run run = this->run();
    const Outcome& last = run.outcomes.back();
    const Seconds before = run.head.seconds - (last.compile_time + last.verify_time + last.benchmark_time);
    EXPECT_GE(run.head.seconds.value(), 60.0);
    EXPECT_LT(before.value(), 60.0);
  }
}

TEST_F(ReplayData, ADefinitionOfMoreThanWasRecordedNamesWhatIsAbsent) {
  LOAD("tuning_spaces/convolution_milo/A100.json.gz");
  request_.recorded_points = false;  // no constraints: 10,240 points, of which 4,362 were recorded
  try {
    run();
    FAIL() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("has no configuration block_size_x=16, block_size_y=1, tile_size_x=1"),
              std::string::npos);
  }
}

TEST_F(ReplayData, AllPointsOfACartesianRecordingAreSeenAndFailuresCost) {
  LOAD("fitness_flow/MI50_convolution_15x15.json");
  const wattune::Run all = run();
  EXPECT_EQ(all.head.space_size, 864U);
  EXPECT_EQ(count(all, Status::correct), 414);
  EXPECT_EQ(count(all, Status::runtime), 450);
  strategy("random_sample");
  request_.spec.budget.evaluations = 100;
  const wattune::Run some = run();
  EXPECT_EQ(some.outcomes.size(), 100U);
  EXPECT_GT(count(some, Status::runtime), 20);
}

TEST_F(ReplayData, VectorAdd) {
  LOAD("kernel_tuner_caches/vector_add_15.json");
  const wattune::Run all = run();
  EXPECT_EQ(all.outcomes.size(), 15U);
  EXPECT_EQ(best_of(all), std::vector<Value>{768});
  EXPECT_NEAR(best_ms(all), 0.031758, 5e-7);
  EXPECT_NEAR(all.head.seconds.value() * 1e3, 6637.254, 5e-4);
  request_.spec.budget.fraction = 0.1;
  EXPECT_EQ(run().outcomes.size(), 2U);
  request_.spec.budget.fraction.reset();
  constraint("block_size_x <= 512");
  constraint("block_size_x > 128");
  EXPECT_EQ(run().outcomes.size(), 6U);
}

TEST_F(ReplayData, TwoObjectivesHaveAFrontOfTwo) {
  LOAD("kernel_tuner_caches/vector_add_time_energy_15.json");
  request_.spec.objectives = {{{"time", {}}, false}, {{"energy", {}}, false}};
  strategy("nsga2");
  const wattune::Run run = this->run();
  ASSERT_EQ(run.outcomes.size(), 15U);
  const ObjectiveSet objectives(run.head.objectives);
  std::set<std::int64_t> front;
  for (const Outcome& candidate : run.outcomes) {
    const auto a = *objectives.scores(candidate);
    const bool dominated = std::ranges::any_of(run.outcomes, [&](const Outcome& other) {
      const auto b = *objectives.scores(other);
      return b[0] <= a[0] && b[1] <= a[1] && (b[0] < a[0] || b[1] < a[1]);
    });
    if (!dominated) front.insert(candidate.configuration[0].as_integer());
  }
  EXPECT_EQ(front, (std::set<std::int64_t>{832, 896}));
}

TEST_F(ReplayData, EnergyUnderALimitOnTime) {
  LOAD("gemm_energy/A100_gemm_898_energy.json");
  const wattune::Run fastest = run();
  EXPECT_NEAR(best_ms(fastest), 10.160, 5e-4);
  EXPECT_NEAR(fastest.outcomes[*fastest.best_index].energy->value(), 2.780, 5e-4);
  request_.spec.objectives = {{{"energy", {}}, false}};
  const wattune::Run thriftiest = run();
  EXPECT_NEAR(best_ms(thriftiest), 12.275, 5e-4);
  EXPECT_NEAR(thriftiest.outcomes[*thriftiest.best_index].energy->value(), 2.192, 5e-4);
  constraint("time_ms < 11");
  const wattune::Run between = run();
  EXPECT_LT(best_ms(between), 11.0);
  const double energy = between.outcomes[*between.best_index].energy->value();
  EXPECT_GT(energy, 2.192);
  EXPECT_LT(energy, 2.780);
}

TEST_F(ReplayData, SamplesOfAMergeAreNoNoise) {
  LOAD("tuning_spaces/pnpoly/RTX_3090.json.gz");
  EXPECT_EQ(run().outcomes.size(), 4092U);
  request_.samples = 1;
  EXPECT_THROW(run(), Error);
}

TEST_F(ReplayData, AutoFindsAGoodConfigurationInAHundredEvaluations) {
  LOAD("tuning_spaces/dedispersion_milo/A100.json.gz");
  strategy("auto");
  request_.spec.budget.evaluations = 100;
  const wattune::Run run = this->run();
  EXPECT_EQ(run.outcomes.size(), 100U);
  EXPECT_GT(68.11658 / best_ms(run), 0.99) << "seed 0";
}

}  // namespace
}  // namespace wattune
