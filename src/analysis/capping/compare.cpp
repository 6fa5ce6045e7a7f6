// Lowest energies by cap, by clock and by both; ties within the noise; effective clocks; predictability.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/capping/grid.hpp"
#include "base/text.hpp"
#include "wattune/capping.hpp"
#include "wattune/energy_curve.hpp"
#include "wattune/statistics.hpp"

namespace wattune {
namespace {

constexpr double held_share = 0.98;    // of the cap: devices regulate to within 1 to 2 % below it
constexpr double enough_share = 0.5;   // of the time: below, a per cent of noise in time is too many per cent of clock
constexpr double tie_quantile = 1.96;  // 95 % of differences of equals

using Cells = std::vector<CappingCell>;

/// The position among those that `counts` takes with the least energy.
template <class Counts>
std::size_t least(const Cells& cells, Counts counts) {
  std::size_t best = cells.size();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (counts(cells[i]) && (best == cells.size() || cells[i].energy < cells[best].energy)) best = i;
  }
  return best;
}

Hertz highest_clock(const Cells& cells) {
  return cells.back().clock;
}

Watts highest_cap(const Cells& cells) {
  return std::max_element(cells.begin(), cells.end(),
                          [](const CappingCell& a, const CappingCell& b) { return a.cap < b.cap; })
      ->cap;
}

/// The cell of the same clock under the highest cap that was measured at it.
const CappingCell& freest(const Cells& cells, Hertz clock) {
  const CappingCell* found = nullptr;
  for (const CappingCell& cell : cells) {
    if (cell.clock == clock && (found == nullptr || cell.cap > found->cap)) found = &cell;
  }
  return *found;
}

void mark_held(Cells& cells) {
  for (CappingCell& cell : cells)
    cell.held = cell.power() >= cell.cap * held_share || freest(cells, cell.clock).power() > cell.cap;
}

void relate_to_baseline(CappingWorkload& workload) {
  Cells& cells = workload.cells;
  workload.best_pair = least(cells, [](const CappingCell&) { return true; });
  workload.best_cap = least(cells, [&](const CappingCell& cell) { return cell.clock == highest_clock(cells); });
  workload.best_clock = least(cells, [&](const CappingCell& cell) { return cell.cap == highest_cap(cells); });
  const CappingCell& base = freest(cells, highest_clock(cells));
  workload.baseline = static_cast<std::size_t>(&base - cells.data());
  if (workload.best_clock == cells.size()) workload.best_clock = workload.baseline;  // no clock under that very cap
  for (CappingCell& cell : cells) {
    cell.saving_percent = 100.0 * (1.0 - cell.energy / base.energy);
    cell.slowdown_percent = 100.0 * (cell.time / base.time - 1.0);
  }
}

/// Pooled standard deviation of logarithms within groups, in per cent.
std::optional<double> pooled(const std::map<double, std::vector<double>>& groups) {
  double squares = 0.0;
  double degrees = 0.0;
  for (const auto& [key, values] : groups) {
    if (values.size() < 2) continue;
    const double n = static_cast<double>(values.size());
    squares += std::pow(standard_deviation(values), 2) * (n - 1.0);
    degrees += n - 1.0;
  }
  return degrees > 0.0 ? std::optional(100.0 * std::sqrt(squares / degrees)) : std::nullopt;
}

/// Spread of cells that ought to be equal: held ones by cap, free ones by clock.
Spread spread(const Cells& cells, bool held) {
  std::map<double, std::vector<double>> times, energies;
  for (const CappingCell& cell : cells) {
    if (cell.held != held) continue;
    const double key = held ? cell.cap.value() : cell.clock.value();
    times[key].push_back(std::log(cell.time.value()));
    energies[key].push_back(std::log(cell.energy.value()));
  }
  return {pooled(times), pooled(energies)};
}

void find_ties(CappingWorkload& workload) {
  workload.noise_percent = workload.by_clock.energy_percent.value_or(0.0);
  const double margin = tie_quantile * std::sqrt(2.0) * workload.noise_percent;
  const Joules least_energy = workload.cells[workload.best_pair].energy;
  for (std::size_t i = 0; i < workload.cells.size(); ++i) {
    const double more = 100.0 * std::log(workload.cells[i].energy / least_energy);
    if (i != workload.best_pair && more <= margin) workload.tied.push_back(i);
  }
}

/// Clocks from times: t = t_0 + n / f, fitted where no cap holds, turned round where one does.
void infer_clocks(CappingWorkload& workload) {
  std::vector<KernelSample> samples;
  for (const CappingCell& cell : workload.cells) {
    if (!cell.held) samples.push_back({cell.clock, cell.time, cell.power()});
  }
  const auto curve = EnergyCurve::fit(samples, PowerCurve{});
  if (!curve) return;
  const Hertz top = highest_clock(workload.cells);
  workload.scaled_share = 1.0 - curve->fixed_share(top);
  workload.scales = workload.scaled_share >= enough_share;
  if (!workload.scales || workload.clocks_recorded) return;
  const double fixed = curve->time(top).value() * curve->fixed_share(top);
  const double cycles = (curve->time(top).value() - fixed) * top.value();
  for (CappingCell& cell : workload.cells)
    cell.effective = cell.held ? std::min(cell.clock, Hertz(cycles / (cell.time.value() - fixed))) : cell.clock;
}

/// Where capping alone, at the highest clock, leads to.
void find_unreachable(CappingWorkload& workload) {
  const Hertz top = highest_clock(workload.cells);
  for (const CappingCell& cell : workload.cells) {
    if (cell.clock != top || !cell.effective) continue;
    workload.lowest_by_cap = std::min(workload.lowest_by_cap.value_or(*cell.effective), *cell.effective);
  }
  if (!workload.lowest_by_cap) return;
  for (const CappingCell& cell : workload.cells) {
    const bool known = !workload.unreachable.empty() && workload.unreachable.back() == cell.clock;
    if (cell.clock < *workload.lowest_by_cap * 0.99 && !known) workload.unreachable.push_back(cell.clock);
  }
}

std::string mhz_text(Hertz clock) {
  return fmt::format("{:.0f}", in_megahertz(clock));
}

void say_edges(CappingWorkload& workload) {
  const Cells& cells = workload.cells;
  const CappingCell& pair = cells[workload.best_pair];
  const CappingCell& by_cap = cells[workload.best_cap];
  const CappingCell& by_clock = cells[workload.best_clock];
  const Watts lowest_cap =
      std::min_element(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.cap < b.cap; })->cap;
  const Hertz lowest_clock = cells.front().clock;
  std::vector<std::string> edges;
  if (lowest_clock < highest_clock(cells) && (by_clock.clock == lowest_clock || pair.clock == lowest_clock))
    edges.push_back(fmt::format("the lowest clock of the grid, {} MHz", mhz_text(lowest_clock)));
  if (lowest_cap < highest_cap(cells) && (by_cap.cap == lowest_cap || pair.cap == lowest_cap))
    edges.push_back(fmt::format("the lowest power limit, {:.0f} W", lowest_cap.value()));
  if (!edges.empty())
    workload.messages.push_back("the optimum lies on the edge of the grid (" + base::join(edges, " and ") +
                                "): settings below it may take less");
}

void say_ties(CappingWorkload& workload) {
  if (workload.tied.empty()) return;
  std::vector<std::string> pairs;
  for (const std::size_t i : workload.tied) {
    const CappingCell& cell = workload.cells[i];
    pairs.push_back(fmt::format("{} MHz/{:.0f} W", mhz_text(cell.clock), cell.cap.value()));
  }
  workload.messages.push_back(fmt::format("within the noise of {:.1f} % the best pair is tied with {}",
                                          workload.noise_percent, base::join(pairs, ", ")));
}

void say_clocks(CappingWorkload& workload) {
  if (!workload.clocks_recorded && !workload.scales) {
    workload.messages.push_back(fmt::format(
        "its time does not follow the clock ({:.0f} % of it does), so that nothing is said about the clocks "
        "it ran at under a cap",
        100.0 * workload.scaled_share));
    return;
  }
  if (!workload.lowest_by_cap) return;
  std::vector<std::string> clocks;
  for (const Hertz clock : workload.unreachable) clocks.push_back(mhz_text(clock));
  workload.messages.push_back(
      fmt::format("capping alone goes down to about {} MHz{}", mhz_text(*workload.lowest_by_cap),
                  clocks.empty() ? "" : ": the cap cannot reach " + base::join(clocks, ", ") + " MHz"));
}

}  // namespace

std::vector<CappingWorkload> compare_capping(const RecordedSpace& recording) {
  std::vector<CappingWorkload> workloads = analysis::capping_grids(recording);
  for (CappingWorkload& workload : workloads) {
    mark_held(workload.cells);
    relate_to_baseline(workload);
    workload.by_clock = spread(workload.cells, false);
    workload.by_cap = spread(workload.cells, true);
    find_ties(workload);
    infer_clocks(workload);
    find_unreachable(workload);
    say_edges(workload);
    say_ties(workload);
    say_clocks(workload);
  }
  return workloads;
}

}  // namespace wattune
