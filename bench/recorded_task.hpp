// A recorded space as a search task without a device: the Space and the time of each configuration (negative: it
// failed).
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "wattune/formats.hpp"
#include "wattune/recorded_space.hpp"
#include "wattune/space.hpp"
#include "wattune/strategy.hpp"

namespace wattune::bench {

struct RecordedTask {
  std::string name;
  Space space;
  std::vector<double> times;  ///< s by configuration; negative for a failure
  double best = std::numeric_limits<double>::infinity();
};

/// One condition that holds for the recorded configurations alone, for recordings whose own conditions are not at hand:
/// the mixed-radix number of the values is in a list. Numeric parameters only.
inline std::string recorded_only(const RecordedSpace& recording) {
  std::string code = "0";
  for (const RunParameter& parameter : recording.parameters) {
    std::string position = "0";
    for (std::size_t k = 1; k < parameter.values.size(); ++k) {
      position = std::to_string(k) + " if " + parameter.name + " == " + to_string(parameter.values[k]) + " else (" +
                 position + ")";
    }
    code = "(" + code + ") * " + std::to_string(parameter.values.size()) + " + (" + position + ")";
  }
  std::string text = code + " in [";
  for (std::size_t entry = 0; entry < recording.size(); ++entry) {
    std::uint64_t number = 0;
    for (std::size_t p = 0; p < recording.parameters.size(); ++p) {
      number = number * recording.parameters[p].values.size() + recording.digits_of(entry)[p];
    }
    text += (entry == 0 ? "" : ", ") + std::to_string(number);
  }
  return text + "]";
}

/// Reads a recording, and its conditions from the T1 file `conditions` (may be empty).
inline RecordedTask load_task(std::string name, const std::string& recording_path, const std::string& conditions) {
  const RecordedSpace recording = import_recording(recording_path);
  std::vector<Parameter> parameters;
  for (const RunParameter& parameter : recording.parameters) parameters.push_back({parameter.name, parameter.values});
  std::vector<Constraint> constraints;
  if (!conditions.empty()) {
    for (const auto& located : read_spec(conditions).constraints) constraints.push_back({located.value, ""});
  } else if (recording.cartesian_size() != static_cast<double>(recording.size())) {
    constraints.push_back({recorded_only(recording), ""});
  }
  RecordedTask task{std::move(name), Space::build(std::move(parameters), std::move(constraints)), {}};
  const RecordedIndex index(recording);
  for (ConfigurationId id = 0; id < task.space.size(); ++id) {
    const auto entry = index.find_values(task.space.values(id));
    const bool correct = entry && recording.status[*entry] == Status::correct;
    task.times.push_back(correct ? recording.time[*entry] : -1.0);
    if (correct) task.best = std::min(task.best, task.times.back());
  }
  return task;
}

struct RecordedFile {
  const char* name;
  const char* recording;
  const char* conditions;
  bool held_out;  ///< takes no part in choosing what `auto` does
};

inline constexpr std::array recorded_files = {
    RecordedFile{"convolution MI50", "fitness_flow/MI50_convolution_15x15.json", "", false},
    RecordedFile{"convolution A100", "tuning_spaces/convolution_milo/A100.json.gz", "convolution_milo", false},
    RecordedFile{"convolution A4000", "tuning_spaces/convolution_milo/A4000.json.gz", "convolution_milo", false},
    RecordedFile{"convolution MI250X", "tuning_spaces/convolution_milo/MI250X.json.gz", "convolution_milo", false},
    RecordedFile{"dedispersion A100", "tuning_spaces/dedispersion_milo/A100.json.gz", "dedispersion_milo", false},
    RecordedFile{"dedispersion MI250X", "tuning_spaces/dedispersion_milo/MI250X.json.gz", "dedispersion_milo", false},
    RecordedFile{"pnpoly RTX 3090", "tuning_spaces/pnpoly/RTX_3090.json.gz", "pnpoly", true},
    RecordedFile{"coulomb3d RTX 2080 Ti", "tuning_spaces/coulomb3d/coulomb_2080_full_search_space.json", "", true}};

inline const std::string data_directory = WATTUNE_SOURCE_DIR "/../shared/data/";

inline RecordedTask load_task(const RecordedFile& file) {
  const std::string conditions = file.conditions;
  return load_task(file.name, data_directory + file.recording,
                   conditions.empty() ? "" : data_directory + "tuning_spaces/kernels/" + conditions + ".json");
}

/// Plays one search; `at_budget[k]` becomes the fraction of the optimum (best time / best found) after budgets[k]
/// evaluations (ascending), 0 while nothing succeeded. Returns the number of evaluations.
inline std::size_t play(const RecordedTask& task, Strategy& strategy, const std::vector<std::size_t>& budgets,
                        std::vector<double>& at_budget) {
  at_budget.assign(budgets.size(), 0.0);
  std::vector<ConfigurationId> ids;
  double fraction = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < budgets.size(); ++k) {
    for (; count < budgets[k] && !strategy.done(); ++count) {
      ids.clear();
      strategy.ask(1, ids);
      const double* time = &task.times[ids.front()];
      const bool valid = *time > 0.0;
      const Scored result{ids.front(), valid, valid ? std::span(time, 1) : std::span<const double>()};
      strategy.tell(std::span(&result, 1));
      if (valid) fraction = std::max(fraction, task.best / *time);
    }
    at_budget[k] = fraction;
  }
  return count;
}

}  // namespace wattune::bench
