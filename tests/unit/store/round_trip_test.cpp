// Every field of a run comes back exactly as it was stored, also through another connection.
#include "fixture.hpp"

namespace wattune::store_test {
namespace {

void expect_equal(const RunParameter& a, const RunParameter& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_TRUE(identical(a.values, b.values));
  EXPECT_TRUE(identical({a.default_value}, {b.default_value}));
  EXPECT_EQ(a.device, b.device);
}

void expect_equal(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.spec_path, b.spec_path);
  EXPECT_EQ(a.spec_text, b.spec_text);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.language, b.language);
  EXPECT_EQ(a.device_id, b.device_id);
  EXPECT_EQ(a.device_name, b.device_name);
  EXPECT_EQ(a.device_details, b.device_details);
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t i = 0; i < a.parameters.size(); ++i) expect_equal(a.parameters[i], b.parameters[i]);
  EXPECT_EQ(a.constraints, b.constraints);
  EXPECT_EQ(a.problem, b.problem);
  ASSERT_EQ(a.objectives.size(), b.objectives.size());
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    EXPECT_EQ(a.objectives[i].name, b.objectives[i].name);
    EXPECT_EQ(a.objectives[i].maximize, b.objectives[i].maximize);
    EXPECT_EQ(a.objectives[i].unit, b.objectives[i].unit);
  }
  EXPECT_EQ(a.metric_units, b.metric_units);
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.strategy_options, b.strategy_options);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.provenance, b.provenance);
  EXPECT_EQ(a.space_size, b.space_size);
  EXPECT_EQ(a.cartesian_size, b.cartesian_size);
  EXPECT_EQ(a.started_at, b.started_at);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.note, b.note);
  EXPECT_EQ(a.version, b.version);
}

TEST(Store, KeepsEveryFieldOfARun) {
  const TemporaryFolder folder;
  std::int64_t id = 0;
  {
    Store store = Store::open(folder.file());
    id = store.begin_run(full_head());
    EXPECT_EQ(store.append(id, full_outcome(1)), 0U);
    EXPECT_EQ(store.append(id, failed_outcome(2)), 1U);
    EXPECT_EQ(store.append(id, full_outcome(3)), 2U);
    Finalist first{2, {Seconds(1e-3), Seconds(1.5e-3)}, {1.2e-3, 1e-3, 1.5e-3}, {1.8, 1.7, 1.9}};
    first.energy_samples = {Joules(0.25), Joules(0.27)};
    first.energy = {0.26, 0.25, 0.27};
    first.energy_gain = {1.1, 1.05, 1.15};
    const Finalist second{0, {}, {2e-3, 2e-3, 2e-3}, {}};
    store.set_result(id, 0, 2, std::vector<Finalist>{first, second});
  }
  const wattune::Run run = Store::open(folder.file()).load(id);
  EXPECT_EQ(run.head.id, id);
  expect_equal(run.head, full_head());
  ASSERT_EQ(run.outcomes.size(), 3U);
  store_test::expect_equal(run.outcomes[0], full_outcome(1));
  store_test::expect_equal(run.outcomes[1], failed_outcome(2));
  store_test::expect_equal(run.outcomes[2], full_outcome(3));
  EXPECT_EQ(run.default_index, 0U);
  EXPECT_EQ(run.best_index, 2U);
  ASSERT_EQ(run.finalists.size(), 2U);
  EXPECT_EQ(run.finalists[0].index, 2U);
  EXPECT_EQ(run.finalists[0].samples, (std::vector<Seconds>{Seconds(1e-3), Seconds(1.5e-3)}));
  store_test::expect_equal(run.finalists[0].time, {1.2e-3, 1e-3, 1.5e-3});
  store_test::expect_equal(run.finalists[0].speedup, {1.8, 1.7, 1.9});
  EXPECT_EQ(run.finalists[0].energy_samples, (std::vector<Joules>{Joules(0.25), Joules(0.27)}));
  store_test::expect_equal(run.finalists[0].energy, {0.26, 0.25, 0.27});
  store_test::expect_equal(run.finalists[0].energy_gain, {1.1, 1.05, 1.15});
  EXPECT_EQ(run.finalists[1].index, 0U);
  EXPECT_TRUE(run.finalists[1].samples.empty());
}

TEST(Store, KeepsAnEmptyRun) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(RunRecord{});
  EXPECT_EQ(store.append(id, Outcome{}), 0U);
  const wattune::Run run = store.load(id);
  expect_equal(run.head, RunRecord{});
  ASSERT_EQ(run.outcomes.size(), 1U);
  store_test::expect_equal(run.outcomes[0], Outcome{});
  EXPECT_FALSE(run.default_index || run.best_index);
  EXPECT_TRUE(run.finalists.empty());
}

TEST(Store, KeepsEveryStatusProvenanceAndVerification) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  std::vector<Outcome> outcomes;
  for (const Status status : all_statuses) {
    for (const auto provenance :
         {Provenance::measured, Provenance::replayed, Provenance::simulated, Provenance::predicted}) {
      for (const auto verification : {Verification::none, Verification::consistent, Verification::verified}) {
        Outcome outcome = failed_outcome(static_cast<int>(outcomes.size()));
        outcome.status = status;
        outcome.provenance = provenance;
        outcome.verification = verification;
        outcomes.push_back(outcome);
      }
    }
  }
  store.append_batch(id, outcomes);
  const wattune::Run run = store.load(id);
  ASSERT_EQ(run.outcomes.size(), outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) store_test::expect_equal(run.outcomes[i], outcomes[i]);
}

TEST(Store, AMeasurementWithoutSamplesIsNotAMissingOne) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  Outcome outcome = full_outcome();
  outcome.time = TimeMeasurement{};
  outcome.power = Watts(0);
  store.append(id, outcome);
  store_test::expect_equal(store.load(id).outcomes.at(0), outcome);
}

TEST(Store, InfinitiesInAHeadSurvive) {
  Store store = Store::open(":memory:");
  RunRecord head = full_head();
  head.problem = {{"limit", std::numeric_limits<double>::infinity()}};
  head.parameters[1].values = {-std::numeric_limits<double>::infinity(), 2.0};
  expect_equal(store.load(store.begin_run(head)).head, head);
}

TEST(Store, UpdateChangesOnlyWhatARunLearns) {
  Store store = Store::open(":memory:");
  RunRecord head = full_head();
  head.id = store.begin_run(head);
  RunRecord later = head;
  later.state = RunState::finished;
  later.seconds = Seconds(99);
  later.note = "all 36 configurations evaluated";
  later.device_details["core_clock_mhz"] = "1410";
  later.strategy = "is decided at the start";
  store.update_run(later);
  later.strategy = head.strategy;
  expect_equal(store.load(head.id).head, later);
}

TEST(Store, ListsRunsNewestFirst) {
  Store store = Store::open(":memory:");
  const std::int64_t first = store.begin_run(full_head());
  const std::int64_t second = store.begin_run(RunRecord{});
  store.append(first, full_outcome(1));
  store.append(first, full_outcome(2));
  store.set_result(first, 0, 1, {});
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].head.id, second);
  EXPECT_EQ(runs[0].outcomes, 0U);
  EXPECT_FALSE(runs[0].best);
  EXPECT_EQ(runs[1].head.id, first);
  EXPECT_EQ(runs[1].outcomes, 2U);
  ASSERT_TRUE(runs[1].best);
  store_test::expect_equal(*runs[1].best, full_outcome(2));
}

TEST(Store, ASecondResultReplacesTheFirst) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  store.append(id, full_outcome(1));
  store.set_result(id, 0, 0, std::vector<Finalist>(1));
  store.set_result(id, std::nullopt, 0, {});
  const wattune::Run run = store.load(id);
  EXPECT_FALSE(run.default_index);
  EXPECT_EQ(run.best_index, 0U);
  EXPECT_TRUE(run.finalists.empty());
}

TEST(Store, ABaselineIsKeptApartFromTheEvaluations) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  store.append(id, full_outcome(1));
  store.set_baseline(id, full_outcome(2));
  store.append_batch(id, std::vector<Outcome>{full_outcome(3), failed_outcome(4)});
  store.set_result(id, std::nullopt, 1, {});
  const wattune::Run run = store.load(id);
  ASSERT_EQ(run.outcomes.size(), 3U);
  EXPECT_EQ(store.runs()[0].outcomes, 3U);
  store_test::expect_equal(run.outcomes[1], full_outcome(3));
  ASSERT_TRUE(run.baseline);
  store_test::expect_equal(*run.baseline, full_outcome(2));
  EXPECT_EQ(default_outcome(run), &*run.baseline);
  EXPECT_FALSE(store.load(store.begin_run(full_head())).baseline);
}

TEST(Store, UnknownRunIsBadInput) {
  Store store = Store::open(":memory:");
  RunRecord head;
  head.id = 7;
  EXPECT_EQ(error_of([&] { store.load(7); }).code(), ExitCode::bad_input);
  EXPECT_EQ(error_of([&] { store.append(7, Outcome{}); }).code(), ExitCode::bad_input);
  EXPECT_EQ(error_of([&] { store.update_run(head); }).code(), ExitCode::bad_input);
  EXPECT_EQ(error_of([&] { store.set_result(7, {}, {}, {}); }).code(), ExitCode::bad_input);
  EXPECT_NE(std::string(error_of([&] { store.load(7); }).what()).find("no run 7"), std::string::npos);
}

TEST(Store, AResultOutsideTheRunIsRefusedWhole) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  store.append(id, full_outcome(1));
  store.set_result(id, 0, 0, {});
  EXPECT_EQ(error_of([&] { store.set_result(id, 0, 5, {}); }).code(), ExitCode::internal);
  EXPECT_EQ(store.load(id).best_index, 0U);
}

TEST(Store, AConfigurationOfTheWrongSizeIsRefused) {
  Store store = Store::open(":memory:");
  const std::int64_t id = store.begin_run(full_head());
  EXPECT_EQ(error_of([&] { store.append(id, Outcome{}); }).code(), ExitCode::internal);
  EXPECT_TRUE(store.load(id).outcomes.empty());
}

}  // namespace
}  // namespace wattune::store_test
