// When a time is a number: warm-up, repeats until the interval of the median is small enough, and fair comparison of
// finalists.
// Room `measure`. Drives an Engine; keeps every sample; never discards a launch silently.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wattune/clock.hpp"
#include "wattune/engine.hpp"
#include "wattune/outcome.hpp"
#include "wattune/spec.hpp"

namespace wattune {

/// What a measurement needs besides the kernel.
struct TimeOptions {
  double interval_percent = 1.0;  ///< target half width of the 95 % interval of the median, per cent
  std::uint32_t min_repeats = 7;  ///< at least so many timed launches (fewer only when they exceed `time_limit`)
  std::uint32_t max_repeats = 1000;
  std::uint32_t warmup = 1;
  Seconds time_limit{2.0};       ///< of timed launches
  Seconds timeout{10.0};         ///< of one launch
  bool cold = false;             ///< flush the last-level cache before each launch
  std::function<void()> during;  ///< called between two batches of launches; may be empty
  std::optional<Seconds>
      hopeless;  ///< a kernel whose fastest launch is slower than this is measured with `min_repeats` at most
};
TimeOptions time_options(const MeasureSpec& spec);

/// Result of measure_time(). `time` is set when status is correct.
struct TimedKernel {
  Status status = Status::correct;
  std::string message;
  bool fatal = false;  ///< the engine must recover() before it is used again
  std::optional<TimeMeasurement> time;
};

/// Median with its 95 % interval from samples (at least one).
TimeMeasurement summarise(std::vector<Seconds> samples, double interval_percent);

/// Times a kernel: `warmup` launches, then batches until the interval is under its target, `max_repeats` or
/// `time_limit`. Expected failures are a Status: runtime (launch failed), timeout (one launch took longer than
/// allowed).
TimedKernel measure_time(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                         const TimeOptions& options);

/// A kernel that takes part in an interleaved comparison.
struct Contestant {
  CompiledKernel* kernel = nullptr;
  DeviceArguments* arguments = nullptr;
  Geometry geometry;
};

/// Times all contestants in turn, round by round (drift of clocks and temperature hits all alike), the order rotating
/// from round to round. Result: per contestant one sample a round, each the median of `launches` launches.
/// Stops early, with complete rounds only, when `time_limit` is over (at least 5 rounds are made).
/// A contestant that fails has an empty row. `before` is called ahead of each contestant's turn (to bring the device to
/// its settings); false fails the contestant.
std::vector<std::vector<Seconds>> measure_interleaved(Engine& engine, std::span<const Contestant> contestants,
                                                      std::uint32_t rounds, std::uint32_t launches, Seconds time_limit,
                                                      bool cold, Clock& clock,
                                                      const std::function<bool(std::size_t)>& before = {});

/// Speed-up of `candidate` over `baseline` (baseline time / candidate time) from paired rounds: median ratio and its
/// interval.
Interval paired_speedup(std::span<const Seconds> baseline, std::span<const Seconds> candidate);

}  // namespace wattune
