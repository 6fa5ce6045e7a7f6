#include <algorithm>
#include <limits>

#include "tune/replay_task.hpp"
#include "wattune/error.hpp"
#include "wattune/strategy_study.hpp"

namespace wattune {
namespace {

/// Scores by configuration; where `correct` is 0 there is none.
struct Scores {
  std::vector<double> values;
  std::vector<std::uint8_t> correct;
};

Scores scores_of(const RecordedSpace& recording, const tune::ReplayTask& task) {
  Scores scores;
  for (ConfigurationId id = 0; id < task.space().size(); ++id) {
    Outcome outcome = recording.outcome(task.entry(id));
    outcome.configuration = task.space().values(id);
    task.judge(outcome);
    const auto found = task.objectives().scores(outcome);
    scores.values.push_back(found ? found->front() : 0.0);
    scores.correct.push_back(found ? 1 : 0);
  }
  return scores;
}

/// Throws where a fraction of the optimum would mean nothing.
void check_positive(const Scores& scores, const ObjectiveRecord& objective, const std::string& source) {
  for (std::size_t i = 0; i < scores.values.size(); ++i) {
    const double value = objective.maximize ? -scores.values[i] : scores.values[i];
    if (scores.correct[i] != 0 && !(value > 0.0))
      throw Error(ExitCode::bad_input,
                  "'" + objective.name + "' is not positive everywhere, so that there is no fraction of its optimum",
                  source, "choose another objective");
  }
}

}  // namespace

std::size_t StudySpace::failures() const {
  return static_cast<std::size_t>(std::ranges::count(fractions, 0.0));
}

StudySpace study_space(const RecordedSpace& recording, const Spec& spec, std::string name) {
  ReplayRequest request;
  request.recording = &recording;
  request.spec = spec;
  tune::ReplayTask task(request);
  const ObjectiveRecord objective = task.objectives().all().front();
  Scores scores = scores_of(recording, task);
  if (std::ranges::count(scores.correct, 1) == 0)
    throw Error(ExitCode::nothing_valid, "no recorded configuration succeeded", recording.source,
                "there is nothing that a search could find");
  check_positive(scores, objective, recording.source);

  double optimum = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scores.values.size(); ++i) {
    if (scores.correct[i] != 0) optimum = std::min(optimum, scores.values[i]);
  }
  std::vector<double> fractions(scores.values.size(), 0.0);
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    if (scores.correct[i] != 0)
      fractions[i] = objective.maximize ? scores.values[i] / optimum : optimum / scores.values[i];
  }
  return {std::move(name), std::move(task).release_space(), std::move(scores.values), std::move(fractions)};
}

}  // namespace wattune
