#include <algorithm>
#include <vector>

#include "wattune/measure.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

std::vector<double> raw(std::span<const Seconds> samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  for (const Seconds s : samples) values.push_back(s.value());
  return values;
}

Interval median_of(std::span<const Seconds> samples) {
  const Bounds bounds = median_interval(raw(samples));
  return {bounds.value, bounds.low, bounds.high};
}

}  // namespace

TimeOptions time_options(const MeasureSpec& spec) {
  TimeOptions options;
  options.interval_percent = spec.interval_percent;
  options.min_repeats = std::max(1U, spec.min_repeats);
  options.max_repeats = std::max(options.min_repeats, spec.max_repeats);
  options.warmup = spec.warmup;
  options.time_limit = Seconds(spec.time_limit);
  options.timeout = Seconds(spec.timeout);
  options.cold = spec.cache == "cold";
  return options;
}

TimeMeasurement summarise(std::vector<Seconds> samples, double interval_percent) {
  TimeMeasurement measurement;
  measurement.time = median_of(samples);
  measurement.samples = std::move(samples);
  measurement.converged = measurement.time.percent() <= interval_percent;
  return measurement;
}

TimedKernel measure_time(Engine& engine, CompiledKernel& kernel, DeviceArguments& arguments, const Geometry& geometry,
                         const TimeOptions& options) {
  TimedKernel result;
  std::vector<Seconds> samples;
  Seconds spent;
  Seconds estimate;
  Seconds fastest(1e300);

  // Runs `repeats` launches; false when the measurement ends here with a failure.
  const auto launch = [&](std::uint32_t repeats, bool keep) {
    RunOptions run_options;
    run_options.repeats = repeats;
    run_options.cold = options.cold;
    const RunResult run = engine.run(kernel, arguments, geometry, run_options);
    if (run.status != Status::correct) {
      result.status = run.status;
      result.message = run.message;
      result.fatal = run.fatal;
      return false;
    }
    for (const Seconds time : run.times) {
      fastest = std::min(fastest, time);
      estimate = time;
      if (keep) {
        samples.push_back(time);
        spent += time;
      }
      if (time > options.timeout) {
        result.status = Status::timeout;
        result.message = "one launch took " + std::to_string(time.value()) +
                         " s, more than measure.timeout = " + std::to_string(options.timeout.value()) + " s";
        return false;
      }
    }
    return true;
  };

  if (options.warmup > 0 && !launch(options.warmup, false)) return result;

  // The first batch is short when even `min_repeats` launches would outlast the time limit; three are the least from
  // which a median says anything.
  std::uint32_t first = options.min_repeats;
  if (estimate.value() > 0.0) {
    const double affordable = options.time_limit / estimate;
    first = static_cast<std::uint32_t>(
        std::clamp(affordable, std::min(3.0, static_cast<double>(first)), static_cast<double>(first)));
  }
  if (!launch(first, true)) return result;
  if (options.during) options.during();

  while (true) {
    const Interval interval = median_of(samples);
    if (interval.percent() <= options.interval_percent && samples.size() >= options.min_repeats) break;
    if (samples.size() >= options.max_repeats || spent >= options.time_limit) break;
    if (options.hopeless && fastest > *options.hopeless) break;
    const Seconds left = options.time_limit - spent;
    const double affordable =
        interval.value > 0.0 ? left.value() / interval.value : static_cast<double>(options.max_repeats);
    // Growing by half keeps the number of look-backs logarithmic (each look at the data costs a little confidence).
    double next = std::max(5.0, 0.5 * static_cast<double>(samples.size()));
    next = std::min({next, affordable, static_cast<double>(options.max_repeats - samples.size())});
    if (next < 1.0) break;
    if (options.during) options.during();
    if (!launch(static_cast<std::uint32_t>(next), true)) return result;
  }
  result.time = summarise(std::move(samples), options.interval_percent);
  return result;
}

std::vector<std::vector<Seconds>> measure_interleaved(Engine& engine, std::span<const Contestant> contestants,
                                                      std::uint32_t rounds, std::uint32_t launches, Seconds time_limit,
                                                      bool cold, Clock& clock,
                                                      const std::function<bool(std::size_t)>& before) {
  std::vector<std::vector<Seconds>> samples(contestants.size());
  std::vector<bool> failed(contestants.size(), false);
  RunOptions options;
  options.repeats = launches;
  options.cold = cold;
  for (std::size_t i = 0; i < contestants.size();
       ++i) {  // one untimed launch each, so that no round pays for first use
    RunOptions once = options;
    once.repeats = 1;
    const RunResult run = engine.run(*contestants[i].kernel, *contestants[i].arguments, contestants[i].geometry, once);
    failed[i] = run.status != Status::correct;
  }
  constexpr std::uint32_t least_rounds = 5;
  const Seconds begin = clock.monotonic();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (round >= least_rounds && clock.monotonic() - begin > time_limit) break;
    for (std::size_t turn = 0; turn < contestants.size(); ++turn) {
      const std::size_t i = (turn + round) % contestants.size();
      if (failed[i]) continue;
      if (before && !before(i)) {
        failed[i] = true;
        samples[i].clear();
        continue;
      }
      const RunResult run =
          engine.run(*contestants[i].kernel, *contestants[i].arguments, contestants[i].geometry, options);
      if (run.status != Status::correct || run.times.empty()) {
        failed[i] = true;
        samples[i].clear();
        continue;
      }
      samples[i].push_back(Seconds(median(raw(run.times))));
    }
  }
  return samples;
}

Interval paired_speedup(std::span<const Seconds> baseline, std::span<const Seconds> candidate) {
  std::vector<double> ratios;
  const std::size_t rounds = std::min(baseline.size(), candidate.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    if (candidate[i].value() > 0.0) ratios.push_back(baseline[i] / candidate[i]);
  }
  if (ratios.empty()) return {};
  const Bounds bounds = median_interval(ratios);
  return {bounds.value, bounds.low, bounds.high};
}

}  // namespace wattune
