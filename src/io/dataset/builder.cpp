#include "io/dataset/builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "wattune/error.hpp"

namespace wattune::io {
namespace {

[[noreturn]] void refuse(const DatasetRow& row, const std::string& message, const std::string& hint) {
  throw Error(ExitCode::bad_input, fmt::format("{} at {}: {}", row.kernel, to_string(row.configuration), message),
              row.where, hint);
}

void check_numbers(const DatasetRow& row) {
  if (row.time && !(std::isfinite(*row.time) && *row.time > 0.0))
    refuse(row, fmt::format("the time is {} s", *row.time), "leave it out when it was not measured");
  if (row.power && !(std::isfinite(*row.power) && *row.power > 0.0))
    refuse(row, fmt::format("the power is {} W", *row.power), "leave it out when it was not measured");
  for (const auto& [counter, value] : row.counters) {
    if (!std::isfinite(value)) refuse(row, fmt::format("a counter is {}", value), "leave it out");
  }
}

}  // namespace

std::size_t DatasetBuilder::counter(const std::string& name) {
  const auto [at, added] = counter_positions_.try_emplace(name, counters_.size());
  if (added) counters_.push_back(name);
  return at->second;
}

std::size_t DatasetBuilder::kernel_of(const DatasetRow& row) {
  const auto [at, added] = kernel_positions_.try_emplace(row.kernel, kernels_.size());
  if (added) kernels_.push_back({row.kernel, row.group});
  if (kernels_[at->second].group != row.group) {
    refuse(row,
           fmt::format("the kernel is in group '{}' here and in '{}' before", row.group, kernels_[at->second].group),
           "a kernel belongs to one application");
  }
  return at->second;
}

void DatasetBuilder::add(DatasetRow row) {
  check_numbers(row);
  const auto [at, added] = cells_.try_emplace({kernel_of(row), row.configuration});
  Cell& cell = at->second;
  if (added) {
    cell.where = row.where;
  } else {
    if (repeats_ == Repeats::refuse) refuse(row, "the row occurs twice, first at " + cell.where, "keep one of them");
    ++merged_;
    if (repeats_ == Repeats::first) return;
  }
  if (row.time) cell.time.add(*row.time);
  if (row.power) cell.power.add(*row.power);
  for (const auto& [counter, value] : row.counters) cell.counters[counter].add(value);
}

Dataset DatasetBuilder::finish(Dataset head) const {
  std::map<HardwareConfiguration, std::size_t> positions;
  std::set<std::size_t> used;
  for (const auto& [key, cell] : cells_) {
    positions.try_emplace(key.second);
    for (const auto& [counter, sum] : cell.counters) used.insert(counter);
  }
  head.kernels = kernels_;
  for (auto& [configuration, position] : positions) {
    position = head.configurations.size();
    head.configurations.push_back(configuration);
  }
  std::map<std::size_t, std::size_t> renumbered;
  for (const std::size_t counter : used) {
    renumbered[counter] = head.counters.size();
    head.counters.push_back(counters_[counter]);
  }
  head.clear_cells();
  const auto mean = [](const Sum& sum) {
    return sum.count == 0 ? 0.0 : sum.count == 1 ? sum.sum : sum.sum / static_cast<double>(sum.count);
  };
  for (const auto& [key, cell] : cells_) {
    const std::size_t at = head.cell(key.first, positions.at(key.second));
    head.time[at] = mean(cell.time);
    head.power[at] = mean(cell.power);
    for (const auto& [counter, sum] : cell.counters) head.set_counter(at, renumbered.at(counter), mean(sum));
  }
  return head;
}

}  // namespace wattune::io
