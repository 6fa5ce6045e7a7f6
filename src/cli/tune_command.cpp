// `wattune tune`: on a device or on a recording; progress while it runs, Ctrl-C to stop cleanly, the result at the end.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/evidence_text.hpp"
#include "cli/json.hpp"
#include "cli/quantity_text.hpp"
#include "cli/search_flags.hpp"
#include "cli/sources.hpp"
#include "cli/tune_progress.hpp"
#include "wattune/formats.hpp"
#include "wattune/replay.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {
namespace {

std::atomic<bool> stop_requested{false};

void request_stop(int signal) {
  if (stop_requested.exchange(true)) {  // a second Ctrl-C: the user does not want to wait
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

double time_scale_of(const std::string& unit) {
  if (unit == "s") return 1.0;
  if (unit == "ms") return 1e3;
  if (unit == "us") return 1e6;
  throw Error(ExitCode::usage, "unknown time unit '" + unit + "'", "--time-unit", "choose s, ms or us");
}

/// --target is in the unit of the expressions.
void scale_target(Spec& spec, double time_scale) {
  const bool time = spec.objectives.empty() || spec.objectives.front().name.value == "time";
  if (spec.budget.target && time) *spec.budget.target /= time_scale;
}

void merge(BudgetSpec& budget, const BudgetSpec& flags) {
  if (flags.evaluations) budget.evaluations = flags.evaluations;
  if (flags.seconds) budget.seconds = flags.seconds;
  if (flags.fraction) budget.fraction = flags.fraction;
  if (flags.no_improvement) budget.no_improvement = flags.no_improvement;
  if (flags.target) budget.target = flags.target;
}

/// A run, and what is to be known of the energies that it rests on.
struct Tuned {
  Run run;
  std::optional<EnergyEvidence> evidence;
  Json evidence_document;
};

bool is_about_energy(const Run& run) {
  return std::ranges::any_of(run.head.objectives,
                             [](const ObjectiveRecord& objective) { return concerns_energy(objective.name); });
}

Tuned replay_recording(const TuneCommand& command, TuneObserver& observer) {
  const RecordedSpace recording = load_recording(command.replay, command.store);
  ReplayRequest request;
  request.recording = &recording;
  request.recorded_points = command.spec.empty();
  request.spec = command.spec.empty() ? spec_of(recording) : read_spec(command.spec);
  request.samples = command.samples;
  request.time_scale = time_scale_of(command.time_unit);
  request.start = start_of(command.search);
  request.jobs = command.jobs;
  request.stop = &stop_requested;
  apply(command.search, &recording, request.spec);
  merge(request.spec.budget, budget_of(command.search));
  scale_target(request.spec, request.time_scale);
  Store store = Store::open(command.store);
  Tuned tuned{replay(request, store, observer), std::nullopt, nullptr};
  if (is_about_energy(tuned.run)) tuned.evidence = energy_evidence(recording);
  if (tuned.evidence) tuned.evidence_document = evidence_json(recording, *tuned.evidence);
  return tuned;
}

void check_measured(const TuneCommand& command) {
  if (command.spec.empty())
    throw Error(ExitCode::usage, "nothing to tune", "wattune tune",
                "give a SPEC, or a recording with --replay; `wattune tune --help` has examples");
  const char* flag = command.samples > 0             ? "--samples"
                     : command.time_unit != "s"      ? "--time-unit"
                     : !command.search.start.empty() ? "--start"
                                                     : nullptr;
  if (flag != nullptr) throw Error(ExitCode::usage, "only for recordings", flag, "add --replay FILE, or leave it out");
}

Tuned tune_on_device(const TuneCommand& command, TuneObserver& observer) {
  check_measured(command);
  TuneRequest request;
  request.spec = read_spec(command.spec);
  request.spec_text = base::read_file(command.spec, "spec");
  apply(command.search, nullptr, request.spec);
  request.budget = budget_of(command.search);
  request.fresh = command.fresh;
  request.reuse = command.reuse;
  request.jobs = command.jobs;
  request.stop = &stop_requested;
  const std::unique_ptr<Clock> simulated = simulated_clock_for(command.device);
  Clock& clock = simulated ? *simulated : real_clock();
  const std::unique_ptr<Engine> engine = open_engine(command.device, clock);
  Store store = Store::open(command.store);
  return {tune_kernel(request, *engine, store, observer, clock), std::nullopt, nullptr};
}

}  // namespace

ExitCode run_command(const TuneCommand& command, bool json, Console& console) {
  TuneProgress progress(console, command.verbose, stop_requested);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  const Tuned tuned = command.replay.empty() ? tune_on_device(command, progress) : replay_recording(command, progress);
  console.clear();
  if (json) {
    Json document = run_json(tuned.run);
    if (tuned.evidence) document["energy_evidence"] = tuned.evidence_document;
    console.out() << document.dump(2) << '\n';
  } else {
    print_result(tuned.run, console.out());
    if (tuned.evidence) print_evidence(*tuned.evidence, console.out());
  }
  return tuned.run.head.state == RunState::interrupted ? ExitCode::interrupted : ExitCode::ok;
}

}  // namespace wattune::cli
