// The task behind a recording, as a spec that flags of the command line may then change.
#include <array>

#include "wattune/replay.hpp"

namespace wattune {

Spec spec_of(const RecordedSpace& recording) {
  Spec spec;
  spec.name = recording.kernel_name.empty() ? recording.source : recording.kernel_name;
  spec.at.file = recording.source;
  constexpr std::array axes = {"problem_size_x", "problem_size_y", "problem_size_z"};
  for (std::size_t i = 0; i < recording.problem_size.size(); ++i) {
    const std::string name = i < axes.size() ? axes[i] : "problem_size_" + std::to_string(i);
    spec.problem.push_back({name, Value(recording.problem_size[i]), spec.at});
  }
  for (const RunParameter& parameter : recording.parameters)
    spec.parameters.push_back({parameter.name, parameter.values, parameter.default_value, spec.at});
  for (const ObjectiveRecord& objective : recording.objectives)
    spec.objectives.push_back({{objective.name, spec.at}, objective.maximize});
  return spec;
}

}  // namespace wattune
