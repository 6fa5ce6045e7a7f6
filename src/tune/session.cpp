#include "tune/session.hpp"

#include <algorithm>
#include <thread>

#include "wattune/error.hpp"
#include "wattune/statistics.hpp"

namespace wattune::tune {
namespace {

constexpr std::uint32_t finalist_rounds = 30;
constexpr Seconds finalist_time{10.0};
constexpr std::uint32_t controlled_rounds = 7;  // a change of clocks takes up to seconds
constexpr std::uint32_t energy_rounds = 5;
constexpr std::size_t hardware_batch = 16;
constexpr std::uint64_t most_baseline_attempts = 20;

std::vector<ObjectiveRecord> objective_records(const Spec& spec) {
  std::vector<ObjectiveRecord> records;
  for (const ObjectiveSpec& objective : spec.objectives) {
    std::string unit(built_in_unit(objective.name.value));
    for (const MetricSpec& metric : spec.metrics) {
      if (metric.name == objective.name.value) unit = metric.unit;
    }
    records.push_back({objective.name.value, objective.maximize, unit});
  }
  return records;
}

MetricSet metric_set(const Task& task) {
  std::vector<MetricDefinition> definitions;
  for (const MetricSpec& metric : task.spec().metrics)
    definitions.push_back({metric.name, metric.expression.value, to_string(metric.expression.at)});
  const std::vector<std::string> names = task.parameter_names();
  return MetricSet(names, task.environment().constants(), definitions);
}

BudgetSpec merged(BudgetSpec budget, const std::optional<BudgetSpec>& other) {
  if (!other) return budget;
  if (other->evaluations) budget.evaluations = other->evaluations;
  if (other->seconds) budget.seconds = other->seconds;
  if (other->fraction) budget.fraction = other->fraction;
  if (other->no_improvement) budget.no_improvement = other->no_improvement;
  if (other->target) budget.target = other->target;
  return budget;
}

Seconds cost(const Outcome& outcome) {
  return outcome.compile_time + outcome.verify_time + outcome.benchmark_time + outcome.overhead;
}

Interval mean_energy(std::span<const Joules> samples) {
  std::vector<double> values;
  for (const Joules energy : samples) values.push_back(energy.value());
  const Bounds bounds = mean_interval(values);
  return {bounds.value, bounds.low, bounds.high};
}

/// Energy of the baseline over that of the candidate, round by round.
Interval paired_gain(std::span<const Joules> baseline, std::span<const Joules> candidate) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    if (candidate[i].value() > 0.0) ratios.push_back(baseline[i] / candidate[i]);
  }
  if (ratios.empty()) return {};
  const Bounds bounds = mean_interval(ratios);
  return {bounds.value, bounds.low, bounds.high};
}

}  // namespace

Session::Session(const TuneRequest& request, Engine& engine, Store& store, TuneObserver& observer, Clock& clock)
    : request_(request),
      engine_(engine),
      store_(store),
      observer_(observer),
      clock_(clock),
      spec_(resolve(for_device_kind(request.spec, engine.describe().kind))),
      task_(spec_, engine.describe()),
      space_(build_space(spec_, &engine.describe())),
      metrics_(metric_set(task_)),
      objectives_(objective_records(spec_)) {}

Spec Session::resolve(const Spec& given) {
  const EnergySpec& energy = given.energy;
  const bool wants_energy = energy.measure == EnergySpec::When::always || objectives_need_energy(given) ||
                            (energy.measure == EnergySpec::When::automatic && metrics_need_energy(given));
  if (!wants_energy && !needs_controls(given))
    return has_settings(given) ? with_supported_values(given, nullptr, engine_.describe()) : given;
  const DeviceDescription& described = engine_.describe();
  device_ = request_.device;
  if (device_ == nullptr) {
    const std::string fallback = described.kind == "cpu" ? "rapl:0" : "";
    for (const std::string& name : {described.uuid, described.pci_bus, fallback}) {
      if (!opened_ && !name.empty()) opened_ = open_device(name);
    }
    device_ = opened_.get();
  }
  return with_supported_values(given, device_, described);
}

Run Session::run() {
  begin();
  try {
    search();
    run_.outcomes = loop_->take_outcomes();
    if (!loop_->stopped()) measure_finalists();
    if (hardware_) hardware_->restore();
  } catch (const Error& error) {
    if (run_.outcomes.empty()) run_.outcomes = loop_->take_outcomes();
    // A fault of the device is none of the task: what was measured holds, and the task goes on when the device is back.
    if (error.code() == ExitCode::device) {
      finish(RunState::interrupted, "stopped by a fault of the device; the same command goes on from here");
    } else {
      finish(RunState::failed, "ended by an error");
    }
    throw;
  }
  const std::string reason = loop_->budget().reason();
  if (loop_->stopped()) {
    finish(RunState::interrupted, "stopped by the user; the same command goes on from here");
  } else {
    finish(RunState::finished, reason.empty() ? "every configuration was evaluated" : "budget spent: " + reason);
  }
  if (!run_.best_index) {
    std::string message = "no configuration succeeded";
    if (!run_.outcomes.empty())
      message += "; the first failed with (" + std::string(to_string(run_.outcomes.front().status)) + "):\n" +
                 run_.outcomes.front().message;
    if (!loop_->stopped())
      throw Error(ExitCode::nothing_valid, message, spec_.name,
                  "run " + std::to_string(run_.head.id) + " keeps all outcomes");
  }
  return store_.load(run_.head.id);
}

void Session::begin() {
  RunRecord& head = run_.head;
  const DeviceDescription& device = engine_.describe();
  head.name = spec_.name;
  head.spec_path = spec_.at.file;
  head.spec_text = request_.spec_text;
  head.key = task_.key();
  head.language = to_string(task_.language());
  head.device_id = device.id;
  head.device_name = device.name;
  head.device_details = {{"kind", device.kind},
                         {"vendor", device.vendor},
                         {"architecture", device.architecture},
                         {"compute_units", std::to_string(device.compute_units)},
                         {"pci_bus", device.pci_bus},
                         {"global_memory_bytes", std::to_string(device.global_memory_bytes)},
                         {"max_core_clock_mhz", std::to_string(device.max_core_clock.value() / 1e6)},
                         {"max_memory_clock_mhz", std::to_string(device.max_memory_clock.value() / 1e6)}};
  for (const Parameter& parameter : space_.parameters()) {
    head.parameters.push_back({parameter.name, parameter.values, parameter.values[parameter.default_index],
                               parameter.role == ParameterRole::device});
  }
  for (const Constraint& constraint : space_.constraints()) head.constraints.push_back(constraint.text);
  for (const NamedValue& item : spec_.problem) {
    if (item.value.is_number()) head.problem.emplace_back(item.name, item.value.as_number());
  }
  head.objectives = objectives_.all();
  for (const MetricSpec& metric : spec_.metrics) head.metric_units[metric.name] = metric.unit;
  head.strategy = request_.strategy.value_or(spec_.strategy.name.value);
  if (head.strategy == spec_.strategy.name.value) {
    for (const auto& [name, value] : spec_.strategy.options) head.strategy_options[name] = to_string(value.value);
  }
  head.seed = request_.seed ? *request_.seed : spec_.seed.value_or(0);
  head.space_size = space_.size();
  head.cartesian_size = space_.cartesian_size();
  const bool simulated = device.interface_name == "virtual";
  head.provenance = simulated ? Provenance::simulated : Provenance::measured;
  head.started_at = simulated ? real_clock().system() : clock_.system();
  head.version = version();
  Budget budget(merged(spec_.budget, request_.budget), space_.size());
  // What this device cannot do is said before a run is stored.
  if (has_settings(spec_)) {
    hardware_.emplace(spec_, engine_, device_, clock_, [this](const std::string& text) { observer_.notice(text); });
  }
  open_energy();
  resume_or_start();
  evaluator_.emplace(engine_, task_, clock_, energy_ ? &*energy_ : nullptr);
  std::vector<BenchmarkObserver*> observers = request_.observers;
  for (const ObserverSpec& spec : spec_.observers) commands_.push_back(std::make_unique<CommandObserver>(spec));
  for (const auto& command : commands_) observers.push_back(command.get());
  evaluator_->observe(std::move(observers));
  Evaluator& evaluator = *this;
  loop_.emplace(objectives_, std::move(budget), evaluator, observer_, request_.stop);
  begin_ = clock_.monotonic();
  observer_.started(run_.head, space_, resumed_);
  if (simulated && spec_.verification.kind != VerificationSpec::Kind::none)
    observer_.notice("a virtual GPU computes nothing: outputs are not verified");
}

void Session::open_energy() {
  const EnergySpec& energy = spec_.energy;
  const bool needed = energy.measure == EnergySpec::When::always || objectives_need_energy(spec_);
  if (energy.measure == EnergySpec::When::never || !(needed || metrics_need_energy(spec_))) return;
  try {
    if (device_ == nullptr) {
      throw Error(ExitCode::device,
                  "energy cannot be measured: nothing here reads the power of " + engine_.describe().name,
                  to_string(energy.at), "`wattune devices` shows the sensors; tune for time without them");
    }
    energy_.emplace(spec_, *device_, clock_, run_.head.seed);
  } catch (const Error& error) {
    if (needed) throw;
    return observer_.notice(std::string(error.what()) + "; metrics of energy are left out");
  }
  run_.head.device_details["energy"] = energy_->describe();
  run_.head.device_details["idle_power_w"] = std::to_string(energy_->idle_power().value());
}

void Session::resume_or_start() {
  const std::vector<std::string> names = task_.parameter_names();
  const auto take = [&](const Outcome& outcome) -> std::optional<ConfigurationId> {
    const std::optional<ConfigurationId> id = space_.find_values(outcome.configuration);
    if (id) stored_.emplace(*id, outcome);
    return id;
  };
  if (!request_.fresh) {
    if (const std::optional<RunRecord> unfinished = store_.unfinished_run(task_.key(), names)) {
      const Run earlier = store_.load(unfinished->id);
      const bool same_search = earlier.head.strategy == run_.head.strategy &&
                               earlier.head.strategy_options == run_.head.strategy_options &&
                               (!request_.seed || earlier.head.seed == run_.head.seed);
      if (same_search) {
        run_.head.id = earlier.head.id;
        run_.head.seed = earlier.head.seed;
        run_.head.started_at = earlier.head.started_at;
        resumed_ = true;
      }
      for (std::size_t i = 0; i < earlier.outcomes.size(); ++i) {
        const std::optional<ConfigurationId> id = take(earlier.outcomes[i]);
        if (id && same_search) own_.emplace(*id, i);
      }
    }
  }
  if (request_.reuse) {
    for (const Outcome& outcome : store_.outcomes_for(task_.key(), names)) take(outcome);
  }
  if (resumed_) {
    store_.update_run(run_.head);
  } else {
    run_.head.id = store_.begin_run(run_.head);
  }
}

Seconds Session::elapsed() const {
  return clock_.monotonic() - begin_ + earlier_;
}

std::optional<Seconds> Session::hopeless() const {
  // Three times the time of the best so far will hardly win: the minimum number of repeats then suffices. It only
  // widens the interval of a loser; no number is left out.
  const std::optional<std::size_t> best = loop_->best();
  if (!best || !loop_->outcomes()[*best].time) return std::nullopt;
  return Seconds(loop_->outcomes()[*best].time->time.value) * 3.0;
}

std::optional<double> Session::best_score() const {
  const std::optional<std::size_t> best = loop_->best();
  if (!best) return std::nullopt;
  return objectives_.scores(loop_->outcomes()[*best])->front();
}

std::size_t Session::batch_size() const {
  // With settings of the hardware, configurations of a batch that share them are measured together.
  if (hardware_) return hardware_batch;
  if (!engine_.compiles_concurrently()) return 1;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return request_.jobs > 0 ? request_.jobs : std::min<std::size_t>(cores, 8);
}

void Session::prepare(std::span<const ConfigurationId> ids) {
  std::vector<Configuration> unknown;
  for (const ConfigurationId id : ids) {
    if (!stored_.contains(id)) unknown.push_back(space_.values(id));
  }
  evaluator_->prefetch(unknown);
}

std::vector<std::size_t> Session::order(std::span<const ConfigurationId> batch) const {
  std::vector<std::size_t> positions = Evaluator::order(batch);
  if (!hardware_) return positions;
  std::vector<std::string> keys;
  for (const ConfigurationId id : batch) keys.push_back(hardware_->key(space_.values(id)));
  std::ranges::stable_sort(positions, {}, [&](std::size_t i) -> const std::string& { return keys[i]; });
  return positions;
}

Outcome Session::measure(const Configuration& configuration) {
  if (hardware_) {
    const Hardware::Result set = hardware_->apply(configuration);
    if (set.status != Status::correct) {
      Outcome refused;
      refused.configuration = configuration;
      refused.provenance = run_.head.provenance;
      refused.status = set.status;
      refused.message = set.message;
      refused.finished_at = clock_.system();
      return refused;
    }
    if (energy_) energy_->use_settings(hardware_->key(configuration));
  }
  if (energy_) energy_->set_best(best_score());
  Outcome outcome = evaluator_->evaluate(configuration, hopeless());
  for (const auto& command : commands_) {
    if (!command->complaint().empty() && complaints_.insert(command->complaint()).second)
      observer_.notice(command->complaint());
  }
  return outcome;
}

Outcome Session::evaluate(ConfigurationId id) {
  Outcome outcome;
  if (const auto found = stored_.find(id); found != stored_.end()) {
    outcome = found->second;
    metrics_.evaluate(outcome);
    if (const auto own = own_.find(id); own != own_.end()) {
      earlier_ += cost(outcome);  // it counts against the time budget, as it did when it was measured
      sequence_.push_back(own->second);
    } else {
      sequence_.push_back(store_.append(run_.head.id, outcome, true));
    }
    ++reused_;
  } else {
    outcome = measure(space_.values(id));
    metrics_.evaluate(outcome);
    sequence_.push_back(store_.append(run_.head.id, outcome));
  }
  return outcome;
}

void Session::evaluate_default() {
  const std::optional<ConfigurationId> id = space_.default_configuration();
  if (!id) {
    observer_.notice(
        "the default configuration is not valid on this device; the first configuration that succeeds is the baseline");
    return find_other_baseline();
  }
  const Outcome& outcome = loop_->answer(*id);
  if (outcome.status == Status::correct) {
    run_.default_index = loop_->position(*id);
    return;
  }
  observer_.notice("the default configuration fails (" + std::string(to_string(outcome.status)) + ": " +
                   outcome.message + "); the first configuration that succeeds is the baseline");
  find_other_baseline();
}

void Session::find_other_baseline() {
  for (ConfigurationId id = 0; id < std::min(space_.size(), most_baseline_attempts) && !loop_->over(); ++id) {
    if (loop_->answer(id).status == Status::correct) {
      run_.default_index = loop_->position(id);
      return;
    }
  }
}

void Session::search() {
  StrategyOptions options;
  if (run_.head.strategy == spec_.strategy.name.value) {
    for (const auto& [name, value] : spec_.strategy.options) options[name] = value.value;
  }
  StrategyTask task;
  task.space = &space_;
  task.seed = run_.head.seed;
  task.objectives = objectives_.all().size();
  task.budget = loop_->budget().evaluation_limit();
  const std::unique_ptr<Strategy> strategy = make_strategy(run_.head.strategy, task, options);
  evaluate_default();
  loop_->search(*strategy, batch_size());
}

void Session::measure_finalists() {
  const std::size_t wanted = spec_.measure.finalists;
  std::vector<std::size_t> positions = best_outcomes(run_.outcomes, objectives_, std::max<std::size_t>(1, wanted));
  if (positions.empty()) return;
  run_.best_index = positions.front();
  if (wanted == 0) return;
  // The baseline takes part, last, so that the speed-up comes from the same minutes as the times it compares.
  const bool baseline_is_finalist =
      run_.default_index && std::ranges::find(positions, *run_.default_index) != positions.end();
  std::vector<std::size_t> contestants = positions;
  if (run_.default_index && !baseline_is_finalist) contestants.push_back(*run_.default_index);
  observer_.finalists(contestants.size());
  std::vector<Configuration> configurations;
  for (const std::size_t position : contestants) configurations.push_back(run_.outcomes[position].configuration);
  const auto before = [&](std::size_t i) {
    return !hardware_ || hardware_->apply(configurations[i]).status == Status::correct;
  };
  const auto rows = evaluator_->interleave(configurations, needs_controls(spec_) ? controlled_rounds : finalist_rounds,
                                           finalist_time, before);
  const auto energies = measure_energies(configurations, rows, before);

  std::span<const Seconds> baseline;
  std::span<const Joules> baseline_energy;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (!run_.default_index || contestants[i] != *run_.default_index) continue;
    baseline = rows[i];
    baseline_energy = energies[i];
  }
  std::vector<std::pair<double, Finalist>> ranked;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (rows[i].empty()) continue;
    Finalist finalist;
    finalist.index = contestants[i];
    finalist.samples = rows[i];
    Outcome again = run_.outcomes[contestants[i]];
    again.time = summarise(rows[i], spec_.measure.interval_percent);
    finalist.time = again.time->time;
    if (!baseline.empty()) finalist.speedup = paired_speedup(baseline, rows[i]);
    if (!energies[i].empty()) {
      finalist.energy_samples = energies[i];
      finalist.energy = mean_energy(energies[i]);
      if (!baseline_energy.empty()) finalist.energy_gain = paired_gain(baseline_energy, energies[i]);
      again.energy = Joules(finalist.energy.value);
      again.power = *again.energy / Seconds(finalist.time.value);
      again.observed.erase("energy_at_least_j");
    }
    metrics_.evaluate(again);
    if (const auto scores = objectives_.scores(again)) ranked.emplace_back(scores->front(), std::move(finalist));
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& item) { return item.first; });
  for (auto& [score, finalist] : ranked) run_.finalists.push_back(std::move(finalist));
  if (!run_.finalists.empty()) run_.best_index = run_.finalists.front().index;
}

std::vector<std::vector<Joules>> Session::measure_energies(std::span<const Configuration> configurations,
                                                           std::span<const std::vector<Seconds>> times,
                                                           const MeasuredEvaluator::Before& before) {
  if (!energy_ || !objectives_need_energy(spec_)) return std::vector<std::vector<Joules>>(configurations.size());
  std::vector<Seconds> launch_times;
  for (const std::vector<Seconds>& row : times) {
    launch_times.emplace_back(row.empty() ? 1e-3 : summarise(row, spec_.measure.interval_percent).time.value);
  }
  return evaluator_->interleave_energy(configurations, launch_times, energy_rounds, before);
}

void Session::finish(RunState state, const std::string& note) {
  if (!run_.best_index && loop_->best()) run_.best_index = *loop_->best();
  run_.head.state = state;
  run_.head.note = note;
  run_.head.seconds = elapsed();
  store_.update_run(run_.head);
  // A resumed run may answer in another order than it was stored in: results refer to what is stored.
  const auto stored = [this](std::optional<std::uint64_t> index) {
    return index ? std::optional(sequence_[*index]) : std::nullopt;
  };
  std::vector<Finalist> finalists = run_.finalists;
  for (Finalist& finalist : finalists) finalist.index = sequence_[finalist.index];
  store_.set_result(run_.head.id, stored(run_.default_index), stored(run_.best_index), finalists);
}

}  // namespace wattune::tune

namespace wattune {

Run tune_kernel(const TuneRequest& request, Engine& engine, Store& store, TuneObserver& observer, Clock& clock) {
  return tune::Session(request, engine, store, observer, clock).run();
}

}  // namespace wattune
