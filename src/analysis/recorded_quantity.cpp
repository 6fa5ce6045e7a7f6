#include "analysis/recorded_quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "wattune/error.hpp"
#include "wattune/objective.hpp"
#include "wattune/statistics.hpp"

namespace wattune::analysis {
namespace {

/// Samples whose mean or median is not the value were taken of something else (merged recordings).
constexpr double sample_agreement = 0.02;

const RecordedSamples* samples_named(const RecordedSpace& recording, const std::string& name) {
  for (const RecordedSamples& samples : recording.samples) {
    if (samples.name == name + "s" || samples.name == name + "_samples") return &samples;
  }
  return nullptr;
}

/// The recorded column that RecordedSpace::energy() or power() answers from.
const RecordedNumbers* column_for(const RecordedSpace& recording, const std::string& word) {
  if (const RecordedNumbers* exact = recording.find_numbers(word)) return exact;
  const auto found = std::find_if(recording.numbers.begin(), recording.numbers.end(),
                                  [&](const RecordedNumbers& n) { return n.name.ends_with("_" + word); });
  return found == recording.numbers.end() ? nullptr : &*found;
}

std::optional<double> with_delay(std::optional<double> energy, double time, int exponent) {
  if (!energy || !(time > 0.0)) return std::nullopt;
  return *energy * std::pow(time, exponent);
}

}  // namespace

std::vector<std::size_t> counting_entries(const RecordedSpace& recording) {
  const RecordedIndex index(recording);
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < recording.size(); ++i) {
    if (recording.status[i] != Status::correct) continue;
    if (index.duplicates() == 0 || index.find(recording.digits_of(i)) == i) entries.push_back(i);
  }
  return entries;
}

RecordedQuantity::RecordedQuantity(const RecordedSpace& recording, std::string name)
    : recording_(&recording), name_(std::move(name)), unit_(built_in_unit(name_)) {
  const auto set = [this](Kind kind, double scale) {
    kind_ = kind;
    scale_ = scale;
  };
  if (const RecordedNumbers* recorded = recording.find_numbers(name_); recorded != nullptr && unit_.empty()) {
    numbers_ = recorded;
    unit_ = recorded->unit;
    samples_ = samples_named(recording, name_);
    return;
  }
  if (name_ == "time" || name_ == "time_ms" || name_ == "time_us") {
    set(Kind::time, name_ == "time" ? 1.0 : name_ == "time_ms" ? 1e3 : 1e6);
  } else if (name_ == "energy" || name_ == "energy_mj") {
    set(Kind::energy, name_ == "energy" ? 1.0 : 1e3);
  } else if (name_ == "power") {
    set(Kind::power, 1.0);
  } else if (name_ == "edp" || name_ == "ed2p") {
    set(name_ == "edp" ? Kind::edp : Kind::ed2p, 1.0);
  } else {
    std::vector<std::string> known;
    for (const std::string_view built_in : built_in_quantities()) known.emplace_back(built_in);
    for (const RecordedNumbers& numbers : recording.numbers) known.push_back(numbers.name);
    const std::string hint = base::did_you_mean(name_, known);
    throw Error(ExitCode::bad_input, fmt::format("the recording has no quantity '{}'", name_), recording.source,
                hint.empty() ? "it has " + base::join(known, ", ") : hint);
  }
  const bool wants_energy = kind_ == Kind::energy || kind_ == Kind::edp || kind_ == Kind::ed2p;
  if (wants_energy || kind_ == Kind::power) {
    const bool any = column_for(recording, "energy") != nullptr || column_for(recording, "power") != nullptr;
    if (!any) {
      throw Error(ExitCode::bad_input, fmt::format("the recording has neither energy nor power, so no '{}'", name_),
                  recording.source, "record with a power sensor");
    }
  }
  const RecordedNumbers* column = kind_ == Kind::energy  ? column_for(recording, "energy")
                                  : kind_ == Kind::power ? column_for(recording, "power")
                                                         : nullptr;
  if (column != nullptr) samples_ = samples_named(recording, column->name);
}

std::optional<double> RecordedQuantity::at(std::size_t entry) const {
  if (recording_->status[entry] != Status::correct) return std::nullopt;
  if (numbers_ != nullptr) return numbers_->at(entry);
  const double time = recording_->time[entry];
  const auto energy = [&] {
    const auto joules = recording_->energy(entry);
    return joules ? std::optional(joules->value() * scale_) : std::nullopt;
  };
  switch (kind_) {
    case Kind::time:
      return time > 0.0 ? std::optional(time * scale_) : std::nullopt;
    case Kind::power: {
      const auto power = recording_->power(entry);
      return power ? std::optional(power->value()) : std::nullopt;
    }
    case Kind::energy:
      return energy();
    case Kind::edp:
      return with_delay(energy(), time, 1);
    case Kind::ed2p:
      return with_delay(energy(), time, 2);
    case Kind::number:
      break;
  }
  return std::nullopt;
}

std::vector<double> RecordedQuantity::samples(std::size_t entry) const {
  const std::optional<double> value = at(entry);
  std::span<const double> recorded;
  if (kind_ == Kind::time && numbers_ == nullptr) {
    recorded = recording_->times.at(entry);
  } else if (samples_ != nullptr) {
    recorded = samples_->at(entry);
  }
  if (!value || recorded.size() < 2) return {};
  std::vector<double> scaled(recorded.begin(), recorded.end());
  for (double& sample : scaled) sample *= scale_;
  const auto agrees = [&](double centre) { return std::abs(centre - *value) <= sample_agreement * std::abs(*value); };
  return agrees(mean(scaled)) || agrees(median(scaled)) ? scaled : std::vector<double>{};
}

std::optional<Interval> RecordedQuantity::interval(std::size_t entry) const {
  const std::optional<double> value = at(entry);
  if (!value) return std::nullopt;
  const std::vector<double> readings = samples(entry);
  if (readings.empty()) return Interval{*value, *value, *value};
  const Bounds bounds = mean_interval(readings);
  return Interval{*value, *value - (bounds.value - bounds.low), *value + (bounds.high - bounds.value)};
}

std::optional<double> power_limit_at(const RecordedSpace& recording, std::size_t entry) {
  for (const std::string_view name : {"power_limit_w", "nvml_pwr_limit"}) {
    const auto parameter = recording.parameter_index(name);
    if (parameter && recording.value(entry, *parameter).is_number())
      return recording.value(entry, *parameter).as_number();
  }
  return std::nullopt;
}

}  // namespace wattune::analysis
