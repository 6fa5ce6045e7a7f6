// A small run with everything awkward in it: quotes, commas, line breaks, every status, missing numbers.
#pragma once

#include <cmath>
#include <limits>

#include "wattune/run.hpp"

namespace wattune {

inline Outcome sample_outcome(std::vector<Value> configuration, double seconds) {
  Outcome outcome;
  outcome.configuration = std::move(configuration);
  TimeMeasurement time;
  time.samples = {Seconds(seconds), Seconds(seconds * 1.01), Seconds(seconds * 0.99)};
  time.time = {seconds, seconds * 0.99, seconds * 1.01};
  outcome.time = time;
  outcome.compile_time = Seconds(0.918599);
  outcome.benchmark_time = Seconds(0.126383);
  outcome.overhead = Seconds(0.001);
  outcome.finished_at = Seconds(1703238845.502007);
  return outcome;
}

inline Outcome failed_outcome(std::vector<Value> configuration, Status status, std::string message) {
  Outcome outcome;
  outcome.configuration = std::move(configuration);
  outcome.status = status;
  outcome.message = std::move(message);
  outcome.compile_time = Seconds(8.965);
  outcome.finished_at = Seconds(1703238845.0);
  return outcome;
}

/// Outcome 0 is the best of two correct ones; then every other status once.
inline Run sample_run() {
  Run run;
  RunRecord& head = run.head;
  head.name = "2d \"conv\"";
  head.key.kernel = "convolution_kernel";
  head.key.driver = "535.104";
  head.key.problem = "WIDTH=4096, HEIGHT=4096";
  head.device_name = "GPU \"A\", 40\nGB";
  head.parameters = {{"block_size_x", {16, 32}, 16, false},
                     {"use_padding", {true, false}, true, false},
                     {"type", {"float", "say \"a, b\""}, "float", false},
                     {"factor", {0.5, 2.45}, 0.5, false},
                     {"core_clock_mhz", {1410}, 1410, true}};
  head.problem = {{"WIDTH", 4096}, {"HEIGHT", 4096}};
  head.objectives = {{"gflops", true, "GFLOP/s"}, {"time", false, "s"}};
  head.metric_units = {{"gflops", "GFLOP/s"}};
  head.space_size = 16;
  head.started_at = Seconds(1703238000.0);
  head.version = "0.1.0";

  Outcome best = sample_outcome({32, true, "float", 2.45, 1410}, 0.0038753279224038124);
  best.power = Watts(231.5);
  best.energy = Joules(0.8971);
  best.observed = {{"registers", 40}, {"core_clock_mhz", 1395}};
  best.metrics = {{"gflops", 1948.157}, {"broken", std::numeric_limits<double>::quiet_NaN()}};
  best.verification = Verification::verified;
  run.outcomes.push_back(best);
  run.outcomes.push_back(sample_outcome({16, false, "say \"a, b\"", 0.5, 1410}, 0.0123));
  for (Status status : all_statuses) {
    if (status != Status::correct) {
      run.outcomes.push_back(failed_outcome({16, true, "float", 0.5, 1410}, status, "error: \"x\",\nline 2 \xFF"));
    }
  }
  run.best_index = 0;
  return run;
}

}  // namespace wattune
