#include "io/quantities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "wattune/value.hpp"

namespace wattune::io {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> known_units = {{
    {"temperature", "C"},
    {"core_freq", "MHz"},
    {"mem_freq", "MHz"},
    {"pwr_core_freq", "MHz"},
    {"nvml_gr_clock", "MHz"},
    {"nvml_mem_clock", "MHz"},
    {"nvml_pwr_limit", "W"},
    {"nvml_power", "W"},
    {"ps_power", "W"},
    {"power", "W"},
    {"energy", "J"},
    {"core_voltage", "mV"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known_endings = {{
    {"_energy", "J"},
    {"_mhz", "MHz"},
    {"_watts", "W"},
    {"_bytes", "B"},
    {"_w", "W"},
    {"_j", "J"},
    {"_c", "C"},
    {"_s", "s"},
}};

/// True when `value` is already among the observed quantities under a name that speaks of `word`.
bool recorded_as(const Outcome& outcome, std::string_view word, double value) {
  return std::any_of(outcome.observed.begin(), outcome.observed.end(), [&](const auto& entry) {
    return entry.first.find(word) != std::string::npos && entry.second == value;
  });
}

}  // namespace

double ms_of_seconds(double seconds) {
  const double near = seconds * 1e3;
  double best = near;
  std::size_t fewest = static_cast<std::size_t>(-1);
  double candidate = std::nextafter(std::nextafter(near, -HUGE_VAL), -HUGE_VAL);
  for (int i = 0; i < 5; ++i, candidate = std::nextafter(candidate, HUGE_VAL)) {
    if (seconds_of_ms(candidate) != seconds) continue;
    const std::size_t digits = to_string(Value(candidate)).size();
    if (digits < fewest) {
      fewest = digits;
      best = candidate;
    }
  }
  return best;
}

std::string_view unit_of(std::string_view name) {
  for (const auto& [known, unit] : known_units) {
    if (name == known) return unit;
  }
  for (const auto& [ending, unit] : known_endings) {
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending) return unit;
  }
  return "";
}

std::vector<NamedNumber> numbers_of(const Outcome& outcome, const RunRecord& head) {
  std::vector<NamedNumber> numbers;
  const auto add = [&](const std::string& name, double value, std::string unit) {
    const bool taken = std::any_of(numbers.begin(), numbers.end(), [&](const auto& n) { return n.name == name; });
    if (std::isfinite(value) && !taken) numbers.push_back({name, value, std::move(unit)});
  };
  if (outcome.power && !recorded_as(outcome, "power", outcome.power->value()))
    add("power", outcome.power->value(), "W");
  if (outcome.energy && !recorded_as(outcome, "energy", outcome.energy->value())) {
    add("energy", outcome.energy->value(), "J");
  }
  for (const auto& [name, value] : outcome.observed) add(name, value, std::string(unit_of(name)));
  for (const auto& [name, value] : outcome.metrics) {
    const auto unit = head.metric_units.find(name);
    add(name, value, unit == head.metric_units.end() ? std::string() : unit->second);
  }
  return numbers;
}

std::string_view failure_name(Status status) {
  switch (status) {
    case Status::compile:
      return "CompilationFailedConfig";
    case Status::constraints:
      return "InvalidConfig";
    default:
      return "RuntimeFailedConfig";
  }
}

}  // namespace wattune::io
