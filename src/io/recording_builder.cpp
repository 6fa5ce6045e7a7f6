#include "io/recording_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/quantities.hpp"
#include "wattune/error.hpp"
#include "wattune/statistics.hpp"

namespace wattune::io {

namespace {

constexpr std::uint32_t no_digit = std::numeric_limits<std::uint32_t>::max();
constexpr double failure_time = 1e17;  // s: 1e20 ms of very old files
// A merge of two runs of the same device moves means by up to 1.9 %, one of different devices by up to 62 %.
constexpr double sample_tolerance = 0.025;
constexpr double disagreeing_share = 0.01;  // of the entries, before all samples count as foreign

bool near(double time, double centre) {
  return std::abs(centre - time) <= sample_tolerance * time;
}

}  // namespace

void RecordingBuilder::set_parameters(std::vector<RunParameter> parameters, bool listed) {
  listed_ = listed;
  tables_.clear();
  for (RunParameter& parameter : parameters) {
    tables_.emplace_back(std::move(parameter.values));
    parameter.values.clear();
  }
  space_.parameters = std::move(parameters);
}

void RecordingBuilder::begin_entry() {
  space_.digits.resize(space_.digits.size() + tables_.size(), no_digit);
  space_.status.push_back(Status::correct);
  for (auto* column :
       {&space_.time, &space_.compile_time, &space_.verify_time, &space_.benchmark_time, &space_.overhead}) {
    column->push_back(0.0);
  }
  if (!space_.finished_at.empty()) space_.finished_at.push_back(0.0);
  samples_begin_ = space_.times.values.size();
  failed_ = false;
  timed_ = false;
}

bool RecordingBuilder::has_value(std::size_t parameter) const {
  return space_.digits[space_.digits.size() - tables_.size() + parameter] != no_digit;
}

void RecordingBuilder::fail(Status status, std::string_view message) {
  failed_ = true;
  space_.status.back() = status;
  if (!message.empty()) space_.messages[entries() - 1] = std::string(message);
}

void RecordingBuilder::set_time(double seconds) {
  timed_ = true;
  if (std::isfinite(seconds) && seconds > 0.0 && seconds < failure_time) {
    space_.time.back() = seconds;
  } else if (!failed_) {
    fail(Status::runtime);
  }
}

void RecordingBuilder::set_finished(Seconds system_time) {
  if (space_.finished_at.empty()) space_.finished_at.resize(entries(), 0.0);
  space_.finished_at.back() = system_time.value();
}

std::size_t RecordingBuilder::number_column(std::string_view name, std::string_view unit) {
  for (std::size_t i = 0; i < space_.numbers.size(); ++i) {
    if (space_.numbers[i].name == name) return i;
  }
  space_.numbers.push_back({std::string(name), std::string(unit.empty() ? unit_of(name) : unit), {}, {}});
  return space_.numbers.size() - 1;
}

void RecordingBuilder::set_number(std::size_t column, double number) {
  if (!std::isfinite(number)) return;
  RecordedNumbers& numbers = space_.numbers[column];
  numbers.values.resize(entries(), 0.0);
  numbers.present.resize(entries(), 0);
  numbers.values.back() = number;
  numbers.present.back() = 1;
}

std::size_t RecordingBuilder::list_column(std::string_view name) {
  for (std::size_t i = 0; i < space_.samples.size(); ++i) {
    if (space_.samples[i].name == name) return i;
  }
  space_.samples.push_back({std::string(name), {}, {}});
  return space_.samples.size() - 1;
}

void RecordingBuilder::add_to_list(std::size_t column, double number) {
  RecordedSamples& list = space_.samples[column];
  list.ends.resize(entries(), list.values.size());
  if (std::isfinite(number)) list.values.push_back(number);
  list.ends.back() = list.values.size();
}

void RecordingBuilder::expect(double factor) {
  const auto reserve = [factor](auto& column) {
    column.reserve(static_cast<std::size_t>(static_cast<double>(column.size()) * std::clamp(factor, 1.0, 1e4) * 1.1));
  };
  reserve(space_.digits);
  reserve(space_.status);
  for (auto* column : {&space_.time, &space_.compile_time, &space_.verify_time, &space_.benchmark_time,
                       &space_.overhead, &space_.finished_at, &space_.times.values}) {
    reserve(*column);
  }
  reserve(space_.times.ends);
  for (RecordedNumbers& numbers : space_.numbers) {
    reserve(numbers.values);
    reserve(numbers.present);
  }
}

void RecordingBuilder::end_entry(std::string_view where) {
  for (std::size_t p = 0; p < tables_.size(); ++p) {
    if (!has_value(p)) {
      throw Error(ExitCode::bad_input, fmt::format("an entry has no value for '{}'", space_.parameters[p].name),
                  std::string(where));
    }
  }
  const bool by_time = space_.objectives.empty() || space_.objectives.front().name == "time";
  if (!failed_ && !timed_ && by_time) fail(Status::runtime, "no time was recorded");
  std::vector<double>& samples = space_.times.values;
  if (space_.status.back() != Status::correct) {
    // Merged recordings keep numbers of an earlier run in entries that failed later: they say nothing about this one.
    samples.resize(samples_begin_);
    space_.time.back() = 0.0;
    for (RecordedNumbers& numbers : space_.numbers) {
      if (numbers.present.size() == entries()) numbers.present.back() = 0;
      if (numbers.values.size() == entries()) numbers.values.back() = 0.0;
    }
    for (RecordedSamples& list : space_.samples) {
      if (list.ends.size() != entries()) continue;
      const std::uint64_t begin = list.ends.size() > 1 ? list.ends[list.ends.size() - 2] : 0;
      list.values.resize(begin);
      list.ends.back() = begin;
    }
  } else {
    const auto unusable = [](double sample) { return !std::isfinite(sample); };
    samples.erase(
        std::remove_if(samples.begin() + static_cast<std::ptrdiff_t>(samples_begin_), samples.end(), unusable),
        samples.end());
  }
  space_.times.ends.push_back(samples.size());
}

/// Numbers ascending (texts in order of appearance): neighbourhoods and plots need an order that means something.
void RecordingBuilder::sort_values(std::size_t parameter) {
  const std::vector<Value>& values = tables_[parameter].values();
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  const bool numeric = std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_number(); });
  if (numeric && !listed_) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return values[a].as_number() < values[b].as_number(); });
  }
  RunParameter& target = space_.parameters[parameter];
  std::vector<std::uint32_t> rank(values.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    target.values.push_back(values[order[i]]);
    rank[order[i]] = i;
  }
  const std::size_t width = tables_.size();
  for (std::size_t at = parameter; at < space_.digits.size(); at += width) space_.digits[at] = rank[space_.digits[at]];
  target.default_value = target.values.front();
  target.device = is_device_setting(target.name);
  if (target.device && numeric) {
    target.default_value =
        *std::max_element(target.values.begin(), target.values.end(),
                          [](const Value& a, const Value& b) { return a.as_number() < b.as_number(); });
  }
}

void RecordingBuilder::fill_columns() {
  const std::size_t count = entries();
  for (RecordedNumbers& numbers : space_.numbers) {
    numbers.values.resize(count, 0.0);
    numbers.present.resize(count, 0);
    if (std::count(numbers.present.begin(), numbers.present.end(), 1) == static_cast<std::ptrdiff_t>(count)) {
      numbers.present.clear();
    }
    numbers.present.shrink_to_fit();
    numbers.values.shrink_to_fit();
  }
  std::erase_if(space_.numbers, [](const RecordedNumbers& numbers) {
    return !numbers.present.empty() && std::count(numbers.present.begin(), numbers.present.end(), 1) == 0;
  });
  for (RecordedSamples& list : space_.samples) {
    list.ends.resize(count, list.values.size());
    list.values.shrink_to_fit();
  }
  std::erase_if(space_.samples, [](const RecordedSamples& list) { return list.values.empty(); });
}

bool RecordingBuilder::samples_agree() const {
  std::size_t with_samples = 0;
  std::size_t disagree = 0;
  for (std::size_t i = 0; i < entries(); ++i) {
    const std::span<const double> samples = space_.times.at(i);
    if (samples.empty() || !(space_.time[i] > 0.0)) continue;
    ++with_samples;
    if (!near(space_.time[i], mean(samples)) && !near(space_.time[i], median(samples))) ++disagree;
  }
  return static_cast<double>(disagree) <= disagreeing_share * static_cast<double>(with_samples);
}

RecordedSpace RecordingBuilder::finish() {
  if (entries() == 0) throw Error(ExitCode::bad_input, "the recording has no entries", space_.source);
  for (std::size_t p = 0; p < tables_.size(); ++p) sort_values(p);
  fill_columns();
  space_.times.name = "times";
  if (space_.objectives.empty()) space_.objectives.push_back({"time", false, "s"});
  space_.samples_agree = samples_agree();
  if (!space_.samples_agree) {
    if (!space_.note.empty()) space_.note += "; ";
    space_.note += "the recorded times are not those of the recorded samples, which are kept but not used";
  }
  // Growing doubles capacity; what is kept for long should not hold the unused half.
  space_.digits.shrink_to_fit();
  space_.status.shrink_to_fit();
  space_.times.values.shrink_to_fit();
  space_.times.ends.shrink_to_fit();
  for (auto* column : {&space_.time, &space_.compile_time, &space_.verify_time, &space_.benchmark_time,
                       &space_.overhead, &space_.finished_at}) {
    column->shrink_to_fit();
  }
  return std::move(space_);
}

}  // namespace wattune::io
