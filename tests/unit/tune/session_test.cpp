// The tuning loop against a fake device: what is measured, stored, resumed, reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <set>

#include "fake_engine.hpp"
#include "wattune/error.hpp"
#include "wattune/tune.hpp"

namespace wattune {
namespace {

using testing::Definitions;
using testing::FakeArguments;
using testing::FakeBehaviour;
using testing::FakeEngine;
using testing::FakeKernel;

/// Doubles its input: out[i] = 2 in[i]; `block_size_x` and `unroll` change only the time.
Spec doubling_spec() {
  Spec spec;
  spec.name = "doubling";
  spec.kernel.name = {"doubling", {}};
  spec.kernel.source = "__kernel void doubling(__global const float* in, __global float* out) {}";
  spec.problem = {{"N", Value(64), {}}};
  GridDimension x;
  x.size = LocatedText{"N", {}};
  x.divisors = {{"block_size_x", {}}};
  spec.launch.grid = {x};
  ArgumentSpec in;
  in.name = "in";
  in.size = LocatedText{"N", {}};
  in.fill.kind = FillSpec::Kind::random;
  ArgumentSpec out = in;
  out.name = "out";
  out.fill = {};
  out.output = true;
  spec.arguments = {in, out};
  spec.parameters.resize(2);
  spec.parameters[0].name = "block_size_x";
  spec.parameters[0].values = {Value(32), Value(64), Value(128), Value(256)};
  spec.parameters[1].name = "unroll";
  spec.parameters[1].values = {Value(1), Value(2), Value(4)};
  spec.metrics = {{"rate", {"N / time", {}}, "1/s"}};
  spec.verification.kind = VerificationSpec::Kind::reference_kernel;
  spec.verification.kernel.name = {"reference", {}};
  spec.verification.launch.grid = {x};
  spec.strategy.name = {"brute_force", {}};
  return spec;
}

double number(const Definitions& definitions, const std::string& name) {
  return std::stod(definitions.at(name));
}

/// Time falls with the block size up to 128 and with unrolling: best is 128 x 4 at 1 ms.
FakeBehaviour doubling_behaviour() {
  FakeBehaviour behaviour;
  behaviour.time = [](const FakeKernel& kernel, std::uint64_t) {
    const double block = number(kernel.definitions, "block_size_x");
    return Seconds(1e-3 * (1.0 + std::abs(std::log2(block / 128.0))) * (4.0 / number(kernel.definitions, "unroll")));
  };
  behaviour.body = [](const FakeKernel&, FakeArguments& arguments, const Geometry&) {
    for (std::size_t i = 0; i < arguments.elements<float>(0); ++i)
      arguments.as<float>(1)[i] = 2.0F * arguments.as<float>(0)[i];
  };
  return behaviour;
}

class Collector final : public TuneObserver {
 public:
  void started(const RunRecord&, const Space&, bool resumed) override { resumed_ = resumed; }
  void evaluated(const Outcome&, const Progress& progress) override {
    ++evaluated_;
    last_ = progress;
    if (after_ != 0 && evaluated_ >= after_) stop_->store(true);
  }
  void notice(const std::string& text) override { notices_.push_back(text); }

  bool resumed_ = false;
  std::size_t evaluated_ = 0;
  std::size_t after_ = 0;
  std::atomic<bool>* stop_ = nullptr;
  Progress last_;
  std::vector<std::string> notices_;
};

class Tuning : public ::testing::Test {
 protected:
  wattune::Run tune(const FakeBehaviour& behaviour, const Spec& spec) {
    engine_ = std::make_unique<FakeEngine>(behaviour, clock_);
    TuneRequest request;
    request.spec = spec;
    request.stop = &stop_;
    collector_.stop_ = &stop_;
    return tune_kernel(request, *engine_, store_, collector_, clock_);
  }
  ManualClock clock_;
  std::unique_ptr<FakeEngine> engine_;
  Store store_ = Store::open(":memory:");
  Collector collector_;
  std::atomic<bool> stop_{false};
};

TEST_F(Tuning, FindsAndVerifiesTheBestOfAll) {
  const wattune::Run run = tune(doubling_behaviour(), doubling_spec());
  EXPECT_EQ(run.head.state, RunState::finished);
  EXPECT_EQ(run.outcomes.size(), 12U);
  ASSERT_TRUE(run.best_index.has_value());
  const Outcome& best = run.outcomes[*run.best_index];
  EXPECT_EQ(best.configuration, (std::vector<Value>{Value(128), Value(4)}));
  EXPECT_NEAR(best.time->time.value, 1e-3, 1e-12);
  EXPECT_EQ(best.verification, Verification::verified);
  EXPECT_NEAR(best.metrics.at("rate"), 64.0 / 1e-3, 1e-6);
  ASSERT_TRUE(run.default_index.has_value());
  EXPECT_EQ(run.outcomes[*run.default_index].configuration, (std::vector<Value>{Value(32), Value(1)}));
}

TEST_F(Tuning, ReportsTheWinFromInterleavedRounds) {
  const wattune::Run run = tune(doubling_behaviour(), doubling_spec());
  ASSERT_FALSE(run.finalists.empty());
  EXPECT_EQ(run.finalists.front().index, *run.best_index);
  EXPECT_NEAR(run.finalists.front().speedup.value, 12.0, 1e-9) << "default: 3x for the block size, 4x for no unrolling";
  EXPECT_GE(run.finalists.front().samples.size(), 5U);
}

TEST_F(Tuning, AWrongResultIsAStatusAndTheSearchGoesOn) {
  FakeBehaviour behaviour = doubling_behaviour();
  const auto right = behaviour.body;
  behaviour.body = [right](const FakeKernel& kernel, FakeArguments& arguments, const Geometry& geometry) {
    right(kernel, arguments, geometry);
    if (kernel.name == "doubling" && number(kernel.definitions, "unroll") == 4.0) arguments.as<float>(1)[7] += 1.0F;
  };
  const wattune::Run run = tune(behaviour, doubling_spec());
  EXPECT_EQ(run.outcomes.size(), 12U);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::correctness, &Outcome::status), 4);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration, (std::vector<Value>{Value(128), Value(2)}));
  const auto wrong = std::ranges::find(run.outcomes, Status::correctness, &Outcome::status);
  EXPECT_NE(wrong->message.find("output 'out': 1 of 64 elements differ"), std::string::npos) << wrong->message;
  EXPECT_FALSE(wrong->time.has_value());
}

TEST_F(Tuning, AnUnwrittenOutputIsNotRightBecauseTheLastOneWas) {
  FakeBehaviour behaviour = doubling_behaviour();
  const auto right = behaviour.body;
  behaviour.body = [right](const FakeKernel& kernel, FakeArguments& arguments, const Geometry& geometry) {
    if (kernel.name == "doubling" && number(kernel.definitions, "unroll") == 4.0) return;  // writes nothing
    right(kernel, arguments, geometry);
  };
  const wattune::Run run = tune(behaviour, doubling_spec());
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::correctness, &Outcome::status), 4);
}

TEST_F(Tuning, AContextLostForGoodIsMetOnceOnly) {
  FakeBehaviour behaviour = doubling_behaviour();
  behaviour.fail = [](const FakeKernel& kernel) {
    RunResult result;
    if (number(kernel.definitions, "block_size_x") != 64.0) return result;
    result.status = Status::runtime;
    result.message = "illegal address";
    result.fatal = true;
    return result;
  };
  behaviour.recover = [] { throw Error(ExitCode::device, "no context on the device", "cuda"); };
  // Every run ends at its first fatal configuration, and the next goes on behind it: three of them, then the end.
  for (std::ptrdiff_t stopped = 1; stopped <= 3; ++stopped) {
    EXPECT_THROW(tune(behaviour, doubling_spec()), Error);
    const wattune::Run unfinished = store_.load(1);
    EXPECT_EQ(std::ranges::count(unfinished.outcomes, Status::runtime, &Outcome::status), stopped);
  }
  const wattune::Run run = tune(behaviour, doubling_spec());
  EXPECT_EQ(run.head.state, RunState::finished);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::runtime, &Outcome::status), 3);
}

TEST_F(Tuning, FailuresKeepTheirFirstLines) {
  FakeBehaviour behaviour = doubling_behaviour();
  behaviour.compile = [](const std::string&, const Definitions& definitions) {
    if (number(definitions, "block_size_x") == 256.0)
      return std::pair(Status::compile, std::string("error: too wide\nsecond line"));
    return std::pair(Status::correct, std::string());
  };
  behaviour.fail = [](const FakeKernel& kernel) {
    RunResult result;
    if (number(kernel.definitions, "block_size_x") == 64.0) {
      result.status = Status::runtime;
      result.message = "illegal address";
      result.fatal = true;
    }
    return result;
  };
  const wattune::Run run = tune(behaviour, doubling_spec());
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::compile, &Outcome::status), 3);
  EXPECT_EQ(std::ranges::count(run.outcomes, Status::runtime, &Outcome::status), 3);
  EXPECT_EQ(engine_->recoveries, 3U) << "a lost context is rebuilt";
  EXPECT_EQ(std::ranges::find(run.outcomes, Status::compile, &Outcome::status)->message,
            "error: too wide\nsecond line");
  EXPECT_EQ(run.head.state, RunState::finished);
}

TEST_F(Tuning, NothingThatWorksIsAnErrorWithTheFirstFailure) {
  FakeBehaviour behaviour = doubling_behaviour();
  behaviour.compile = [](const std::string& name, const Definitions&) {
    return name == "doubling" ? std::pair(Status::compile, std::string("error: no such type"))
                              : std::pair(Status::correct, std::string());
  };
  try {
    tune(behaviour, doubling_spec());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::nothing_valid);
    EXPECT_NE(std::string(error.what()).find("no such type"), std::string::npos);
  }
  EXPECT_EQ(store_.runs().front().outcomes, 12U) << "what was tried is kept";
}

TEST_F(Tuning, ADefaultThatFailsGivesWayToTheFirstThatSucceeds) {
  FakeBehaviour behaviour = doubling_behaviour();
  behaviour.compile = [](const std::string& name, const Definitions& definitions) {
    const bool first =
        name == "doubling" && number(definitions, "block_size_x") == 32.0 && number(definitions, "unroll") == 1.0;
    return first ? std::pair(Status::compile, std::string("no")) : std::pair(Status::correct, std::string());
  };
  const wattune::Run run = tune(behaviour, doubling_spec());
  EXPECT_EQ(run.outcomes[*run.default_index].configuration, (std::vector<Value>{Value(32), Value(2)}));
  ASSERT_FALSE(collector_.notices_.empty());
  EXPECT_NE(collector_.notices_.front().find("default configuration fails"), std::string::npos);
}

TEST_F(Tuning, ABudgetOfEvaluationsIsSpentExactly) {
  Spec spec = doubling_spec();
  spec.strategy.name = {"random_sample", {}};
  spec.budget.evaluations = 5;
  const wattune::Run run = tune(doubling_behaviour(), spec);
  EXPECT_EQ(run.outcomes.size(), 5U);
  EXPECT_EQ(run.head.note, "budget spent: 5 evaluations");
}

TEST_F(Tuning, SameSeedSameTrace) {
  Spec spec = doubling_spec();
  spec.strategy.name = {"random_sample", {}};
  spec.seed = 11;
  const auto order = [](const wattune::Run& run) {
    std::vector<std::vector<Value>> configurations;
    for (const Outcome& outcome : run.outcomes) configurations.push_back(outcome.configuration);
    return configurations;
  };
  const auto first = order(tune(doubling_behaviour(), spec));
  EXPECT_EQ(first, order(tune(doubling_behaviour(), spec)));
  spec.seed = 12;
  EXPECT_NE(first, order(tune(doubling_behaviour(), spec)));
}

TEST_F(Tuning, AStoppedRunGoesOnWithNothingMeasuredTwice) {
  Spec spec = doubling_spec();
  spec.strategy.name = {"random_sample", {}};
  collector_.after_ = 4;
  const wattune::Run stopped = tune(doubling_behaviour(), spec);
  EXPECT_EQ(stopped.head.state, RunState::interrupted);
  EXPECT_EQ(stopped.outcomes.size(), 4U);
  EXPECT_TRUE(stopped.best_index.has_value()) << "what was found so far is reported";

  stop_ = false;
  collector_ = {};
  const wattune::Run resumed = tune(doubling_behaviour(), spec);
  EXPECT_TRUE(collector_.resumed_);
  EXPECT_EQ(resumed.head.id, stopped.head.id);
  EXPECT_EQ(resumed.head.state, RunState::finished);
  EXPECT_EQ(resumed.outcomes.size(), 12U);
  std::set<std::string> seen;
  for (const Outcome& outcome : resumed.outcomes)
    seen.insert(to_string(outcome.configuration[0]) + "," + to_string(outcome.configuration[1]));
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(collector_.last_.reused, 4U);

  collector_ = {};
  const wattune::Run anew = tune(doubling_behaviour(), spec);
  EXPECT_FALSE(collector_.resumed_) << "a finished run is not gone on with";
  EXPECT_NE(anew.head.id, resumed.head.id);
}

TEST_F(Tuning, AChangedSourceIsAnotherTask) {
  collector_.after_ = 4;
  Spec spec = doubling_spec();
  tune(doubling_behaviour(), spec);
  stop_ = false;
  collector_ = {};
  spec.kernel.source += "// changed";
  tune(doubling_behaviour(), spec);
  EXPECT_FALSE(collector_.resumed_);
  EXPECT_EQ(collector_.last_.reused, 0U);
}

TEST_F(Tuning, TheDefaultAsReferenceIsOnlyConsistent) {
  Spec spec = doubling_spec();
  spec.verification.kind = VerificationSpec::Kind::default_configuration;
  const wattune::Run run = tune(doubling_behaviour(), spec);
  EXPECT_EQ(run.outcomes[*run.best_index].verification, Verification::consistent);
}

TEST_F(Tuning, AnObjectiveMayBeAMetricToMaximise) {
  Spec spec = doubling_spec();
  spec.objectives = {{{"rate", {}}, true}};
  const wattune::Run run = tune(doubling_behaviour(), spec);
  EXPECT_EQ(run.outcomes[*run.best_index].configuration, (std::vector<Value>{Value(128), Value(4)}));
  EXPECT_EQ(run.head.objectives.front().unit, "1/s");
}

TEST_F(Tuning, AReferenceThatDoesNotCompileIsAnError) {
  FakeBehaviour behaviour = doubling_behaviour();
  behaviour.compile = [](const std::string& name, const Definitions&) {
    return name == "reference" ? std::pair(Status::compile, std::string("bad reference"))
                               : std::pair(Status::correct, std::string());
  };
  EXPECT_THROW(tune(behaviour, doubling_spec()), Error);
}

TEST_F(Tuning, SectionsForTheKindOfDeviceAreChosen) {
  Spec spec = doubling_spec();
  spec.problem_for["gpu"] = {{"N", Value(128), {}}};
  spec.budget_for["gpu"].evaluations = 3;
  const wattune::Run run = tune(doubling_behaviour(), spec);
  EXPECT_EQ(run.head.key.problem, "N=128");
  EXPECT_EQ(run.outcomes.size(), 3U);
}

}  // namespace
}  // namespace wattune
