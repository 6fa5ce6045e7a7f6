// Power capping against frequency tuning: the lowest energy that each reaches on a grid of core clocks and power
// limits, the clocks that a cap cannot reach, and how predictable both are (Schoonhoven et al. 2022, section V-C).
// Room `analysis`. Refuses a recording without time, energy, core clock and power limit; says nothing about effective
// clocks of a workload whose time does not follow the clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wattune/recorded_space.hpp"
#include "wattune/units.hpp"

namespace wattune {

/// What a workload took at one core clock under one power limit; with tunable parameters, the entry of least energy.
struct CappingCell {
  std::size_t entry = 0;  ///< into the recording
  Hertz clock;            ///< as requested
  Watts cap;
  Seconds time;
  Joules energy;
  bool held = false;               ///< the cap keeps the device below what it would draw at this clock
  std::optional<Hertz> effective;  ///< clock that it really ran at: recorded, else inferred from the time
  double saving_percent = 0.0;     ///< energy against the baseline
  double slowdown_percent = 0.0;   ///< time against the baseline
  [[nodiscard]] Watts power() const { return energy / time; }
};

/// How far results lie apart that ought to be equal: standard deviation of their logarithms, in per cent. Nothing with
/// fewer than two of a kind.
struct Spread {
  std::optional<double> time_percent, energy_percent;
};

struct CappingWorkload {
  std::string name;
  std::vector<CappingCell> cells;  ///< ascending by clock, then by cap
  // Positions in `cells`. Ties within the noise are in `tied`.
  std::size_t baseline = 0;       ///< highest clock, highest cap
  std::size_t best_pair = 0;      ///< least energy of all
  std::size_t best_cap = 0;       ///< least energy at the highest clock
  std::size_t best_clock = 0;     ///< least energy under the highest cap
  std::vector<std::size_t> tied;  ///< cells whose energy the noise does not tell from the best pair's
  double noise_percent = 0.0;     ///< of one energy, from cells that a cap does not touch; 0 when not known

  double scaled_share = 0.0;     ///< share of the baseline's time that follows the clock
  bool scales = false;           ///< enough of it to infer clocks from times
  bool clocks_recorded = false;  ///< effective clocks are recorded, not inferred
  std::vector<Hertz>
      unreachable;  ///< clocks of the grid below the lowest that capping leads to; needs effective clocks
  std::optional<Hertz> lowest_by_cap;  ///< that lowest clock

  Spread by_clock;                    ///< one clock under caps that do not hold it
  Spread by_cap;                      ///< one cap at the clocks that it holds
  std::vector<std::string> messages;  ///< edges of the grid, ties and what was inferred, in sentences
};

/// One a workload: entries are told apart by parameters with texts as values (workload, kernel, gpu); other parameters
/// are tunables, of which the best counts. Throws Error(bad_input) without core clock, power limit, time or energy.
std::vector<CappingWorkload> compare_capping(const RecordedSpace& recording);

}  // namespace wattune
