// What is wrong with a data set, all at once.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "wattune/dataset.hpp"

namespace wattune {
namespace {

constexpr std::size_t most_problems = 20;  // more of them help nobody

void check_names(const Dataset& dataset, std::vector<Problem>& problems) {
  std::set<std::string_view> seen;
  for (const DatasetKernel& kernel : dataset.kernels) {
    if (kernel.name.empty()) problems.push_back({dataset.name, "a kernel has no name", ""});
    if (!seen.insert(kernel.name).second)
      problems.push_back({dataset.name, fmt::format("two kernels have the name '{}'", kernel.name), "rename one"});
  }
  seen.clear();
  for (const std::string& counter : dataset.counters) {
    if (!seen.insert(counter).second)
      problems.push_back({dataset.name, fmt::format("two counters have the name '{}'", counter), "rename one"});
  }
}

void check_configurations(const Dataset& dataset, std::vector<Problem>& problems) {
  const std::vector<HardwareAxis> axes = dataset.axes();
  for (std::size_t c = 0; c < dataset.configurations.size(); ++c) {
    const HardwareConfiguration& configuration = dataset.configurations[c];
    for (const HardwareAxis axis : axes) {
      const double value = axis_value(configuration, axis);
      if (!std::isfinite(value) || value <= 0.0) {
        problems.push_back(
            {dataset.name,
             fmt::format("{} of configuration {} is {}", to_string(axis), to_string(configuration), value),
             "an axis is set in every configuration or in none, to a number above 0"});
      }
    }
    if (dataset.find_configuration(configuration) != c)
      problems.push_back({dataset.name, fmt::format("configuration {} occurs twice", to_string(configuration)), ""});
  }
}

void check_cells(const Dataset& dataset, std::vector<Problem>& problems) {
  for (std::size_t k = 0; k < dataset.kernels.size(); ++k) {
    for (std::size_t c = 0; c < dataset.configurations.size(); ++c) {
      const std::size_t cell = dataset.cell(k, c);
      const auto where = [&] {
        return fmt::format("{}: {} at {}", dataset.name, dataset.kernels[k].name, to_string(dataset.configurations[c]));
      };
      if (!std::isfinite(dataset.time[cell]) || dataset.time[cell] < 0.0)
        problems.push_back({where(), fmt::format("time is {} s", dataset.time[cell]), "leave it out: 0 or empty"});
      if (!std::isfinite(dataset.power[cell]) || dataset.power[cell] < 0.0)
        problems.push_back({where(), fmt::format("power is {} W", dataset.power[cell]), "leave it out: 0 or empty"});
      for (std::size_t j = 0; j < dataset.counters.size(); ++j) {
        const auto value = dataset.counter(cell, j);
        if (value && !std::isfinite(*value))
          problems.push_back({where(), fmt::format("{} is {}", dataset.counters[j], *value), "leave it out"});
      }
      if (problems.size() >= most_problems) return;
    }
  }
}

}  // namespace

std::vector<Problem> validate(const Dataset& dataset) {
  std::vector<Problem> problems;
  const std::size_t cells = dataset.kernels.size() * dataset.configurations.size();
  const std::size_t values = cells * dataset.counters.size();
  if (dataset.time.size() != cells || dataset.power.size() != cells || dataset.counter_values.size() != values ||
      dataset.counter_present.size() != values) {
    problems.push_back({dataset.name, "cells do not fit kernels, configurations and counters", "call clear_cells()"});
    return problems;
  }
  if (dataset.kernels.empty()) problems.push_back({dataset.name, "there is no kernel", ""});
  if (dataset.configurations.empty()) problems.push_back({dataset.name, "there is no configuration", ""});
  check_names(dataset, problems);
  check_configurations(dataset, problems);
  check_cells(dataset, problems);
  if (problems.size() > most_problems) problems.resize(most_problems);
  return problems;
}

}  // namespace wattune
