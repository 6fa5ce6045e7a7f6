// Access to the columns of a recording.
#include "wattune/recorded_space.hpp"

#include <algorithm>

#include "wattune/statistics.hpp"

namespace wattune {

namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& column) {
  return column.capacity() * sizeof(T);
}

bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

/// The first recorded quantity called `word` or "<sensor>_<word>".
const RecordedNumbers* first_of(const RecordedSpace& space, std::string_view word, std::string_view ending) {
  if (const RecordedNumbers* exact = space.find_numbers(word)) return exact;
  for (const RecordedNumbers& numbers : space.numbers) {
    if (ends_with(numbers.name, ending)) return &numbers;
  }
  return nullptr;
}

/// The recorded time with the spread of its samples around it.
Interval interval_of(double time, std::span<const double> samples, bool agree) {
  if (samples.size() < 2 || !agree) return {time, time, time};
  const Bounds bounds = mean_interval(samples);
  return {time, time - (bounds.value - bounds.low), time + (bounds.high - bounds.value)};
}

}  // namespace

std::optional<double> RecordedNumbers::at(std::size_t entry) const {
  if (entry >= values.size() || (!present.empty() && present[entry] == 0)) return std::nullopt;
  return values[entry];
}

std::span<const double> RecordedSamples::at(std::size_t entry) const {
  if (entry >= ends.size()) return {};
  const std::size_t begin = entry == 0 ? 0 : ends[entry - 1];
  return std::span(values).subspan(begin, ends[entry] - begin);
}

std::size_t RecordedSpace::correct_count() const {
  return static_cast<std::size_t>(std::count(status.begin(), status.end(), Status::correct));
}

double RecordedSpace::cartesian_size() const {
  double size = 1.0;
  for (const RunParameter& parameter : parameters) size *= static_cast<double>(parameter.values.size());
  return size;
}

std::optional<std::size_t> RecordedSpace::parameter_index(std::string_view name) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return i;
  }
  return std::nullopt;
}

const RecordedNumbers* RecordedSpace::find_numbers(std::string_view name) const {
  const auto found = std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

std::span<const std::uint32_t> RecordedSpace::digits_of(std::size_t entry) const {
  return std::span(digits).subspan(entry * parameters.size(), parameters.size());
}

const Value& RecordedSpace::value(std::size_t entry, std::size_t parameter) const {
  return parameters[parameter].values[digits[entry * parameters.size() + parameter]];
}

std::vector<Value> RecordedSpace::configuration(std::size_t entry) const {
  std::vector<Value> values;
  values.reserve(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) values.push_back(value(entry, i));
  return values;
}

Seconds RecordedSpace::cost(std::size_t entry) const {
  return Seconds(compile_time[entry] + verify_time[entry] + benchmark_time[entry]);
}

std::optional<Joules> RecordedSpace::energy(std::size_t entry) const {
  if (status[entry] != Status::correct) return std::nullopt;
  if (const RecordedNumbers* recorded = first_of(*this, "energy", "_energy")) {
    const auto energy = recorded->at(entry);
    return energy ? std::optional(Joules(*energy)) : std::nullopt;
  }
  const RecordedNumbers* recorded = first_of(*this, "power", "_power");
  const auto power = recorded != nullptr ? recorded->at(entry) : std::nullopt;
  return power && time[entry] > 0.0 ? std::optional(Joules(*power * time[entry])) : std::nullopt;
}

std::optional<Watts> RecordedSpace::power(std::size_t entry) const {
  if (status[entry] != Status::correct) return std::nullopt;
  if (const RecordedNumbers* recorded = first_of(*this, "power", "_power")) {
    const auto power = recorded->at(entry);
    return power ? std::optional(Watts(*power)) : std::nullopt;
  }
  const auto spent = energy(entry);
  return spent && time[entry] > 0.0 ? std::optional(*spent / Seconds(time[entry])) : std::nullopt;
}

Outcome RecordedSpace::outcome(std::size_t entry) const {
  Outcome outcome;
  outcome.configuration = configuration(entry);
  outcome.status = status[entry];
  outcome.provenance = Provenance::replayed;
  outcome.compile_time = Seconds(compile_time[entry]);
  outcome.verify_time = Seconds(verify_time[entry]);
  outcome.benchmark_time = Seconds(benchmark_time[entry]);
  outcome.overhead = Seconds(overhead[entry]);
  if (!finished_at.empty()) outcome.finished_at = Seconds(finished_at[entry]);
  if (const auto message = messages.find(entry); message != messages.end()) outcome.message = message->second;
  if (outcome.status != Status::correct) return outcome;
  if (time[entry] > 0.0) {
    TimeMeasurement measured;
    const std::span<const double> recorded = times.at(entry);
    for (double sample : recorded) measured.samples.emplace_back(sample);
    measured.time = interval_of(time[entry], recorded, samples_agree);
    outcome.time = std::move(measured);
  }
  outcome.energy = energy(entry);
  outcome.power = power(entry);
  for (const RecordedNumbers& column : numbers) {
    if (const auto number = column.at(entry)) outcome.observed[column.name] = *number;
  }
  return outcome;
}

std::size_t RecordedSpace::bytes() const {
  std::size_t total = bytes_of(digits) + bytes_of(status) + bytes_of(finished_at);
  for (const auto* column : {&time, &compile_time, &verify_time, &benchmark_time, &overhead})
    total += bytes_of(*column);
  total += bytes_of(times.ends) + bytes_of(times.values);
  for (const RecordedSamples& column : samples) total += bytes_of(column.ends) + bytes_of(column.values);
  for (const RecordedNumbers& column : numbers) total += bytes_of(column.values) + bytes_of(column.present);
  for (const auto& [entry, message] : messages) total += sizeof(entry) + message.size() + 48;  // tree node
  return total;
}

}  // namespace wattune
