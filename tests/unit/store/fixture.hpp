// What the tests of the store share: a folder that goes away, full examples of a run and an outcome, exact comparison.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "wattune/error.hpp"
#include "wattune/store.hpp"

namespace wattune::store_test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "wattune-store-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name = "runs.db") const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A head with every field set to something that is not its default.
inline RunRecord full_head() {
  RunRecord head;
  head.name = "gemm";
  head.spec_path = "/tmp/größe/gemm.toml";
  head.spec_text = "[kernel]\nname = \"gemm\"  # µ, 行列\n";
  head.key = {"gemm", "0123abcd", "-cl-fast-relaxed-math cold", "GPU-42", "550.54", "M=4096, N=4096"};
  head.language = "opencl";
  head.device_id = "opencl:0:0";
  head.device_name = "A \"quoted\" device";
  head.device_details = {{"max_core_clock_mhz", "1980"}, {"host", "knoten-ü"}};
  head.parameters = {{"tile", {1, 2, 4}, 2, false},
                     {"scale", {0.1, 1.0, 1e300}, 1.0, false},
                     {"padding", {true, false}, false, false},
                     {"layout", {"row", "spalte ü", ""}, "row", true}};
  head.constraints = {"tile * 2 <= 8", "padding == 0 or layout != ''"};
  head.problem = {{"N", 4096}, {"M", 0.1}};
  head.objectives = {{"time", false, "s"}, {"gflops", true, "GFLOP/s"}};
  head.metric_units = {{"gflops", "GFLOP/s"}};
  head.strategy = "genetic_algorithm";
  head.strategy_options = {{"population", "20"}};
  head.seed = 0xfedcba9876543210ULL;  // above 2^63: SQLite has signed integers only
  head.provenance = Provenance::measured;
  head.space_size = 36;
  head.cartesian_size = 1e12;
  head.started_at = Seconds(1.7e9 + 0.125);
  head.seconds = Seconds(12.5);
  head.state = RunState::interrupted;
  head.note = "stopped by Ctrl-C";
  head.version = "0.1.0";
  return head;
}

/// A correct outcome of full_head()'s parameters with every field set; `tag` tells several apart.
inline Outcome full_outcome(int tag = 1) {
  Outcome outcome;
  outcome.configuration = {tag, 0.1, true, "spalte ü"};
  outcome.verification = Verification::verified;
  TimeMeasurement time;
  for (int i = 0; i < 20; ++i) time.samples.emplace_back(1e-3 + 1e-6 / (i + 3.0) * tag);
  time.time = {1.0001e-3, 1e-3, 1.1e-3};
  time.converged = true;
  outcome.time = time;
  outcome.power = Watts(312.7 / 3);
  outcome.energy = Joules(0.1 + 0.2);
  outcome.observed = {{"core_clock_mhz", 1410}, {"raw.größe", -0.0}};
  outcome.metrics = {{"GFLOP/s", 12345.678901234567}};
  outcome.compile_time = Seconds(0.25);
  outcome.verify_time = Seconds(0.125);
  outcome.benchmark_time = Seconds(1.0 / 3);
  outcome.overhead = Seconds(40e-6);
  outcome.finished_at = Seconds(1.7e9 + tag);
  return outcome;
}

/// The smallest outcome: a failure without anything measured.
inline Outcome failed_outcome(int tag = 1) {
  Outcome outcome;
  outcome.configuration = {tag, 1.0, false, ""};
  outcome.status = Status::compile;
  outcome.message = "error: 'µ' undeclared\nnote: …";
  outcome.finished_at = Seconds(1.7e9 + tag);
  return outcome;
}

/// Parameter names of full_head().
inline std::vector<std::string> names() {
  return {"tile", "scale", "padding", "layout"};
}

/// Equal in kind and content: 1, 1.0 and True differ here.
inline bool identical(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& x, const Value& y) { return x.storage() == y.storage(); });
}

inline void expect_equal(const Interval& a, const Interval& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

inline void expect_equal(const Outcome& a, const Outcome& b) {
  EXPECT_TRUE(identical(a.configuration, b.configuration));
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.provenance, b.provenance);
  EXPECT_EQ(a.verification, b.verification);
  ASSERT_EQ(a.time.has_value(), b.time.has_value());
  if (a.time) {
    EXPECT_EQ(a.time->samples, b.time->samples);
    expect_equal(a.time->time, b.time->time);
    EXPECT_EQ(a.time->converged, b.time->converged);
  }
  EXPECT_EQ(a.power, b.power);
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.observed, b.observed);
  EXPECT_EQ(a.metrics, b.metrics);
  EXPECT_EQ(a.compile_time, b.compile_time);
  EXPECT_EQ(a.verify_time, b.verify_time);
  EXPECT_EQ(a.benchmark_time, b.benchmark_time);
  EXPECT_EQ(a.overhead, b.overhead);
  EXPECT_EQ(a.finished_at, b.finished_at);
}

/// The Error that `action` throws; fails the test when it throws none.
template <class Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {ExitCode::ok, "none"};
}

}  // namespace wattune::store_test
