// Looking things up in a data set, and parts of it as a data set of their own.
#include "wattune/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace wattune {
namespace {

/// Clocks that went through different units differ in the last bits.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool same(const HardwareConfiguration& a, const HardwareConfiguration& b) {
  return std::all_of(hardware_axes.begin(), hardware_axes.end(),
                     [&](HardwareAxis axis) { return same(axis_value(a, axis), axis_value(b, axis)); });
}

std::vector<std::size_t> positions(std::span<const std::uint8_t> keep) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] != 0) kept.push_back(i);
  }
  return kept;
}

/// The cells of `kernels` x `configurations` (positions in `from`) into `to`, whose lists are those already.
void copy_cells(const Dataset& from, std::span<const std::size_t> kernels, std::span<const std::size_t> configurations,
                Dataset& to) {
  to.clear_cells();
  const std::size_t counters = from.counters.size();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      const std::size_t source = from.cell(kernels[k], configurations[c]);
      const std::size_t target = to.cell(k, c);
      to.time[target] = from.time[source];
      to.power[target] = from.power[source];
      std::copy_n(from.counter_values.begin() + static_cast<std::ptrdiff_t>(source * counters), counters,
                  to.counter_values.begin() + static_cast<std::ptrdiff_t>(target * counters));
      std::copy_n(from.counter_present.begin() + static_cast<std::ptrdiff_t>(source * counters), counters,
                  to.counter_present.begin() + static_cast<std::ptrdiff_t>(target * counters));
    }
  }
}

std::vector<std::size_t> everything(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Dataset head_of(const Dataset& dataset) {
  Dataset head;
  head.name = dataset.name;
  head.device = dataset.device;
  head.source = dataset.source;
  head.note = dataset.note;
  head.provenance = dataset.provenance;
  head.counters = dataset.counters;
  return head;
}

}  // namespace

std::optional<double> Dataset::counter(std::size_t cell, std::size_t counter) const {
  const std::size_t at = cell * counters.size() + counter;
  return counter_present[at] != 0 ? std::optional(counter_values[at]) : std::nullopt;
}

void Dataset::set_counter(std::size_t cell, std::size_t counter, double value) {
  const std::size_t at = cell * counters.size() + counter;
  counter_values[at] = value;
  counter_present[at] = 1;
}

std::optional<std::size_t> Dataset::find_configuration(const HardwareConfiguration& configuration) const {
  for (std::size_t c = 0; c < configurations.size(); ++c) {
    if (same(configurations[c], configuration)) return c;
  }
  return std::nullopt;
}

std::optional<std::size_t> Dataset::find_kernel(std::string_view kernel) const {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].name == kernel) return k;
  }
  return std::nullopt;
}

std::optional<std::size_t> Dataset::find_counter(std::string_view counter) const {
  const auto found = std::find(counters.begin(), counters.end(), counter);
  return found != counters.end() ? std::optional(static_cast<std::size_t>(found - counters.begin())) : std::nullopt;
}

std::vector<HardwareAxis> Dataset::axes() const {
  std::vector<HardwareAxis> set;
  for (const HardwareAxis axis : hardware_axes) {
    if (std::any_of(configurations.begin(), configurations.end(),
                    [&](const HardwareConfiguration& c) { return axis_value(c, axis) != 0.0; }))
      set.push_back(axis);
  }
  return set;
}

std::vector<double> Dataset::values(HardwareAxis axis) const {
  std::vector<double> values;
  for (const HardwareConfiguration& configuration : configurations) values.push_back(axis_value(configuration, axis));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end(), [](double a, double b) { return same(a, b); }), values.end());
  return values;
}

std::size_t Dataset::measurements() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < time.size(); ++i) count += time[i] > 0.0 || power[i] > 0.0 ? 1 : 0;
  return count;
}

std::vector<std::string> Dataset::groups() const {
  std::set<std::string> names;
  for (const DatasetKernel& kernel : kernels) names.insert(kernel.group);
  return {names.begin(), names.end()};
}

void Dataset::clear_cells() {
  const std::size_t cells = kernels.size() * configurations.size();
  time.assign(cells, 0.0);
  power.assign(cells, 0.0);
  counter_values.assign(cells * counters.size(), 0.0);
  counter_present.assign(cells * counters.size(), 0);
}

Dataset with_configurations(const Dataset& dataset, std::span<const std::uint8_t> keep) {
  const std::vector<std::size_t> kept = positions(keep);
  Dataset part = head_of(dataset);
  part.kernels = dataset.kernels;
  for (const std::size_t c : kept) part.configurations.push_back(dataset.configurations[c]);
  copy_cells(dataset, everything(dataset.kernels.size()), kept, part);
  return part;
}

Dataset with_kernels(const Dataset& dataset, std::span<const std::uint8_t> keep) {
  const std::vector<std::size_t> kept = positions(keep);
  Dataset part = head_of(dataset);
  part.configurations = dataset.configurations;
  for (const std::size_t k : kept) part.kernels.push_back(dataset.kernels[k]);
  copy_cells(dataset, kept, everything(dataset.configurations.size()), part);
  return part;
}

}  // namespace wattune
