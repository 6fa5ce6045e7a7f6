// Names of run states.
#include "wattune/run.hpp"

#include "record/names.hpp"

namespace wattune {

namespace {

using record::Name;

constexpr std::array state_names = {
    Name{RunState::running, "running"},
    Name{RunState::finished, "finished"},
    Name{RunState::interrupted, "interrupted"},
    Name{RunState::failed, "failed"},
};

}  // namespace

std::string_view to_string(RunState state) {
  return record::name_of(state_names, state);
}
std::optional<RunState> run_state_from(std::string_view name) {
  return record::value_of(state_names, name);
}

const Outcome* default_outcome(const Run& run) {
  if (run.default_index) return &run.outcomes.at(*run.default_index);
  return run.baseline ? &*run.baseline : nullptr;
}

}  // namespace wattune
