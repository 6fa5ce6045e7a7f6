// Whether energies in a recording can be believed: power that the device cannot draw, readings that scatter, and a best
// one that is the luckiest of many.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/recorded_quantity.hpp"
#include "wattune/device_facts.hpp"
#include "wattune/statistics.hpp"
#include "wattune/trade_off.hpp"

namespace wattune {
namespace {

using analysis::RecordedQuantity;

constexpr double notable_scatter = 10.0;  // per cent; sensors read well within a window repeat within 1 to 3

bool has_energy(const RecordedSpace& recording) {
  for (std::size_t i = 0; i < recording.size(); ++i) {
    if (recording.energy(i)) return true;
  }
  return false;
}

std::optional<double> limit_at(const RecordedSpace& recording, std::size_t entry, std::optional<Watts> given) {
  if (given) return given->value();
  if (const auto own = analysis::power_limit_at(recording, entry)) return own;
  const DeviceFacts* facts = device_facts(recording.device_name);
  return facts != nullptr ? std::optional(facts->power_limit.value()) : std::nullopt;
}

void collect(const RecordedSpace& recording, std::optional<Watts> limit, const RecordedQuantity& time,
             const RecordedQuantity& energy, EnergyEvidence& evidence) {
  double least_time = std::numeric_limits<double>::infinity();
  double least_energy = least_time;
  std::vector<double> scatters;
  for (const std::size_t entry : analysis::counting_entries(recording)) {
    const auto t = time.at(entry);
    const auto e = energy.at(entry);
    if (!t || !e) continue;
    ++evidence.candidates;
    if (*t < least_time) {
      least_time = *t;
      evidence.fastest.entry = entry;
    }
    if (*e < least_energy) {
      least_energy = *e;
      evidence.best.entry = entry;
    }
    evidence.highest_power = std::max(evidence.highest_power, Watts(*e / *t));
    if (const auto watts = limit_at(recording, entry, limit)) {
      evidence.limit = std::max(evidence.limit.value_or(Watts(0.0)), Watts(*watts));
      evidence.over_limit += *e / *t > *watts ? 1 : 0;
    }
    const std::vector<double> readings = energy.samples(entry);
    if (readings.size() > 1) scatters.push_back(100.0 * standard_deviation(readings) / std::abs(*e));
  }
  if (!scatters.empty()) evidence.scatter_percent = median(scatters);
}

EnergyEvidence::Ranked ranked(std::size_t entry, const RecordedQuantity& time, const RecordedQuantity& energy) {
  return {entry, *time.interval(entry), *energy.interval(entry)};
}

void warn(EnergyEvidence& evidence) {
  if (evidence.over_limit > 0) {
    evidence.warnings.push_back(fmt::format(
        "{} of {} configurations imply more power than the limit of {:.0f} W (up to {:.0f} W): the readings "
        "of energy and time do not belong to the same moments",
        evidence.over_limit, evidence.candidates, evidence.limit->value(), evidence.highest_power.value()));
  }
  if (evidence.scatter_percent > notable_scatter) {
    evidence.warnings.push_back(
        fmt::format("single readings of energy scatter by {:.0f} % (median over "
                    "configurations)",
                    evidence.scatter_percent));
  }
  if (evidence.has_readings && evidence.best.entry != evidence.fastest.entry && !evidence.difference.established) {
    evidence.warnings.push_back(fmt::format(
        "after selection among {} configurations the difference of {:.1f} % in energy to the fastest is not "
        "established by the samples",
        evidence.candidates, evidence.difference.percent));
  }
}

}  // namespace

std::optional<EnergyEvidence> energy_evidence(const RecordedSpace& recording, std::optional<Watts> limit) {
  if (!has_energy(recording)) return std::nullopt;
  const RecordedQuantity time(recording, "time");
  const RecordedQuantity energy(recording, "energy");
  EnergyEvidence evidence;
  collect(recording, limit, time, energy, evidence);
  if (evidence.candidates == 0) return std::nullopt;
  evidence.best = ranked(evidence.best.entry, time, energy);
  evidence.fastest = ranked(evidence.fastest.entry, time, energy);
  const std::vector<double> chosen = energy.samples(evidence.best.entry);
  const std::vector<double> reference = energy.samples(evidence.fastest.entry);
  evidence.has_readings = !chosen.empty() && !reference.empty();
  if (evidence.has_readings) {
    evidence.difference = compare_means(chosen, reference, evidence.candidates > 1 ? evidence.candidates - 1 : 1);
  } else {
    evidence.difference.percent = 100.0 * (evidence.best.energy.value / evidence.fastest.energy.value - 1.0);
  }
  warn(evidence);
  return evidence;
}

}  // namespace wattune
