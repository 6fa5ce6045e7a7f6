#include "analysis/capping/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/recorded_quantity.hpp"
#include "base/text.hpp"
#include "model/power/clock_names.hpp"
#include "wattune/error.hpp"

namespace wattune::analysis {
namespace {

struct Axes {
  std::size_t clock = 0, cap = 0;
  std::vector<std::size_t> workload;  ///< parameters that tell workloads apart
  const RecordedNumbers* measured = nullptr;
};

std::size_t axis_of(const RecordedSpace& recording, std::span<const std::string_view> names, const char* what,
                    const char* hint) {
  if (const auto index = model::parameter_named(recording, names)) return *index;
  throw Error(ExitCode::bad_input, fmt::format("the recording has no {} among its parameters", what), recording.source,
              hint);
}

/// A workload is named by texts; numbers are tunables.
bool names_workload(const RunParameter& parameter) {
  return parameter.values.size() > 1 && std::all_of(parameter.values.begin(), parameter.values.end(),
                                                    [](const Value& value) { return !value.is_number(); });
}

Axes axes_of(const RecordedSpace& recording) {
  Axes axes;
  axes.clock = axis_of(recording, model::requested_clock_names, "core clock", "core_clock_mhz or nvml_gr_clock");
  axes.cap = axis_of(recording, model::power_limit_names, "power limit", "power_limit_w or nvml_pwr_limit");
  for (std::size_t p = 0; p < recording.parameters.size(); ++p) {
    if (p != axes.clock && p != axes.cap && names_workload(recording.parameters[p])) axes.workload.push_back(p);
  }
  axes.measured = model::numbers_named(recording, model::measured_clock_names);
  return axes;
}

std::string name_of(const RecordedSpace& recording, const Axes& axes, std::size_t entry) {
  std::vector<std::string> parts;
  for (const std::size_t p : axes.workload) parts.push_back(to_string(recording.value(entry, p)));
  if (!parts.empty()) return base::join(parts, " ");
  return recording.kernel_name.empty() ? "workload" : recording.kernel_name;
}

}  // namespace

std::vector<CappingWorkload> capping_grids(const RecordedSpace& recording) {
  const Axes axes = axes_of(recording);
  const RecordedQuantity energy(recording, "energy");
  std::vector<CappingWorkload> workloads;
  std::map<std::string, std::map<std::pair<double, double>, CappingCell>> grids;
  for (const std::size_t entry : counting_entries(recording)) {
    const auto joules = energy.at(entry);
    const Value& clock = recording.value(entry, axes.clock);
    const Value& cap = recording.value(entry, axes.cap);
    if (!joules || !clock.is_number() || !cap.is_number()) continue;
    CappingCell cell;
    cell.entry = entry;
    cell.clock = megahertz(clock.as_number());
    cell.cap = Watts(cap.as_number());
    cell.time = Seconds(recording.time[entry]);
    cell.energy = Joules(*joules);
    if (axes.measured != nullptr) {
      if (const auto reached = axes.measured->at(entry)) cell.effective = megahertz(*reached);
    }
    const std::string name = name_of(recording, axes, entry);
    if (!grids.contains(name)) workloads.emplace_back().name = name;  // in the order of the file
    const auto [place, fresh] = grids[name].try_emplace({clock.as_number(), cap.as_number()}, cell);
    if (!fresh && cell.energy < place->second.energy) place->second = cell;
  }
  if (workloads.empty())
    throw Error(ExitCode::nothing_valid, "no entry has clock, power limit, time and energy", recording.source);
  for (CappingWorkload& workload : workloads) {
    workload.clocks_recorded = axes.measured != nullptr;
    for (const auto& [at, cell] : grids[workload.name]) workload.cells.push_back(cell);
  }
  return workloads;
}

}  // namespace wattune::analysis
