// Replay of a small recording (tests/golden/recording.json: 11 of 12 points, two of them failures): what it answers,
// costs, stores and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <sstream>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"
#include "wattune/replay.hpp"
#include "wattune/strategy.hpp"

namespace wattune {
namespace {

using ::testing::HasSubstr;

class Listener final : public TuneObserver {
 public:
  void started(const RunRecord&, const Space& space, bool) override { size_ = space.size(); }
  void evaluated(const Outcome&, const Progress& progress) override {
    last_ = progress;
    if (progress.evaluations == stop_after_) stop_.store(true);
  }
  void notice(const std::string& text) override { notices_ += text + "\n"; }

  std::uint64_t size_ = 0;
  std::uint64_t stop_after_ = 0;
  std::atomic<bool> stop_{false};
  Progress last_;
  std::string notices_;
};

class Replay : public ::testing::Test {
 protected:
  Replay() {
    request_.recording = &recording_;
    request_.spec = spec_of(recording_);
    request_.spec.strategy.name = {"brute_force", {}};
    request_.stop = &listener_.stop_;
  }
  wattune::Run run() { return replay(request_, store_, listener_); }
  Error error() {
    try {
      run();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no Error was thrown";
    return {ExitCode::ok, ""};
  }
  void objective(const std::string& name, bool maximize = false) {
    request_.spec.objectives = {{{name, {}}, maximize}};
  }
  void constraint(const std::string& text) { request_.spec.constraints.push_back({text, {"--constraint"}}); }

  RecordedSpace recording_ = import_recording(WATTUNE_SOURCE_DIR "/tests/golden/recording.json");
  ReplayRequest request_;
  Store store_ = Store::open(":memory:");
  Listener listener_;
};

std::vector<Value> best_of(const wattune::Run& run) {
  return run.outcomes.at(*run.best_index).configuration;
}

/// The run as a table, byte for byte.
std::string trace(const wattune::Run& run) {
  std::ostringstream out;
  export_run(run, ExportFormat::csv, out);
  return out.str();
}

TEST_F(Replay, AnswersEveryPointWithWhatWasRecorded) {
  const wattune::Run run = this->run();
  EXPECT_EQ(run.head.state, RunState::finished);
  EXPECT_EQ(run.head.provenance, Provenance::replayed);
  EXPECT_EQ(run.outcomes.size(), 11U);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::correct, &Outcome::status), 9);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::compile, &Outcome::status), 1);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::runtime, &Outcome::status), 1);
  EXPECT_EQ(best_of(run), (std::vector<Value>{128, 4}));
  const Outcome& best = run.outcomes[*run.best_index];
  EXPECT_EQ(best.provenance, Provenance::replayed);
  EXPECT_NEAR(best.time->time.value, 0.555556e-3, 1e-12);
  EXPECT_EQ(best.observed.at("GFLOP/s"), 180.0);
  EXPECT_EQ(best.energy->value(), 0.081989);
  EXPECT_THAT(listener_.notices_, HasSubstr("brute_force: complete"));
}

TEST_F(Replay, SecondsAreWhatTheRecordingCost) {
  double total = 0.0;
  for (std::size_t i = 0; i < recording_.size(); ++i) total += recording_.cost(i).value();
  EXPECT_DOUBLE_EQ(run().head.seconds.value(), total);
  // 1.5 s: three evaluations at 120, 545 and 540 ms are below it, the fourth goes past it and is the last.
  request_.spec.budget.seconds = 1.5;
  const wattune::Run limited = run();
  EXPECT_EQ(limited.outcomes.size(), 4U);
  EXPECT_GT(limited.head.seconds.value(), 1.5);
  EXPECT_LT((limited.head.seconds -
             (limited.outcomes[3].compile_time + limited.outcomes[3].verify_time + limited.outcomes[3].benchmark_time))
                .value(),
            1.5);
  EXPECT_THAT(limited.head.note, HasSubstr("time limit"));
  EXPECT_THAT(listener_.notices_, HasSubstr("brute_force: incomplete, 4 of 11"));
}

TEST_F(Replay, AConfigurationThatIsAbsentIsNamed) {
  request_.recorded_points = false;
  const Error error = this->error();
  EXPECT_EQ(error.code(), ExitCode::bad_input);
  EXPECT_THAT(error.what(), HasSubstr("the recording has no configuration block_size_x=64, work=4"));
  const auto runs = store_.runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].head.state, RunState::failed);
  EXPECT_EQ(runs[0].outcomes, 5U) << "what was answered before is kept";
  constraint("not (block_size_x == 64 and work == 4)");
  EXPECT_EQ(run().outcomes.size(), 11U);
}

TEST_F(Replay, TheWinnerHasItsSamplesAndAnInterval) {
  const wattune::Run run = store_.load(this->run().head.id);
  ASSERT_EQ(run.finalists.front().index, *run.best_index);
  EXPECT_EQ(run.finalists.front().samples.size(), 8U);
  EXPECT_GT(run.finalists.front().time.percent(), 0.5);
  EXPECT_TRUE(run.outcomes[0].time == std::nullopt || run.outcomes[0].time->samples.empty());
  // The default (32, 1) does not compile: 32, 2 is the baseline.
  EXPECT_NEAR(run.finalists.front().speedup.value, 2.857143 / 0.555556, 1e-9);
  EXPECT_LT(run.finalists.front().speedup.low, run.finalists.front().speedup.value);
  EXPECT_THAT(listener_.notices_, HasSubstr("the default configuration fails"));
}

TEST_F(Replay, ABaselineThatTheSearchDidNotReachIsLookedUp) {
  constraint("block_size_x >= 128");
  request_.spec.budget.evaluations = 1;
  request_.start = {{{"block_size_x", Value(128), {}}, {"work", Value(4), {}}}};
  request_.spec.strategy.name = {"random_sample", {}};
  const wattune::Run run = store_.load(this->run().head.id);
  EXPECT_EQ(run.outcomes.size(), 1U);
  EXPECT_FALSE(run.default_index);
  ASSERT_TRUE(run.baseline);
  EXPECT_EQ(run.baseline->configuration, (std::vector<Value>{128, 1}));
  EXPECT_EQ(default_outcome(run), &*run.baseline);
  EXPECT_THAT(listener_.notices_, HasSubstr("the default configuration is not in the recording"));
  EXPECT_NEAR(run.finalists.front().speedup.value, 0.833333 / 0.555556, 1e-9);
}

TEST_F(Replay, AnyRecordedQuantityMayBeTheObjective) {
  objective("energy");
  EXPECT_EQ(best_of(run()), (std::vector<Value>{128, 1}));
  objective("GFLOP/s", true);
  const wattune::Run fastest = run();
  EXPECT_EQ(best_of(fastest), (std::vector<Value>{128, 4}));
  EXPECT_EQ(fastest.head.objectives[0].name, "GFLOP/s");
  objective("power");
  EXPECT_EQ(best_of(run()), (std::vector<Value>{32, 2})) << "0.135225 J in 2.857 ms";
  objective("power", true);
  EXPECT_EQ(best_of(run()), (std::vector<Value>{128, 4}));
}

TEST_F(Replay, AnObjectiveThatWasNotRecordedIsRefusedWithWhatThereIs) {
  objective("temperature");
  const Error error = this->error();
  EXPECT_EQ(error.code(), ExitCode::bad_input);
  EXPECT_THAT(error.what(), HasSubstr("the recording has no 'temperature'"));
  EXPECT_THAT(error.what(), HasSubstr("GFLOP/s"));
  EXPECT_TRUE(store_.runs().empty());
  objective("nvml_enrgy");
  constraint("tempo < 3");
  EXPECT_THAT(this->error().what(), HasSubstr("did you mean 'nvml_energy'"));
  EXPECT_THAT(this->error().what(), HasSubstr("the recording has no 'tempo'"));
}

TEST_F(Replay, ConstraintsOnParametersShapeTheSpace) {
  constraint("block_size_x <= 128");
  constraint("block_size_x * work > problem_size_x // 512");
  const wattune::Run run = this->run();
  EXPECT_EQ(listener_.size_, 2U) << "128, 2 and 128, 4; 64, 4 was not recorded";
  EXPECT_EQ(run.head.constraints.size(), 2U);
}

TEST_F(Replay, ConstraintsOnNumbersAreJudgedAfterTheEvaluation) {
  constraint("energy < 0.08 and time_ms < 1");
  const wattune::Run run = this->run();
  EXPECT_EQ(listener_.size_, 11U);
  EXPECT_EQ(run.outcomes.size(), 11U);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::correct, &Outcome::status), 4);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::constraints, &Outcome::status), 5);
  EXPECT_EQ(best_of(run), (std::vector<Value>{128, 2}));
  const auto broken = std::ranges::find(run.outcomes, Status::constraints, &Outcome::status);
  EXPECT_THAT(broken->message, HasSubstr("breaks 'energy < 0.08"));
  EXPECT_FALSE(broken->time);
  EXPECT_GT(broken->benchmark_time.value(), 0.0) << "it has cost its evaluation";
}

TEST_F(Replay, AConstraintThatLeavesNothingIsAnError) {
  constraint("work > 4");
  EXPECT_EQ(error().code(), ExitCode::nothing_valid);
  request_.spec.constraints.clear();
  constraint("work // (work - 2) > 0");
  EXPECT_THAT(error().what(), HasSubstr("division by zero"));
  EXPECT_THAT(error().what(), HasSubstr("work=2"));
  request_.spec.constraints.clear();
  constraint("time < 0");
  EXPECT_EQ(error().code(), ExitCode::nothing_valid);
}

TEST_F(Replay, TimeInExpressionsIsSecondsUnlessAskedOtherwise) {
  request_.spec.metrics = {{"speed", {"1 / time", {}}, ""}};
  EXPECT_NEAR(run().outcomes[1].metrics.at("speed"), 1e3 / 2.857143, 1e-6);
  request_.time_scale = 1e3;
  constraint("time < 0.6");
  const wattune::Run run = this->run();
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::correct, &Outcome::status), 1);
  EXPECT_NEAR(run.outcomes[*run.best_index].metrics.at("speed"), 1 / 0.555556, 1e-9);
}

TEST_F(Replay, SamplesBlurTheSearchButNotTheResult) {
  request_.samples = 3;
  request_.spec.seed = 1;
  const wattune::Run first = run();
  EXPECT_EQ(trace(first), trace(run()));
  request_.spec.seed = 2;
  const wattune::Run other = run();
  EXPECT_NE(trace(first), trace(other));
  bool moved = false;
  for (const Outcome& outcome : first.outcomes) {
    const auto entry = RecordedIndex(recording_).find_values(outcome.configuration);
    if (!outcome.time) continue;
    EXPECT_NEAR(outcome.time->time.value / recording_.time[*entry], 1.0, 0.021);
    moved = moved || outcome.time->time.value != recording_.time[*entry];
  }
  EXPECT_TRUE(moved);
  EXPECT_NEAR(first.finalists.front().time.value, 0.555556e-3, 1e-12) << "the winner's time is the recorded one";
}

TEST_F(Replay, SamplesHaveNoBias) {
  request_.samples = 1;
  double sum = 0.0;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    request_.spec.seed = seed;
    const wattune::Run run = this->run();
    for (const Outcome& outcome : run.outcomes) {
      if (!outcome.time) continue;
      sum += outcome.time->time.value / recording_.time[*RecordedIndex(recording_).find_values(outcome.configuration)];
      ++count;
    }
  }
  // 1,800 draws of a deviation of 1.2 %: the mean's is 0.03 %; five of them.
  EXPECT_NEAR(sum / count, 1.0, 0.0015);
}

TEST_F(Replay, SamplesAreRefusedWhereTheyMeanNothing) {
  request_.samples = 1;
  objective("energy");
  EXPECT_THAT(error().what(), HasSubstr("samples are of the time alone"));
  objective("time");
  recording_.samples_agree = false;
  EXPECT_THAT(error().what(), HasSubstr("not those of the recorded times"));
  recording_.times.values.clear();
  EXPECT_THAT(error().what(), HasSubstr("no samples"));
}

TEST_F(Replay, ATimeBudgetNeedsDurations) {
  for (auto* column : {&recording_.compile_time, &recording_.verify_time, &recording_.benchmark_time})
    std::ranges::fill(*column, 0.0);
  request_.spec.budget.seconds = 5;
  EXPECT_THAT(error().what(), HasSubstr("no durations"));
  request_.spec.budget.seconds.reset();
  EXPECT_EQ(run().head.seconds.value(), 0.0);
}

TEST_F(Replay, EveryStrategyKeepsItsBudgetAndBeginsAtTheStart) {
  request_.start = {{{"block_size_x", Value(128), {}}, {"work", Value(2), {}}}};
  for (const StrategyInfo& info : strategies()) {
    SCOPED_TRACE(info.name);
    request_.spec.strategy.name = {info.name, {}};
    request_.spec.budget.evaluations = 10;
    if (!info.accepts_start) {
      EXPECT_EQ(error().code(), ExitCode::bad_input);
      continue;
    }
    const wattune::Run run = this->run();
    EXPECT_EQ(run.outcomes.size(), 10U);
    EXPECT_EQ(run.outcomes[0].configuration, (std::vector<Value>{128, 2}));
    std::set<std::string> seen;
    for (const Outcome& outcome : run.outcomes)
      seen.insert(to_string(outcome.configuration[0]) + "," + to_string(outcome.configuration[1]));
    EXPECT_EQ(seen.size(), 10U);
  }
}

TEST_F(Replay, AStartOutsideTheSpaceIsNamed) {
  request_.spec.strategy.name = {"random_sample", {}};
  request_.start = {{{"work", Value(3), {}}}};
  EXPECT_THAT(error().what(), HasSubstr("not in the space: block_size_x=32, work=3"));
  request_.start = {{{"wrok", Value(2), {}}}};
  EXPECT_THAT(error().what(), HasSubstr("did you mean 'work'"));
}

TEST_F(Replay, SameSeedSameTraceForEveryStrategyAndBatch) {
  request_.samples = 2;
  for (const StrategyInfo& info : strategies()) {
    SCOPED_TRACE(info.name);
    request_.spec.strategy.name = {info.name, {}};
    request_.spec.budget.evaluations = 8;
    request_.spec.seed = 5;
    request_.jobs = 1;
    const std::string one = trace(run());
    EXPECT_EQ(trace(run()), one);
    // docs/strategies.md: these three look at what was told before they propose the next of a batch.
    const bool by_batch = info.name == "auto" || info.name == "bayesian_optimization" || info.name == "portfolio";
    for (const std::size_t jobs : {2, 8}) {
      request_.jobs = jobs;
      const std::string many = trace(run());
      EXPECT_EQ(trace(run()), many);
      if (!by_batch) {
        EXPECT_EQ(many, one) << jobs;
      }
    }
  }
}

TEST_F(Replay, AStopKeepsWhatWasAnswered) {
  listener_.stop_after_ = 3;
  const wattune::Run run = this->run();
  EXPECT_EQ(run.head.state, RunState::interrupted);
  EXPECT_EQ(store_.load(run.head.id).outcomes.size(), 3U);
  ASSERT_TRUE(run.best_index);
}

TEST_F(Replay, OtherLimitsEndItToo) {
  request_.spec.budget.fraction = 0.1;
  EXPECT_EQ(run().outcomes.size(), 2U);
  request_.spec.budget = {};
  request_.spec.budget.target = 0.9e-3;
  EXPECT_EQ(best_of(run()), (std::vector<Value>{128, 1}));
  request_.spec.budget = {};
  request_.spec.budget.no_improvement = 2;
  EXPECT_THAT(run().head.note, HasSubstr("without improvement"));
}

TEST_F(Replay, AnotherSpecNeedsTheSameParameters) {
  request_.spec.parameters.pop_back();
  ParameterSpec other;
  other.name = "werk";
  other.values = {Value(1)};
  request_.spec.parameters.push_back(other);
  const Error error = this->error();
  EXPECT_EQ(error.problems().size(), 2U);
  EXPECT_THAT(error.what(), HasSubstr("no parameter 'werk' (did you mean 'work'?)"));
  EXPECT_THAT(error.what(), HasSubstr("a parameter 'work' that the spec lacks"));
}

TEST_F(Replay, ParametersMayComeInAnotherOrderAndWithFewerValues) {
  std::swap(request_.spec.parameters[0], request_.spec.parameters[1]);
  request_.spec.parameters[1].values = {Value(128), Value(64), Value(77)};
  request_.spec.parameters[1].default_value.reset();
  const wattune::Run run = this->run();
  EXPECT_EQ(run.head.space_size, 5U);
  EXPECT_EQ(best_of(run), (std::vector<Value>{4, 128}));
  EXPECT_EQ(run.outcomes[*run.default_index].configuration, (std::vector<Value>{1, 128}));
}

TEST_F(Replay, ARunIsARecordingToo) {
  const RecordedSpace again = to_recording(store_.load(run().head.id));
  request_.recording = &again;
  request_.spec = spec_of(again);
  request_.spec.strategy.name = {"brute_force", {}};
  const wattune::Run second = run();
  EXPECT_EQ(second.outcomes.size(), 11U);
  EXPECT_EQ(best_of(second), (std::vector<Value>{128, 4}));
  EXPECT_EQ(second.outcomes[0].status, Status::compile);
}

TEST_F(Replay, LongTracesAreStoredInBatches) {
  RecordedSpace large;
  large.source = "made in the test";
  large.kernel_name = "k";
  large.objectives = {{"time", false, "s"}};
  large.parameters = {{"x", {}, Value(0), false}};
  for (std::uint32_t i = 0; i < 3000; ++i) {
    large.parameters[0].values.emplace_back(static_cast<std::int64_t>(i));
    large.digits.push_back(i);
    large.status.push_back(i % 7 == 3 ? Status::runtime : Status::correct);
    large.time.push_back(1e-3 * (1 + (i * 37) % 3001));
    for (auto* column : {&large.compile_time, &large.verify_time, &large.benchmark_time, &large.overhead})
      column->push_back(0.5);
  }
  request_.recording = &large;
  request_.spec = spec_of(large);
  request_.spec.strategy.name = {"random_sample", {}};
  const wattune::Run run = this->run();
  const wattune::Run stored = store_.load(run.head.id);
  ASSERT_EQ(stored.outcomes.size(), 3000U);
  EXPECT_EQ(trace(stored), trace(run));
  EXPECT_DOUBLE_EQ(run.head.seconds.value(), 3000 * 1.5);
}

}  // namespace
}  // namespace wattune
