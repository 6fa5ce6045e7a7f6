#include "tune/replay_session.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "wattune/error.hpp"

namespace wattune::tune {
namespace {

/// Outcomes kept back and stored together: a replay makes some hundred thousand a second, a commit takes milliseconds.
constexpr std::size_t store_batch = 1024;

std::uint64_t seed_of(const Spec& spec) {
  return spec.seed.value_or(0);
}

/// Tells recordings apart, whatever their name.
std::string identity(const RecordedSpace& recording) {
  const auto bytes = [](const auto& column) {
    return std::string_view(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(column[0]));
  };
  return base::content_hash(std::string(bytes(recording.digits)) + std::string(bytes(recording.time)) +
                            std::string(bytes(recording.status)));
}

MeasurementKey key_of(const RecordedSpace& recording) {
  MeasurementKey key;
  key.kernel = recording.kernel_name;
  key.source_hash = identity(recording);
  key.options = "replay";
  key.problem = recording.problem;
  return key;
}

/// Baseline time over winner's time. The bounds take both intervals at their ends, which is wider than 95 %.
Interval speedup(const Interval& baseline, const Interval& winner) {
  if (!(winner.low > 0.0) || !(baseline.value > 0.0)) return {};
  return {baseline.value / winner.value, baseline.low / winner.high, baseline.high / winner.low};
}

/// Baseline energy over winner's energy, without an interval: recordings have one number each.
Interval gain(const std::optional<Joules>& baseline, const std::optional<Joules>& winner) {
  if (!baseline || !winner || !(winner->value() > 0.0)) return {};
  const double ratio = *baseline / *winner;
  return {ratio, ratio, ratio};
}

}  // namespace

ReplaySession::ReplaySession(const ReplayRequest& request, Store& store, TuneObserver& observer)
    : request_(request),
      store_(store),
      observer_(observer),
      task_(request),
      evaluator_(*request.recording, task_, request.samples, seed_of(request.spec)) {}

Run ReplaySession::run() {
  begin();
  try {
    search();
    find_baseline();
  } catch (const Error&) {
    if (run_.head.id == 0) throw;  // nothing began
    run_.head.state = RunState::failed;
    run_.head.note = "ended by an error";
    finish();
    throw;
  }
  const std::string reason = loop_->budget().reason();
  run_.head.state = loop_->stopped() ? RunState::interrupted : RunState::finished;
  run_.head.note = loop_->stopped() ? "stopped by the user"
                   : reason.empty() ? "every configuration was evaluated"
                                    : "budget spent: " + reason;
  finish();
  if (!run_.best_index && !loop_->stopped()) {
    const Outcome& first = run_.outcomes.front();
    throw Error(ExitCode::nothing_valid,
                "no configuration succeeded; the first failed with (" + std::string(to_string(first.status)) + ")" +
                    (first.message.empty() ? "" : ": " + first.message),
                request_.recording->source, "run " + std::to_string(run_.head.id) + " keeps all outcomes");
  }
  return std::move(run_);
}

void ReplaySession::begin() {
  const RecordedSpace& recording = *request_.recording;
  const Spec& spec = request_.spec;
  RunRecord& head = run_.head;
  head.name = spec.name;
  head.spec_path = spec.at.file;
  head.key = key_of(recording);
  head.device_name = recording.device_name;
  head.device_details = {{"recording", recording.source}, {"recording_format", recording.format}};
  if (request_.samples > 0) head.device_details["samples"] = std::to_string(request_.samples);
  for (const Parameter& parameter : task_.space().parameters())
    head.parameters.push_back({parameter.name, parameter.values, parameter.values[parameter.default_index],
                               parameter.role == ParameterRole::device});
  for (const LocatedText& constraint : spec.constraints) head.constraints.push_back(constraint.value);
  for (const NamedValue& item : spec.problem) {
    if (item.value.is_number()) head.problem.emplace_back(item.name, item.value.as_number());
  }
  head.objectives = task_.objectives().all();
  for (const RecordedNumbers& numbers : recording.numbers) {
    if (!numbers.unit.empty()) head.metric_units[numbers.name] = numbers.unit;
  }
  for (const MetricSpec& metric : spec.metrics) head.metric_units[metric.name] = metric.unit;
  head.strategy = spec.strategy.name.value;
  for (const auto& [name, value] : spec.strategy.options) head.strategy_options[name] = to_string(value.value);
  head.seed = seed_of(spec);
  head.provenance = Provenance::replayed;
  head.space_size = task_.space().size();
  head.cartesian_size = task_.space().cartesian_size();
  head.started_at = real_clock().system();
  head.version = version();
}

void ReplaySession::search() {
  const Spec& spec = request_.spec;
  Evaluator& evaluator = *this;
  check_durations();
  loop_.emplace(task_.objectives(), Budget(spec.budget, task_.space().size()), evaluator, observer_, request_.stop);
  StrategyOptions options;
  for (const auto& [name, value] : spec.strategy.options) options[name] = value.value;
  StrategyTask task;
  task.space = &task_.space();
  task.seed = run_.head.seed;
  task.objectives = task_.objectives().all().size();
  task.budget = loop_->budget().evaluation_limit();
  task.start = task_.start();
  const std::unique_ptr<Strategy> strategy = make_strategy(run_.head.strategy, task, options);
  run_.head.id = store_.begin_run(run_.head);
  observer_.started(run_.head, task_.space(), false);
  loop_->search(*strategy, std::max<std::size_t>(1, request_.jobs));
}

void ReplaySession::check_durations() const {
  const RecordedSpace& recording = *request_.recording;
  if (!request_.spec.budget.seconds) return;
  for (std::size_t entry = 0; entry < recording.size(); ++entry) {
    if (recording.cost(entry).value() > 0.0) return;
  }
  throw Error(ExitCode::bad_input, "the recording has no durations, so that a time budget would never be spent",
              recording.source, "limit evaluations instead");
}

Outcome ReplaySession::evaluate(ConfigurationId id) {
  Outcome outcome = evaluator_.evaluate(id);
  if (outcome.time) outcome.time->samples = {};  // the recording keeps them
  order_.push_back(id);
  if (loop_->outcomes().size() - stored_ >= store_batch) store_new();
  return outcome;
}

void ReplaySession::store_new() {
  const std::span<const Outcome> all = loop_->outcomes();
  if (all.size() > stored_) store_.append_batch(run_.head.id, all.subspan(stored_));
  stored_ = all.size();
}

void ReplaySession::find_baseline() {
  const Space& space = task_.space();
  const auto succeeds = [&](ConfigurationId id) {
    return task_.find_entry(id) && evaluator_.recorded(id).status == Status::correct;
  };
  const std::optional<ConfigurationId> first = space.default_configuration();
  if (first && succeeds(*first)) {
    baseline_ = first;
  } else {
    for (ConfigurationId id = 0; id < space.size() && !baseline_; ++id) {
      if (succeeds(id)) baseline_ = id;
    }
    if (baseline_)
      observer_.notice(std::string("the default configuration ") +
                       (first && task_.find_entry(*first) ? "fails" : "is not in the recording") +
                       "; the first configuration that succeeds is the baseline: " + describe(space, *baseline_));
  }
  if (!baseline_) return;
  Outcome recorded = evaluator_.recorded(*baseline_);
  if (recorded.time) {
    baseline_time_ = recorded.time->time;
    recorded.time->samples = {};
  }
  baseline_energy_ = recorded.energy;
  if (loop_->answered(*baseline_)) {
    run_.default_index = loop_->position(*baseline_);
  } else {
    run_.baseline = std::move(recorded);
  }
}

void ReplaySession::name_winner() {
  if (!loop_->best()) return;
  run_.best_index = *loop_->best();
  std::vector<std::size_t> named{*run_.best_index};
  if (run_.default_index && run_.default_index != run_.best_index) named.push_back(*run_.default_index);
  for (const std::size_t position : named) {
    const Outcome recorded = evaluator_.recorded(order_[position]);
    if (!recorded.time) continue;
    Finalist finalist;
    finalist.index = position;
    finalist.samples = recorded.time->samples;
    finalist.time = recorded.time->time;
    if (position != run_.default_index) {
      finalist.speedup = speedup(baseline_time_, finalist.time);
      finalist.energy_gain = gain(baseline_energy_, recorded.energy);
    }
    run_.finalists.push_back(std::move(finalist));
  }
}

void ReplaySession::finish() {
  store_new();
  name_winner();
  run_.head.seconds = elapsed();
  run_.outcomes = loop_->take_outcomes();
  store_.update_run(run_.head);
  if (run_.baseline) store_.set_baseline(run_.head.id, *run_.baseline);
  store_.set_result(run_.head.id, run_.default_index, run_.best_index, run_.finalists);
}

}  // namespace wattune::tune

namespace wattune {

Run replay(const ReplayRequest& request, Store& store, TuneObserver& observer) {
  if (request.recording == nullptr) throw Error(ExitCode::internal, "a replay without a recording");
  return tune::ReplaySession(request, store, observer).run();
}

}  // namespace wattune
