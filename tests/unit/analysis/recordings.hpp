// Small recordings made by hand, for tests of what looks at whole spaces.
#pragma once

#include <string>
#include <vector>

#include "wattune/recorded_space.hpp"

namespace wattune::test {

/// A recording with one parameter a name; entries are appended by value positions.
inline RecordedSpace recording(const std::vector<std::pair<std::string, std::vector<Value>>>& parameters) {
  RecordedSpace space;
  space.source = "made by hand";
  space.format = "test";
  space.objectives.push_back({"time", false, "s"});
  for (const auto& [name, values] : parameters) space.parameters.push_back({name, values, values.front(), false});
  space.times.name = "times";
  return space;
}

inline RecordedNumbers& column(RecordedSpace& space, const std::string& name) {
  for (RecordedNumbers& numbers : space.numbers) {
    if (numbers.name == name) return numbers;
  }
  space.numbers.push_back(
      {name, "", std::vector<double>(space.size(), 0.0), std::vector<std::uint8_t>(space.size(), 0)});
  return space.numbers.back();
}

/// Appends an entry; a time of 0 is a failure. Energy below 0: not recorded.
inline void add(RecordedSpace& space, const std::vector<std::uint32_t>& digits, double seconds, double joules = -1.0,
                const std::vector<double>& times = {}) {
  space.digits.insert(space.digits.end(), digits.begin(), digits.end());
  space.status.push_back(seconds > 0.0 ? Status::correct : Status::runtime);
  space.time.push_back(seconds);
  for (auto* durations : {&space.compile_time, &space.verify_time, &space.benchmark_time, &space.overhead})
    durations->push_back(0.0);
  space.times.values.insert(space.times.values.end(), times.begin(), times.end());
  space.times.ends.push_back(space.times.values.size());
  for (RecordedNumbers& numbers : space.numbers) {
    numbers.values.push_back(0.0);
    numbers.present.push_back(0);
  }
  if (joules < 0.0) return;
  RecordedNumbers& energy = column(space, "energy");
  energy.values.back() = joules;
  energy.present.back() = 1;
}

}  // namespace wattune::test
