// What a recorded space offers between two or three quantities: its Pareto front with intervals where single readings
// were kept, the ends, the knee, and "x % slower buys y % less energy", marked when the readings do not establish it.
// Room `analysis`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wattune/comparison.hpp"
#include "wattune/outcome.hpp"
#include "wattune/pareto.hpp"
#include "wattune/recorded_space.hpp"

namespace wattune {

struct TradeOffMetric {
  std::string name;  ///< "time", "energy", "edp", a recorded quantity
  bool maximize = false;
  std::string unit{};  ///< filled in
};

struct TradeOffPoint {
  std::size_t entry = 0;         ///< into the recording
  std::vector<Interval> values;  ///< one a metric; low = high = value where no single readings were kept
};

struct TradeOff {
  std::vector<TradeOffMetric> metrics;
  std::vector<TradeOffPoint> front;  ///< from the best in the first metric on
  std::vector<std::size_t> ends;     ///< position in `front` of the best in each metric
  std::optional<std::size_t> knee;   ///< position in `front`
  std::size_t candidates = 0;        ///< configurations with all metrics
  std::size_t without = 0;           ///< correct ones that lack one

  // From the best in the first metric to the best in the second.
  double cost_percent = 0.0;    ///< by how much the first gets worse
  double saving_percent = 0.0;  ///< by how much the second gets better
  /// Mean of the second metric's readings, after the selection among all candidates; nothing without readings.
  std::optional<MeanDifference> evidence;
};

/// Throws Error(bad_input) for fewer than two metrics or unknown ones, Error(nothing_valid) when no configuration has
/// all.
TradeOff trade_off(const RecordedSpace& recording, std::vector<TradeOffMetric> metrics);

/// What to know before energies of a recording are believed.
struct EnergyEvidence {
  struct Ranked {
    std::size_t entry = 0;
    Interval time;    ///< s
    Interval energy;  ///< J
  };
  std::size_t candidates = 0;         ///< configurations with time and energy
  Ranked best;                        ///< least energy
  Ranked fastest;                     ///< least time
  MeanDifference difference;          ///< energy of the best against the fastest, after selection among the candidates
  bool has_readings = false;          ///< single readings of energy were kept
  std::size_t over_limit = 0;         ///< configurations whose energy over time exceeds the power limit
  std::optional<Watts> limit;         ///< the highest limit that applied; nothing when it is not known
  Watts highest_power;                ///< highest energy over time
  double scatter_percent = 0.0;       ///< median standard deviation of single readings, relative
  std::vector<std::string> warnings;  ///< the above in sentences, for people
};

/// Nothing when the recording has no energy. The power limit: `limit`, else the configuration's own parameter, else
/// what is published for the device.
std::optional<EnergyEvidence> energy_evidence(const RecordedSpace& recording, std::optional<Watts> limit = {});

}  // namespace wattune
