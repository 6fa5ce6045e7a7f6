// Small recordings made for the tests of studies.
#pragma once

#include "wattune/replay.hpp"
#include "wattune/strategy_study.hpp"

namespace wattune {

/// One entry a point of two parameters of `side` values; `time` in seconds by entry, 0 or less: the entry failed.
inline RecordedSpace square_recording(std::uint32_t side, const std::vector<double>& time) {
  RecordedSpace recording;
  recording.source = "made up";
  recording.objectives = {{"time", false, "s"}};
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < side; ++i) values.emplace_back(static_cast<std::int64_t>(i));
  recording.parameters = {{"x", values, values.front(), false}, {"y", values, values.front(), false}};
  for (std::size_t i = 0; i < time.size(); ++i) {
    recording.digits.push_back(static_cast<std::uint32_t>(i) / side);
    recording.digits.push_back(static_cast<std::uint32_t>(i) % side);
    const bool correct = time[i] > 0.0;
    recording.status.push_back(correct ? Status::correct : Status::runtime);
    recording.time.push_back(correct ? time[i] : 0.0);
    for (auto* column :
         {&recording.compile_time, &recording.verify_time, &recording.benchmark_time, &recording.overhead})
      column->push_back(0.0);
  }
  return recording;
}

inline StudySpace square_space(std::uint32_t side, const std::vector<double>& time,
                               const std::string& name = "square") {
  const RecordedSpace recording = square_recording(side, time);
  return study_space(recording, spec_of(recording), name);
}

/// A valley with its floor at (4, 7) of a 12 x 12 square; every seventh point fails.
inline StudySpace valley(const std::string& name = "valley") {
  std::vector<double> time;
  for (int x = 0; x < 12; ++x) {
    for (int y = 0; y < 12; ++y)
      time.push_back((x * 12 + y) % 7 == 3 ? 0.0 : 1.0 + 0.1 * ((x - 4) * (x - 4) + (y - 7) * (y - 7)));
  }
  return square_space(12, time, name);
}

}  // namespace wattune
