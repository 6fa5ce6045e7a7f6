// What came of evaluating one configuration: the record that every part of the program reads and the store keeps.
// Room `record`. Plain data in SI units; every number printed anywhere derives from these.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wattune/status.hpp"
#include "wattune/units.hpp"
#include "wattune/value.hpp"

namespace wattune {

/// A central value with a 95 % confidence interval; unit by context. `low` <= `value` <= `high`.
struct Interval {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
  /// Half width in per cent of the value; 0 when value is 0.
  [[nodiscard]] double percent() const;
};

/// Time of one launch of a kernel, from repeated launches.
struct TimeMeasurement {
  std::vector<Seconds> samples;  ///< every launch that was timed, in order
  Interval time;                 ///< median and its 95 % interval, seconds (distribution-free, from order statistics)
  bool converged = false;        ///< the interval reached its target before the time limit
};

/// The outcome of one evaluation. `time` and what follows it are empty unless status is `correct`.
struct Outcome {
  std::vector<Value> configuration;  ///< in the order of the run's parameters
  Status status = Status::correct;
  std::string message;  ///< first lines of the compiler or the driver when it failed
  Provenance provenance = Provenance::measured;
  Verification verification = Verification::none;

  std::optional<TimeMeasurement> time;
  std::optional<Watts> power;              ///< mean over the measuring window
  std::optional<Joules> energy;            ///< per launch
  std::map<std::string, double> observed;  ///< further observed quantities, recorded under their own names
                                           ///< ("core_clock_mhz", "registers", "raw.nvml_energy")
  std::map<std::string, double> metrics;   ///< user metrics, evaluated from the above

  Seconds compile_time;    ///< wall time spent compiling
  Seconds verify_time;     ///< wall time spent verifying
  Seconds benchmark_time;  ///< wall time spent launching and timing
  Seconds overhead;        ///< wall time of the tuner itself around it
  Seconds finished_at;     ///< system time, seconds since 1970 (UTC)
};

}  // namespace wattune
